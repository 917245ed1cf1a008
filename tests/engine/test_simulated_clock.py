"""Real words on somebody else's step times: the engine takes a simulated clock where it takes a measured profile."""

import pytest

from expediter.core.clock import SIMULATED, SimulatedClock
from expediter.core.settings import Settings
from expediter.core.table_reader import read_table
from expediter.core.tables import TABLES
from expediter.engine.loop import Engine
from tests.engine import tiny

SETTINGS = Settings(pair="tiny", load=6, depth=4, temperature=0.8, seed=2)


def test_the_engine_plans_by_the_table_and_labels_the_step():
    run = Engine(tiny.pair(), SETTINGS, tiny.rising())
    clock = SimulatedClock(TABLES["published-gpu"])
    run.adopt(clock)
    trace = run.step()
    assert (trace.table_source, trace.table, trace.uncertain) == (SIMULATED, clock.fingerprint, False)
    assert trace.step_seconds[0] == pytest.approx(1 / 87.79)
    assert trace.theta_off == pytest.approx(6 * 87.79)


def test_the_clock_decides_how_much_is_sent_and_never_what_passes():
    dear, cheap = (Engine(tiny.pair(), SETTINGS, SimulatedClock(read_table(f"batch,ms\n6,10\n30,{last}"))).step() for last in (10_000, 10))
    assert dear.stop == 0
    assert cheap.stop == len(cheap.order)
    assert [r.drafts for r in dear.requests] == [r.drafts for r in cheap.requests]
