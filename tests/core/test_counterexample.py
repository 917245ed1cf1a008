"""The paper's counterexample with its numbers: peeking bends (.7, .3) to (.85, .15), early stop does not."""

import numpy as np
import pytest

from expediter.core.counterexample import Counterexample
from expediter.core.goodness import fit
from expediter.core.policy import Policy

PEEK, EARLY = Policy("global"), Policy("early-stop")
CASE = Counterexample()


def test_peeking_bends_the_output_as_the_paper_says():
    assert CASE.delivered(PEEK) == pytest.approx([0.85, 0.15])
    assert CASE.shift(PEEK) == pytest.approx(0.15)


def test_early_stop_keeps_the_targets_distribution():
    assert CASE.delivered(EARLY) == pytest.approx([0.7, 0.3])
    assert [plan.stop for plan in CASE.plans(EARLY)] == [0, 0]


def test_peeking_decides_by_the_word_that_it_decides_about():
    after_a, after_b = CASE.plans(PEEK)
    assert (after_a.stop, after_b.stop) == (2, 0)
    assert after_a.path == pytest.approx([1, 0.9, 1.134])
    assert CASE.given(PEEK) == pytest.approx(np.array([[1, 0], [0.7, 0.3]]))


@pytest.mark.parametrize("policy", ["early-stop", "stale", "all", "off", "fixed:1", "threshold:0.5"])
@pytest.mark.parametrize("first", [0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("sps", [(1, 0.5, 0.45), (1, 0.9, 0.2), (1, 1, 1), (1, 0.6, 0.59)])
def test_who_does_not_peek_bends_nothing_whatever_the_numbers(policy, first, sps):
    case = Counterexample(first=first, sps=sps, second=(0.9, 0.1), target=(0.6, 0.4), draft=(0.2, 0.8))
    assert case.shift(Policy.parse(policy)) == pytest.approx(0, abs=1e-12)


def test_without_a_dip_peeking_has_nothing_to_hide():
    assert Counterexample(sps=(1, 0.8, 0.7)).shift(PEEK) == pytest.approx(0)


def test_where_draft_and_target_agree_there_is_nothing_to_correct():
    case = Counterexample(target=(0.5, 0.5), draft=(0.5, 0.5), first=1.0)
    assert case.delivered(EARLY) == pytest.approx([0.5, 0.5])
    assert case.sample(PEEK, 100, np.random.default_rng(1)).sum() == 100


@pytest.mark.parametrize("policy", [PEEK, EARLY, Policy("all")])
def test_samples_are_drawn_as_the_exact_numbers_say(policy):
    counts = CASE.sample(policy, 20_000, np.random.default_rng(7))
    assert not fit(counts, CASE.delivered(policy)).fails


def test_samples_of_the_peeking_search_refute_the_target():
    target = np.array(CASE.target)
    assert fit(CASE.sample(PEEK, 500, np.random.default_rng(7)), target).fails
    assert not fit(CASE.sample(EARLY, 500, np.random.default_rng(7)), target).fails
