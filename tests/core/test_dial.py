"""What a lie costs is counted on the same draws, by what really passed, and an honest number is not beaten by its distortions."""

from dataclasses import replace

import numpy as np
import pytest

from expediter.core.dial import Draws, all_or_nothing, draws, lead, play, sharpened
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate
from tests.fake_blocks import some_blocks

SMOOTH = StepRate(np.array([1, 16, 96, 512]), np.array([0.008, 0.01, 0.022, 0.1]), draft_seconds=0.001)
BLOCKS = some_blocks(0.8, 4000)
DEALT = draws(4000, 16, 250, seed=1)


def test_the_dial_at_one_changes_nothing_and_turns_around_one_half():
    chance = np.array([0.0, 0.2, 0.5, 0.9, 1.0])
    np.testing.assert_allclose(sharpened(chance, 1.0), chance, atol=2e-4)
    assert (sharpened(chance, 2.0) <= sharpened(chance, 1.0))[:3].all()
    assert (sharpened(chance, 2.0) >= sharpened(chance, 1.0))[2:].all()
    assert np.abs(sharpened(chance, 0.25) - 0.5).max() < np.abs(chance - 0.5).max()


def test_every_block_is_dealt_before_one_comes_again():
    dealt = draws(100, 10, 20, seed=3)
    assert dealt.rows.shape == (20, 10)
    assert np.bincount(dealt.rows.ravel(), minlength=100).tolist() == [2] * 100
    assert dealt.independent == 10
    assert draws(5, 16, 4, seed=3).rows.shape == (4, 16), "fewer blocks than requests"


def test_a_step_is_the_schedulers_plan_paid_by_the_outcomes():
    rows = np.arange(16)
    plan = schedule(BLOCKS.confidence[rows], SMOOTH)
    outcome = play(BLOCKS.confidence, BLOCKS.passed, Draws(rows[None], 1), SMOOTH)
    tokens = (np.minimum(plan.lengths, BLOCKS.passed[rows]) + 1).sum()
    assert outcome.sent == plan.stop / 16
    assert outcome.promised == pytest.approx(plan.theta)
    assert outcome.came == pytest.approx(tokens / plan.step_seconds[plan.stop])


def test_honest_numbers_get_what_they_promise_and_no_distortion_brings_more():
    honest = play(sharpened(BLOCKS.confidence, 1.0), BLOCKS.passed, DEALT, SMOOTH)
    assert abs(honest.promised - honest.came) < 4 * honest.error
    for strength in (0.25, 0.5, 2.0, 4.0):
        other = play(sharpened(BLOCKS.confidence, strength), BLOCKS.passed, DEALT, SMOOTH)
        more, error = lead(other, honest, DEALT)
        assert more == pytest.approx(other.came - honest.came)
        assert more < 3 * error
    assert more < 0, "at 4 it costs"
    assert other.promised > other.came + 4 * other.error, "a boaster promises more than comes"


def test_what_is_compared_with_itself_leads_by_nothing():
    honest = play(BLOCKS.confidence, BLOCKS.passed, DEALT, SMOOTH)
    assert lead(honest, honest, DEALT) == (0.0, 0.0)


def test_the_ends_are_no_drafting_and_everything_checked():
    off, everything = all_or_nothing(BLOCKS.passed, BLOCKS.depth, DEALT, SMOOTH)
    assert off == pytest.approx(16 / 0.01)
    flat = StepRate(np.array([1, 96]), np.array([0.01, 0.01]))
    sure = play(np.ones_like(BLOCKS.confidence), BLOCKS.passed, DEALT, flat)
    assert sure.sent == BLOCKS.depth
    assert sure.came == pytest.approx(all_or_nothing(BLOCKS.passed, BLOCKS.depth, DEALT, flat)[1])
    assert everything < sure.came


def test_no_drafting_takes_the_time_of_a_step_without_drafts_where_the_table_has_one():
    rate = replace(SMOOTH, plain_seconds=0.007)
    off, everything = all_or_nothing(BLOCKS.passed, BLOCKS.depth, DEALT, rate)
    assert off == pytest.approx(16 / 0.007)
    assert everything == all_or_nothing(BLOCKS.passed, BLOCKS.depth, DEALT, SMOOTH)[1], "a step that drafts is on the curve as before"
