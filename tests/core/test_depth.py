"""The depth of drafting follows the past, and only the past."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.depth import LEAST, SELDOM, WHOLE_EVERY, Depth, by_depth
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate


def told(depth: Depth, tau: list[float], seconds: list[float], times: int = LEAST) -> None:
    for _ in range(times):
        depth.judge(tau, seconds)


def test_it_drafts_the_whole_depth_until_it_knows_enough():
    depth = Depth(64)
    for _ in range(LEAST - 1):
        depth.judge([2.0, 2.1], [1.0, 2.0])
        assert depth.next(2) == 2
    depth.judge([2.0, 2.1], [1.0, 2.0])
    assert depth.next(2) == 1


def test_a_single_request_is_judged_over_more_steps_than_a_crowd():
    one, many = Depth(1), Depth(64)
    told(one, [2.0, 2.1], [1.0, 2.0])
    told(many, [2.0, 2.1], [1.0, 2.0])
    assert (one.next(2), many.next(2)) == (2, 1)


def test_it_looks_at_the_whole_depth_again_and_again():
    depth = Depth(64)
    told(depth, [2.0, 2.1, 2.15], [1.0, 1.5, 2.0])
    asked = [depth.next(3) for _ in range(3 * WHOLE_EVERY)]
    assert set(asked) == {1, 3}
    assert asked.count(3) == 3


def test_it_looks_ever_more_seldom_while_nothing_changes_and_often_again_when_something_does():
    depth, looks = Depth(64), []
    told(depth, [2.0, 2.1, 2.15], [1.0, 1.5, 2.0])
    for step in range(8 * SELDOM):
        if depth.next(3) == 3:
            looks.append(step)
            depth.judge([2.0, 2.1, 2.15], [1.0, 1.5, 2.0])
    gaps = np.diff(looks)
    assert gaps[0] == 2 * WHOLE_EVERY
    assert gaps[-1] == gaps.max() == SELDOM
    while not depth.judge([2.0, 9.0, 2.15], [1.0, 1.5, 2.0]):
        assert depth.best == 1
    assert depth.best == 2
    assert [depth.next(3) for _ in range(WHOLE_EVERY)] == [2] * (WHOLE_EVERY - 1) + [3]


def test_once_the_whole_depth_is_known_to_pay_best_one_step_in_four_is_judged():
    depth = Depth(64)
    for step in range(LEAST):
        assert depth.due(step)
        depth.judge([2.0, 4.0], [1.0, 1.1])
    assert [depth.due(step) for step in range(8)] == [True, False, False, False] * 2
    told(depth, [2.0, 2.1], [1.0, 2.0], 4 * LEAST)
    assert all(depth.due(step) for step in range(8))


def test_it_says_when_another_depth_pays_best():
    depth = Depth(64)
    assert [depth.judge([2.0, 2.1], [1.0, 2.0]) for _ in range(LEAST + 2)] == [False] * (LEAST - 1) + [True, False, False]


def test_a_gain_within_the_rounding_is_none():
    depth = Depth(64)
    told(depth, [1.0, 2.0], [1.0, 2.0])
    assert depth.next(2) == 2


def test_another_depth_begins_anew():
    depth = Depth(64)
    told(depth, [2.0, 2.1], [1.0, 2.0])
    depth.judge([2.0, 2.1, 2.2], [1.0, 2.0, 3.0])
    assert depth.next(3) == 3


@given(
    rows=st.lists(st.lists(st.sampled_from([0.0, 0.3, 0.5, 0.5, 0.8, 0.97, 1.0]), min_size=4, max_size=4), min_size=1, max_size=9),
    slope=st.sampled_from([0.0, 0.05, 0.3, 2.0]),
)
def test_every_smaller_depth_is_judged_as_if_it_had_been_drafted(rows, slope):
    confidence, batch = np.array(rows), np.array([1, 12, 13, 64])
    rates = [StepRate(batch, 10 + slope * batch + (batch > 12), draft_seconds=0.7 * depth) for depth in range(1, 5)]
    tau, seconds = by_depth(schedule(confidence, rates[-1]), rates)
    plans = [schedule(confidence[:, :depth], rate) for depth, rate in enumerate(rates, 1)]
    assert tau == pytest.approx([plan.tau for plan in plans])
    assert seconds == pytest.approx([plan.step_seconds[plan.stop] for plan in plans])
