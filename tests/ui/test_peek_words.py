"""The counterexample's sums and sentences stay true whatever the reader sets."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from expediter.core.counterexample import Counterexample
from expediter.core.goodness import fit
from expediter.ui import peek_words as words
from expediter.ui.peek_words import EARLY, PEEK

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "same_answer.json").read_text(encoding="utf-8"))
PAPER = Counterexample()


def test_the_papers_sums():
    told = " ".join(words.sums(PAPER, TEXT))
    for part in ("1 word × 1 = 1.", "(1 + 0.8) words × 0.5 = 0.9.", "(1 + 0.8 + 0.72) × 0.45 = 1.134", "(1 + 0.8 + 0) × 0.45 = 0.81"):
        assert part in told


def test_peeking_is_told_with_the_papers_outcome():
    assert words.bend(PAPER, PEEK, TEXT) == "Bent by 15 %."
    told = words.why(PAPER, PEEK, TEXT)
    assert "sends guess 1 when it is A, and leaves it when it is B" in told
    assert "Together A comes 85 % of the time. It should come 70 %." in told


def test_early_stop_is_straight():
    assert words.bend(PAPER, EARLY, TEXT) == "Not bent."
    assert "A comes 70 % of the time, as it should" in words.why(PAPER, EARLY, TEXT)


@pytest.mark.parametrize(("first", "sps2", "sps3", "b"), list(product((0.0, 0.5, 1.0), (0.05, 0.6, 1.0), (0.05, 0.55, 1.0), (0.0, 0.9))))
def test_bent_is_said_exactly_when_something_is_bent(first, sps2, sps3, b):
    case = Counterexample(first=first, sps=(1.0, sps2, sps3), second=(0.4, b))
    bent = case.shift(PEEK) > 1e-9
    assert words.bend(case, PEEK, TEXT).startswith("Bent") == bent
    assert ("It should come" in words.why(case, PEEK, TEXT)) == bent
    assert words.bend(case, EARLY, TEXT) == "Not bent."
    assert "as it should" in words.why(case, EARLY, TEXT)


def test_the_table_underlines_where_loading_stops():
    table = words.case_table(PAPER, PEEK, TEXT)
    assert "1, 0.9, <u>1.134</u>" in table
    assert "<u>1</u>, 0.9" in words.case_table(PAPER, EARLY, TEXT)


def test_samples_are_told_with_their_p_value():
    drawn = PAPER.sample(PEEK, 1000, np.random.default_rng(1))
    told = words.sampled(drawn, fit(drawn, np.array(PAPER.target)), TEXT)
    assert told.startswith("1,000 answers drawn")
    assert "p < 0.000001" in told
    assert "wanted 0.70, delivered 0.85" in words.bent_alt(PAPER, PEEK, drawn)


def test_how_often_the_models_want_a_is_told():
    assert words.shares(PAPER) == {"target_a": "70 %", "draft_a": "50 %"}
