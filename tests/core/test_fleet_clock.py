"""Step times beyond what was measured."""

import pytest

from expediter.core.fleet_clock import Stretched
from tests.fakes import profile


def test_within_the_measured_crowds_it_is_the_profile():
    table = profile().at(0.0)
    here, there = Stretched(table).step_rate(16, 72, 5), table.step_rate(16, 72, 5)
    assert here.step_seconds(48) == there.step_seconds(48)


def test_beyond_them_a_step_of_twice_the_crowd_takes_twice_as_long():
    clock = Stretched(profile().at(0.0))
    assert clock.largest == 64
    once, twice = clock.step_rate(640, 72, 5), clock.step_rate(1280, 72, 5)
    assert twice.draft_seconds == pytest.approx(2 * once.draft_seconds)
    assert twice.step_seconds(2560) == pytest.approx(2 * once.step_seconds(1280))
