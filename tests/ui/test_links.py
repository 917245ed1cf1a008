"""The link to what is on screen leads back to it, or says why it cannot."""

from dataclasses import replace

import pytest

from expediter.core.clock import SimulatedClock
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.table_reader import read_table
from expediter.ui import address
from expediter.ui.history import History
from expediter.ui.links import clock_of, link, origin
from expediter.ui.moment import LAST, Moment, asked
from tests.ui.test_session import DEFAULT, RUN, Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()


def settings_in(query: dict[str, str]) -> Settings:
    return address.parse(query, (DEFAULT_PAIR, "mini-good"), lambda pair: 8)


def go_live(desk: Desk, steps: int = 1) -> None:
    desk.ready()
    desk.session.take_over()
    for _ in range(steps - 1):
        desk.session.act("advance")


def test_a_recorded_step_is_linked_with_its_own_settings(desk):
    desk.session.act("advance")
    desk.session.change(replace(DEFAULT, load=40))
    made = link(desk.session)
    assert settings_in(made.query) == DEFAULT, "the controls already ask for another run"
    assert asked(made.query) == Moment(2, RUN[1].table)
    assert "recorded" in made.says


def test_a_live_step_is_linked_with_its_table(desk):
    go_live(desk, steps=3)
    made = link(desk.session)
    assert asked(made.query) == Moment(3, desk.shown.table)
    assert "another step rate" in made.says


def test_a_run_that_changed_on_the_way_gives_its_settings_only(desk):
    go_live(desk, steps=2)
    desk.session.change(replace(DEFAULT, load=8))
    made = link(desk.session)
    assert asked(made.query) is None
    assert settings_in(made.query).load == 8
    assert "changed its settings" in made.says
    desk.session.act("back")
    assert asked(link(desk.session).query) == Moment(2, desk.shown.table), "the steps before the change can still be linked"
    desk.session.act("reset")
    assert asked(link(desk.session).query) == Moment(1, desk.shown.table)


def test_a_table_that_arrives_within_the_run_counts_as_a_change(desk):
    go_live(desk)
    desk.session.change(replace(DEFAULT, hardware="smooth"))
    assert asked(link(desk.session).query) is None


def test_a_simulated_clock_is_named(desk):
    desk.session.change(replace(DEFAULT, hardware="staircase"))
    go_live(desk)
    made = link(desk.session)
    assert settings_in(made.query).hardware == "staircase"
    assert asked(made.query).table == desk.shown.table
    assert "any machine" in made.says


def test_a_table_of_the_readers_own_is_named_for_this_machine(desk):
    desk.session.bring(read_table("batch,ms\n16,10\n96,20"))
    desk.session.change(replace(DEFAULT, hardware="own"))
    go_live(desk)
    made = link(desk.session)
    assert clock_of(desk.shown) == settings_in(made.query).hardware == "own"
    assert asked(made.query) == Moment(1, desk.shown.table)
    assert made.query["own"] == desk.shown.table
    assert "on this machine" in made.says


def test_a_late_step_is_not_promised(desk):
    go_live(desk)
    late = replace(desk.shown, step=LAST)
    desk.session.history = History((late,), live=True)
    made = link(desk.session)
    assert asked(made.query) is None
    assert f"at most {LAST} steps" in made.says


def test_the_origin_names_machine_table_and_seed():
    said = origin(RUN[2])
    for part in ("Step 3", RUN[2].machine, RUN[2].table, "seed 1", "16 requests"):
        assert part in said


def test_a_table_that_the_address_names_is_there_from_the_beginning():
    table = read_table("batch,ms\n16,10\n96,1000")
    desk = Desk(replace(DEFAULT, hardware="own"), table)
    assert not desk.session.missed_own
    desk.ready()
    desk.session.take_over()
    assert desk.shown.table == SimulatedClock(table).fingerprint
    assert desk.shown.stop == 0
