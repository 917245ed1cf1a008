"""Metrics against brute force and against cases that can be worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.metrics import calibration_error, reliability, roc_auc

scored = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]), st.booleans()), min_size=2, max_size=40)


@given(scored)
def test_auc_is_the_share_of_well_ordered_pairs_with_ties_counted_half(pairs):
    score, outcome = np.array([s for s, _ in pairs]), np.array([o for _, o in pairs])
    true, false = score[outcome], score[~outcome]
    if not true.size or not false.size:
        assert np.isnan(roc_auc(score, outcome))
        return
    wins = (true[:, None] > false).sum() + 0.5 * (true[:, None] == false).sum()
    assert roc_auc(score, outcome) == pytest.approx(wins / (true.size * false.size))


@given(scored)
def test_calibration_error_is_the_weighted_gap_of_the_bins(pairs):
    score, outcome = np.array([s for s, _ in pairs]), np.array([o for _, o in pairs], dtype=float)
    bins = reliability(score, outcome)
    gaps = np.nansum(bins.count * np.abs(bins.predicted - bins.observed)) / len(score)
    assert calibration_error(score, outcome) == pytest.approx(gaps)
    assert bins.count.sum() == len(score)


def test_calibration_error_of_a_known_case():
    assert calibration_error(np.array([0.9, 0.9, 0.9, 0.9]), np.array([1, 1, 0, 0])) == pytest.approx(0.4)


def test_honest_predictions_have_a_small_error_and_liars_a_large_one():
    rng = np.random.default_rng(1)
    chance = rng.random(50_000)
    outcome = rng.random(50_000) < chance
    assert calibration_error(chance, outcome) < 0.01
    assert calibration_error(np.sqrt(chance), outcome) > 0.15


def test_certainty_belongs_to_the_last_bin_and_empty_bins_have_no_mean():
    bins = reliability(np.array([0.0, 1.0]), np.array([0, 1]))
    assert bins.count[[0, -1]].tolist() == [1, 1]
    assert np.isnan(bins.observed[1:-1]).all()
    assert len(bins.edges) == 21


def test_no_predictions_have_no_error():
    assert np.isnan(calibration_error(np.empty(0), np.empty(0)))


@pytest.mark.parametrize("score", [[1.2], [float("nan")], [0.5, 0.5]])
def test_what_is_no_probability_for_each_outcome_is_refused(score):
    with pytest.raises(ValueError, match=r"must be"):
        calibration_error(np.array(score), np.array([1]))
