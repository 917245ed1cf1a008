"""A simulated clock stands in for a measured profile and never passes for one."""

from dataclasses import replace

import numpy as np
import pytest

from expediter.core.clock import SIMULATED, SimulatedClock
from expediter.core.policy import Policy
from expediter.core.profile import SOURCES, margin_uncertain
from expediter.core.scheduler import schedule
from expediter.core.tables import TABLES

CLOCK = SimulatedClock(TABLES["published-gpu"])


def test_it_says_what_it_is():
    assert CLOCK.source == SIMULATED
    assert SIMULATED in SOURCES
    assert CLOCK.noise(16) == 0.0


def test_the_table_is_exact_and_never_smoothed():
    rate = CLOCK.step_rate(8, 64, 5)
    assert rate.lookup == "ceil"
    assert 1 / rate.verify_seconds(np.array(TABLES["published-gpu"].batch)) == pytest.approx(
        [87.79, 71.18, 67.71, 58.52, 51.29, 40.33, 23.72]
    )
    assert rate.verify_seconds(49) == rate.verify_seconds(96)


def test_drafting_time_counts_only_where_something_is_drafted():
    clock = SimulatedClock(replace(TABLES["smooth"], draft_seconds=0.004))
    assert clock.step_rate(8, 64, 5).draft_seconds == 0.004
    assert clock.step_rate(8, 64, 0).draft_seconds == 0.0


def test_the_fingerprint_is_of_the_numbers_alone():
    table = TABLES["smooth"]
    same = SimulatedClock(replace(table, name="own", title="Mine", source="Elsewhere.")).fingerprint
    assert same == SimulatedClock(table).fingerprint
    assert len({SimulatedClock(t).fingerprint for t in (*TABLES.values(), replace(table, lookup="floor"))}) == len(TABLES) + 1
    assert len(same) == 12


def test_a_stop_on_an_exact_table_is_never_called_uncertain():
    rate = TABLES["staircase"].step_rate(16)
    plan = schedule([[0.9, 0.8, 0.7, 0.6, 0.5]] * 16, rate, Policy())
    assert plan.margin < 0, "stopped at the dip, below sending everything"
    assert not margin_uncertain(plan, CLOCK.noise(16))
    assert margin_uncertain(plan, 0.01)
