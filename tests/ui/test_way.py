"""From a link to its moment: out of the recording, or replayed on the same table, or on this machine's, which is said."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from expediter.core.clock import SimulatedClock
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.tables import TABLES
from expediter.ui.live import LivePair, Progress
from expediter.ui.moment import LAST, Moment
from expediter.ui.session import Session
from expediter.ui.turns import Turns
from expediter.ui.wording import remarks, state_sentence
from tests.fakes import FakeEngine, FakeSource, profile, recording

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "loading_dock.json").read_text(encoding="utf-8"))
DEFAULT = Settings()
RUN = recording(DEFAULT, steps=4)
HERE, THERE = profile("measured here"), profile("measured here", {1: 0.02, 384: 0.3})
ELSEWHERE = "0a1b2c3d4e5f"


class Guest:
    """A reader who opens a link beside pairs that are brought up by hand."""

    def __init__(self, moment: Moment | None, settings: Settings = DEFAULT, recorded: tuple = RUN) -> None:
        self.source = FakeSource()
        self.pair = LivePair(DEFAULT_PAIR, self.source, Turns())
        self.session = Session(settings, lambda pair: recorded, lambda name: self.pair, moment)

    def arrive(self, *known) -> None:
        """The pair is loaded, with these tables, the newest last; the replay runs to its end."""
        self.pair.tables = {table.fingerprint: table for table in (*known, HERE)}
        self.pair.profile, self.pair.progress = HERE, Progress("live")
        self.session.take_over()
        while self.session.way.journey:
            self.session.travel(0.01)

    @property
    def shown(self):
        return self.session.history.shown

    @property
    def said(self) -> str:
        return " ".join(remarks(self.session, TEXT))


def test_a_recorded_moment_is_there_at_once():
    guest = Guest(Moment(3, RUN[2].table))
    assert guest.shown == RUN[2]
    assert not guest.session.way.awaited
    assert guest.said == ""
    guest.arrive()
    assert guest.shown == RUN[2], "the live run waits for the reader's next step"


@pytest.mark.parametrize(
    ("moment", "settings"),
    [
        (Moment(9, RUN[0].table), DEFAULT),
        (Moment(3, ELSEWHERE), DEFAULT),
        (Moment(3, RUN[0].table), replace(DEFAULT, seed=2)),
        (Moment(3), replace(DEFAULT, hardware="published-gpu")),
    ],
)
def test_any_other_moment_is_awaited(moment, settings):
    guest = Guest(moment, settings)
    assert guest.session.way.awaited
    assert guest.shown == RUN[0]
    assert "is replayed as soon as the model is ready" in guest.said
    assert "Your settings are kept" not in guest.said


def test_the_same_table_replays_the_same_step():
    engine = FakeEngine(DEFAULT, HERE)
    sender = [engine.step() for _ in range(9)]
    guest = Guest(Moment(9, HERE.fingerprint))
    guest.arrive()
    assert guest.shown == sender[8]
    assert guest.said == ""
    assert (guest.session.outlook, guest.session.live) == ("live", True)
    guest.session.act("back")
    assert guest.shown == sender[7], "the way there can be walked back"


def test_another_table_is_told_in_one_sentence():
    guest = Guest(Moment(9, ELSEWHERE))
    guest.arrive()
    assert guest.shown.step == 8
    assert guest.said.count("fingerprint") == 1
    assert ELSEWHERE in guest.said
    assert HERE.fingerprint in guest.said
    guest.session.act("advance")
    assert guest.said == ""


def test_an_earlier_table_of_this_machine_is_taken_again():
    guest = Guest(Moment(6, THERE.fingerprint))
    guest.arrive(THERE)
    assert guest.shown.table == THERE.fingerprint
    assert guest.said == ""
    guest.session.act("advance")
    assert guest.shown.table == THERE.fingerprint, "the run goes on as it began"
    guest.session.act("reset")
    assert guest.shown.table == HERE.fingerprint


def test_a_simulated_clock_is_the_same_everywhere():
    clock = SimulatedClock(TABLES["staircase"])
    guest = Guest(Moment(5, clock.fingerprint), replace(DEFAULT, hardware="staircase"))
    guest.arrive(THERE)
    assert guest.shown.table == clock.fingerprint
    assert "fingerprint" not in guest.said


def test_a_link_beyond_the_last_step_is_clamped_and_says_so():
    guest = Guest(Moment(5 * LAST, HERE.fingerprint))
    assert f"asks for step {5 * LAST}" in guest.said
    guest.arrive()
    assert guest.shown.step + 1 == LAST
    assert f"no more than {LAST} steps" in guest.said


def test_the_way_is_shown_and_can_be_left():
    guest = Guest(Moment(100, HERE.fingerprint))
    guest.pair.tables, guest.pair.profile, guest.pair.progress = {}, HERE, Progress("live")
    guest.session.take_over()
    guest.session.travel(0)
    assert guest.session.outlook == "replaying"
    assert "up to step 100: 1 done" in state_sentence(guest.session, TEXT)
    assert guest.session.unsettled
    guest.session.act("advance")
    assert guest.shown == RUN[1], "the recording can be stepped through meanwhile"
    guest.session.change(replace(DEFAULT, load=4))
    assert guest.session.way.journey is None
    assert (guest.session.outlook, guest.shown.load, guest.shown.step) == ("live", 4, 0)
    assert guest.said == ""


def test_a_replay_that_fails_leaves_the_recording():
    guest = Guest(Moment(100))
    guest.pair.profile, guest.pair.progress = HERE, Progress("live")
    guest.session.take_over()
    guest.source.engines[0].fail = True
    guest.session.travel(1)
    assert guest.session.outlook == "failed"
    assert "the dice rolled off the table" in state_sentence(guest.session, TEXT)
    assert guest.shown == RUN[0]
    assert guest.said == ""


def test_a_pair_without_a_recording_goes_straight_to_the_moment():
    guest = Guest(Moment(3), recorded=())
    guest.arrive()
    assert guest.shown.step == 2


def test_an_ordinary_address_changes_nothing():
    guest = Guest(None)
    guest.arrive()
    assert (guest.shown.step, guest.session.history.live) == (0, True)
