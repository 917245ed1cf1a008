"""Pearson's test says the right thing at the right rate: its p-value against known values, honest runs, bent ones."""

import numpy as np
import pytest

from expediter.core.goodness import ALPHA, LEAST, SEEN, bent, fit, groups, pearson, power, tail, visible

P = np.array([[0.3, 0.2, 0.1], [0.15, 0.1, 0.08], [0.04, 0.0299, 0.0001]])


@pytest.mark.parametrize(
    ("statistic", "freedom", "expected"),
    [
        (3.841458820694124, 1, 0.05),
        (10.827566170662733, 1, 0.001),
        (18.307038053275146, 10, 0.05),
        (4.6051701859880914, 2, 0.1),  # exp(−x/2)
        (2.0, 2, np.exp(-1.0)),
        (149.4492526, 100, 0.001),
        (0.0, 5, 1.0),
    ],
)
def test_the_tail_has_the_tables_values(statistic, freedom, expected):
    assert tail(statistic, freedom) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("freedom", [1, 2, 7, 60, 400])
def test_the_tail_falls_without_a_seam_between_its_two_ways(freedom):
    x = np.linspace(0.01, 3 * freedom + 30, 400)
    q = np.array([tail(value, freedom) for value in x])
    assert (np.diff(q) <= 1e-12).all()
    around = np.array([tail(freedom + 2 + delta, freedom) for delta in (-1e-9, 1e-9)])
    assert around[0] == pytest.approx(around[1], abs=1e-8)


def test_rare_outcomes_share_a_cell():
    assert groups(P, 1000).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 7], "ten hundredths of a sample are too few for a cell"
    assert groups(P, 200).tolist() == [0, 1, 2, 3, 4, 5, 6, 6, 6]
    for samples in (1, 10, 137, 5000):
        share = np.bincount(groups(P, samples), P.ravel())
        assert share.sum() == pytest.approx(1)
        assert len(share) == 1 or share.min() * samples >= LEAST


def test_honest_runs_are_called_odd_as_often_as_alpha_says():
    rng = np.random.default_rng(3)
    fits = [fit(rng.multinomial(800, P.ravel()).reshape(P.shape), P) for _ in range(4000)]
    assert np.mean([f.p_value < 0.05 for f in fits]) == pytest.approx(0.05, abs=0.012)
    assert np.mean([f.fails for f in fits]) <= 4 * ALPHA
    assert fits[0].samples == 800


def test_another_distribution_fails():
    rng = np.random.default_rng(4)
    assert fit(rng.multinomial(20_000, P.T.ravel()).reshape(P.shape), P).fails


def test_an_impossible_outcome_refutes_at_once():
    p, counts = np.array([0.6, 0.4, 0.0]), np.array([6, 4, 1])
    assert fit(counts, p).p_value == 0


def test_a_single_cell_says_nothing():
    found = fit(np.array([3, 1]), np.array([0.5, 0.5]))
    assert (found.cells, found.p_value, found.fails) == (1, 1.0, False)


def test_a_bent_distribution_lies_at_its_distance():
    p = P.ravel()
    q = bent(p, 0.1)
    assert np.abs(p - q).sum() / 2 == pytest.approx(0.1)
    assert q.min() >= 0
    assert bent(np.array([0.5, 0.5]), 0.6) is None
    assert bent(np.array([1.0]), 0.1) is None


def test_no_shift_of_that_size_is_harder_to_see():
    rng, p = np.random.default_rng(5), np.bincount(groups(P, 1000), P.ravel())
    hardest = pearson(1000 * bent(p, 0.05), p)
    for _ in range(300):
        side = rng.random(len(p)) < 0.5
        if not side.any() or side.all():
            continue
        move = np.where(side, rng.random(len(p)), 0.0)
        other = np.where(side, 0.0, rng.random(len(p)))
        q = p + 0.05 * (move / move.sum() - other / other.sum())
        assert pearson(1000 * q, p) >= 0.98 * hardest


def test_more_samples_see_less():
    found = [visible(P, samples) for samples in (100, 1000, 10_000)]
    assert found[2] is not None
    assert found[1] > found[2]
    assert power(np.bincount(groups(P, 10_000), P.ravel()), 10_000, found[2]) >= SEEN
    assert visible(P, 5) is None
