"""The numbers under the stage agree with the trace that they are about."""

from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui.numbers import WINDOW, of_step, rates, window
from tests.fakes import FakeEngine, recording

RUN = recording(Settings(load=8), steps=5)


def test_every_sent_word_has_one_fate():
    step = of_step(RUN[0])
    assert step.sent == step.passed + step.refused + step.behind == RUN[0].batch - 8
    assert step.sent + step.left == 8 * 5


def test_expected_words_are_the_plans_and_got_words_are_committed():
    step = of_step(RUN[0])
    assert step.expected == pytest.approx(8 + sum(sum(r.survival[: r.sent]) for r in RUN[0].requests))
    assert step.got == step.passed + 8


def test_wasted_time_is_what_the_shorter_batch_would_have_saved():
    step, trace = of_step(RUN[0]), RUN[0]
    wasted = step.refused + step.behind
    assert step.wasted_words == wasted / trace.batch
    assert step.wasted_time == pytest.approx(1 - trace.step_seconds[trace.stop - wasted] / trace.step_seconds[trace.stop])


def test_on_a_flat_road_wasted_words_cost_no_time():
    flat = replace(RUN[0], step_seconds=tuple(0.01 for _ in RUN[0].step_seconds))
    assert of_step(flat).wasted_time == 0 < of_step(flat).wasted_words


def test_rates_are_total_words_over_total_time():
    total = rates(RUN)
    assert total.measured == pytest.approx(sum(t.got for t in RUN) / sum(t.seconds.step for t in RUN))
    assert total.predicted_each == pytest.approx(total.predicted / 8)
    assert total.off == pytest.approx(RUN[0].theta_off)


def test_one_step_predicts_what_the_plan_predicts():
    one = rates(RUN[:1])
    assert (one.predicted, one.all) == (pytest.approx(RUN[0].theta), pytest.approx(RUN[0].theta_all))


def test_nothing_drafted_leaves_no_rate_for_checking_all():
    assert rates(recording(Settings(policy="off"), steps=2)).all is None


def test_window_does_not_mix_loads():
    engine = FakeEngine(Settings(load=4))
    before = [engine.step() for _ in range(3)]
    engine.change(Settings(load=6))
    after = [engine.step() for _ in range(2)]
    assert window(before + after) == after


def test_window_keeps_the_newest_steps():
    engine = FakeEngine(Settings(load=1))
    steps = [engine.step() for _ in range(WINDOW + 5)]
    assert window(steps) == steps[5:]
