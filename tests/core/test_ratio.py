"""Ratios of paired blocks: equals read as equals, and intervals hold the truth as often as they say."""

import numpy as np
import pytest

from expediter.core.ratio import against_best, ratio, student, worst

QUANTILES = {(1, 0.95): 12.706, (4, 0.95): 2.776, (7, 0.95): 2.365, (30, 0.95): 2.042, (4, 0.99): 4.604, (7, 0.99): 3.499}


@pytest.mark.parametrize(("case", "known"), QUANTILES.items())
def test_student_is_the_tables(case, known):
    assert student(*case) == pytest.approx(known, abs=2e-3)


def test_a_ratio_pairs_blocks_so_that_common_noise_cancels():
    found = ratio((12, 24, 48, 12, 6), (10, 20, 40, 10, 5))
    assert (found.value, found.low, found.high) == pytest.approx((1.2, 1.2, 1.2))


def test_a_ratio_of_scattered_blocks_has_a_wide_interval():
    found = ratio((10, 30, 10, 30, 10), (20, 20, 20, 20, 20))
    assert found.low < found.value < found.high
    assert found.high / found.low > 3


def test_a_single_block_says_nothing_about_its_luck():
    found = ratio((3.0,), (2.0,))
    assert (found.value, found.low, found.high) == (pytest.approx(1.5), 0.0, float("inf"))
    assert worst([found]).value == pytest.approx(1.5)


@pytest.mark.parametrize(("a", "b"), [((1.0, 2.0), (1.0,)), ((), ())])
def test_blocks_that_do_not_pair_up_are_refused(a, b):
    with pytest.raises(ValueError, match="same rounds"):
        ratio(a, b)


def runs(rng: np.random.Generator, policies: int, blocks: int = 8, noise: float = 0.05) -> np.ndarray:
    """Block rates of equals. [policies, blocks]"""
    return 100 * np.exp(rng.normal(0, noise, (policies, blocks)))


def test_equals_are_not_beaten_by_the_luckiest_of_several_rivals():
    rng = np.random.default_rng(1)
    fair, lucky = [], []
    for _ in range(400):
        rates = runs(rng, 6)
        fair.append(np.log(against_best(rates[0], rates[1:])[0].value))
        lucky.append(np.log(ratio(rates[0], max(rates[1:], key=np.mean)).value))
    assert abs(np.mean(fair)) < 0.003
    assert np.mean(lucky) < -0.015


def test_a_rival_that_is_clearly_best_is_the_one():
    rates = runs(np.random.default_rng(2), 4)
    found, chosen = against_best(rates[0], [rates[1], 2 * rates[2], rates[3]])
    assert chosen == 1
    same = ratio(rates[0], 2 * rates[2])
    assert (found.value, found.error, found.blocks) == pytest.approx((same.value, same.error, same.blocks))


def test_an_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(3)
    held = [r.low <= 1 <= r.high for r in (ratio(*runs(rng, 2)) for _ in range(600))]
    assert 0.93 <= np.mean(held) <= 0.97


def test_the_worst_of_several_equals_is_hardly_ever_called_missed_and_chance_is_told():
    rng = np.random.default_rng(4)
    found = [worst([ratio(*runs(rng, 2)) for _ in range(7)]) for _ in range(300)]
    assert np.mean([w.high < 1 for w in found]) <= 0.05
    assert np.mean([w.low > 1 for w in found]) <= 0.01
    assert np.mean([w.value for w in found]) == pytest.approx(np.mean([w.equals for w in found]), abs=0.01)
    assert np.mean([w.value for w in found]) < 0.98


def test_the_worst_is_the_smallest_and_where():
    ratios = [ratio([r * 100] * 3, [100] * 3) for r in (1.1, 0.9, 1.0)]
    least = worst(ratios)
    assert (least.at, least.value, least.low, least.high, least.equals) == (1, *[pytest.approx(0.9)] * 3, pytest.approx(1.0))
