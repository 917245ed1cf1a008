"""Sentences of Same answer: numbers from the runs, never more said than the test can say."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expediter.core.first_two import RULES
from expediter.ui import answer_words as words
from tests.answers import sampling, side_by_side

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "same_answer.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("p", "said"), [(0.57, "= 0.57"), (0.1, "= 0.10"), (0.031, "= 0.031"), (0.00042, "= 0.0004"), (1e-9, "< 0.000001"), (1.0, "= 1.00")]
)
def test_a_p_value_is_as_exact_as_a_reader_can_use(p, said):
    assert words.p_value(p) == said


def test_nothing_differs_is_said_only_when_nothing_differs():
    assert words.compared(side_by_side(), TEXT) == "175 words compared, over 7 ways to decide. Not one differs."
    assert "6 places at which the texts part" in words.compared(side_by_side(parted=True), TEXT)


def test_before_anything_is_compared_nothing_is_claimed():
    run = side_by_side()
    assert "Not one" not in words.so_far(replace(run, comparisons={}), TEXT)
    assert words.so_far(run, TEXT).startswith("So far: 175 words compared")


def test_texts_that_part_are_explained_by_how_close_the_words_were():
    assert words.rounding(side_by_side(), TEXT) == ()
    short = words.rounding(side_by_side("bfloat16", parted=True), TEXT)
    assert "led the second by 0.01 at most; over all words shown the middle lead is 1.5" in short[1]
    assert len(words.rounding(side_by_side("bfloat16"), TEXT)) == 1
    assert "Even float32 rounds" in words.rounding(side_by_side(parted=True), TEXT)[0]


def test_the_verdict_waits_for_the_last_sample():
    run = sampling()
    assert words.verdict(run, TEXT).startswith("Verdict at 1,000 samples: p = 0.")
    assert words.verdict(sampling(planned=2000), TEXT).startswith("1,000 of 2,000 samples so far.")


def test_a_bent_run_is_called_bent_and_an_honest_one_is_given_its_chance():
    bent = (300, 500, 100, 100)
    assert "not the big model's words any more" in words.verdict(sampling(bent, rule="accept-always"), TEXT)
    assert "not the big model's words any more" in words.verdict(sampling(bent, policy="global"), TEXT)
    assert "run it again with another seed" in words.verdict(sampling(bent), TEXT)


def test_too_few_samples_say_nothing():
    run = sampling((5, 3, 1, 1), visible=None)
    assert "Too few samples" in words.verdict(run, TEXT)
    assert "Not sharp" in words.power(run, TEXT)


def test_power_and_what_was_sent_are_told_in_numbers():
    assert "bent by 9.0 %" in words.power(sampling(), TEXT)
    assert words.sent(sampling(), TEXT).endswith("none in 50 %, 1 in 30 %, 2 in 20 %.")
    assert words.sent(sampling(sent=(0, 0)), TEXT).endswith("no step yet.")
    assert words.sent(sampling(sent=(1, 999)), TEXT).endswith("none in under 1 %, 1 in 99.9 %.")


def test_a_recording_from_other_weights_says_so():
    told = ("2026-01-02T03:04:05+00:00", "float32 · dice", "0123456789ab")
    assert words.origin(*told, "0123456789ab", TEXT) == "Recorded on float32 · dice, 2 January 2026, weights 0123456789ab."
    assert "other weights" in words.origin(*told, "ffffffffffff", TEXT)
    assert "other weights" not in words.origin(*told, "", TEXT)


def test_pairs_of_words_are_made_visible():
    run = sampling()
    assert [words.pair_label(run.joint, run.words, k) for k in range(4)] == ["Once · upon", "Once · a", "<|end|>", "all other pairs"]


def test_charts_are_told_in_words():
    assert "the last one 0.6; the limit is 0.001" in words.trail_alt(sampling())
    assert "no sample yet" in words.trail_alt(sampling((0, 0, 0, 0)))
    assert "Once · upon: 510 counted, 500 expected" in words.cells_alt(sampling(), 12)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_has_a_name_and_an_explanation(name):
    assert TEXT["rules"][name]
    assert TEXT["rules_about"][name]
