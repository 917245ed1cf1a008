"""Predictions meet their outcomes: c only where the guess was judged, a over all blocks."""

import numpy as np
import pytest

from expediter.core.honesty import conditional, honesty, prefix, typical
from tests.fake_blocks import some_blocks

CHANCE = np.array([[0.9, 0.5], [0.8, 0.25], [0.6, 0.5]])
PASSED = np.array([2, 0, 1])


def test_a_guess_is_judged_only_where_all_before_it_passed():
    second = conditional(CHANCE, PASSED, 2)
    assert second.predicted.tolist() == [0.5, 0.5]
    assert second.came.tolist() == [True, False]
    assert len(conditional(CHANCE, PASSED, 1).came) == 3


def test_a_prefix_is_judged_in_every_block():
    both = prefix(CHANCE, PASSED, 2)
    np.testing.assert_allclose(both.predicted, [0.45, 0.2, 0.3])
    assert both.came.tolist() == [True, False, False]


def test_an_honest_guesser_shows_little_more_than_luck_and_a_boaster_much_more():
    blocks = some_blocks(0.8, 20_000)
    honest, boaster = honesty(blocks.confidence, blocks.passed), honesty(blocks.before, blocks.passed)
    assert max(honest.ece) < 2 * honest.luck
    assert boaster.ece[0] > 4 * honest.luck
    assert honest.auc == pytest.approx(boaster.auc), "stretching does not change the order"
    assert honest.reached[0] == 20_000
    assert list(honest.reached) == sorted(honest.reached, reverse=True)


def test_a_position_that_nothing_reached_has_no_figure():
    figures = honesty(np.full((5, 2), 0.5), np.zeros(5, dtype=int))
    assert figures.reached == (5, 0)
    assert np.isnan(figures.ece_guess[1])
    assert np.isnan(figures.auc[1])
    assert figures.ece[1] == pytest.approx(0.25)


def test_the_example_is_a_chain_that_falls_below_its_links():
    blocks = some_blocks(0.8, 2000)
    chances = blocks.confidence[typical(blocks, 3), :3]
    np.testing.assert_allclose(chances, [0.9, 0.8, 0.7], atol=0.1)
    assert typical(blocks, 1) == np.abs(blocks.confidence[:, 0] - 0.9).argmin()
