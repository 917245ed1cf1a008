"""What the reader's actions do to their run: recorded first, live when the model is there, recorded again when it fails."""

from dataclasses import replace

import pytest

from expediter.core.clock import SIMULATED, SimulatedClock
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.table_reader import read_table
from expediter.core.tables import TABLES, CostTable
from expediter.ui.live import LivePair, Machine, Progress
from expediter.ui.session import Session
from expediter.ui.turns import Turns
from tests.fakes import SECONDS, FakeSource, profile, recording

DEFAULT = Settings()
RUN = recording(DEFAULT, steps=3)


class Desk:
    """A session beside the pairs it looks at, brought up by hand: no threads."""

    def __init__(self, settings: Settings = DEFAULT, own: CostTable | None = None) -> None:
        self.source, turns, self.machine = FakeSource(), Turns(), Machine()
        self.pairs = {name: LivePair(name, self.source, turns, self.machine) for name in (DEFAULT_PAIR, "mini-good")}
        self.session = Session(settings, lambda pair: RUN if pair == DEFAULT_PAIR else (), self.pairs.__getitem__, own=own)

    def ready(self, name: str = DEFAULT_PAIR) -> None:
        pair = self.pairs[name]
        pair.profile, pair.progress = profile("measured here"), Progress("live")

    @property
    def shown(self):
        return self.session.history.shown


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize(("takes", "load"), [(64, 64), (256, 200)])
def test_a_load_that_only_a_gpu_takes_waits_until_the_device_is_known(takes, load):
    desk = Desk(Settings(load=200))
    assert desk.session.settings.load == 64
    desk.machine.widest = takes
    desk.ready()
    desk.session.take_over()
    assert desk.session.settings.load == desk.shown.load == load


def test_what_the_reader_chose_since_counts_more_than_the_address():
    desk = Desk(Settings(load=200))
    desk.session.change(replace(desk.session.settings, load=10))
    desk.machine.widest = 256
    desk.ready()
    desk.session.take_over()
    assert desk.session.settings.load == desk.shown.load == 10


def test_a_recorded_step_is_there_at_once(desk):
    assert desk.shown == RUN[0]
    assert (desk.session.outlook, desk.session.live) == ("loading", False)


def test_the_live_run_takes_over_when_the_reader_has_touched_nothing(desk):
    desk.ready()
    desk.session.take_over()
    assert desk.session.outlook == "live"
    assert desk.session.history.settled


def test_a_reader_in_the_middle_of_the_recording_is_not_interrupted(desk):
    desk.session.act("advance")
    desk.ready()
    desk.session.take_over()
    assert (desk.session.outlook, desk.shown) == ("ready", RUN[1])
    desk.session.act("advance")
    assert desk.session.outlook == "live"


def test_changes_are_kept_for_the_live_run(desk):
    desk.session.act("advance")
    desk.session.change(replace(DEFAULT, load=32))
    assert desk.session.other
    assert desk.shown == RUN[1]
    desk.ready()
    desk.session.take_over()
    assert desk.shown.load == 32
    assert not desk.session.other


def test_a_live_change_plans_and_draws_at_once(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(DEFAULT, load=40, policy="all"))
    assert (desk.shown.load, desk.shown.policy, desk.session.history.settled) == (40, "all", True)


def test_the_same_settings_make_no_step(desk):
    desk.ready()
    desk.session.take_over()
    revision = desk.session.revision
    desk.session.change(replace(DEFAULT))
    assert desk.session.revision == revision


def test_stepping_back_and_forward_makes_no_new_steps(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.act("advance")
    newest = desk.shown
    desk.session.act("back")
    assert desk.shown.step == newest.step - 1
    desk.session.act("advance")
    assert desk.shown is newest


def test_an_earlier_step_with_other_settings_is_told_apart(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(DEFAULT, load=4))
    desk.session.act("back")
    assert desk.session.other
    assert desk.shown.load == 16


def test_reset_begins_the_same_run_again(desk):
    desk.ready()
    desk.session.take_over()
    first = desk.shown
    desk.session.act("advance")
    desk.session.act("reset")
    assert desk.shown == first
    assert not desk.session.history.can_back


def test_no_two_pictures_share_a_revision(desk):
    seen = [desk.session.revision]
    desk.ready()
    actions = ["advance", "advance", "back", "back", "back", "reset", "advance"]
    for action in actions:
        desk.session.act(action)
        seen.append(desk.session.revision)
    desk.session.change(replace(DEFAULT, load=3))
    seen.append(desk.session.revision)
    desk.session.change(replace(DEFAULT, pair="mini-good"))
    seen.append(desk.session.revision)
    assert len(set(seen)) == len(actions) + 3


def test_a_pair_without_a_recording_waits_for_its_model(desk):
    desk.session.change(replace(DEFAULT, pair="mini-good"))
    assert desk.session.history is None
    assert desk.session.outlook == "loading"
    desk.ready("mini-good")
    desk.session.take_over()
    assert desk.shown.pair == "mini-good"


def test_swapping_to_a_loaded_pair_is_live_at_once(desk):
    desk.ready()
    desk.ready("mini-good")
    desk.session.take_over()
    desk.session.change(replace(DEFAULT, pair="mini-good"))
    assert (desk.session.outlook, desk.shown.pair, len(desk.session.history.traces)) == ("live", "mini-good", 1)


def test_a_failing_engine_leaves_the_recorded_run_and_one_sentence(desk):
    desk.ready()
    desk.session.take_over()
    desk.source.engines[-1].fail = True
    desk.session.act("advance")
    assert (desk.session.outlook, desk.shown) == ("failed", RUN[0])
    assert desk.session.problem == "The live run stopped: the dice rolled off the table."
    desk.session.take_over()
    assert not desk.session.live, "it must not fail again by itself"
    desk.session.retry()
    assert desk.session.outlook == "live"


def test_a_new_table_is_used_from_the_next_step_on(desk):
    desk.ready()
    desk.session.take_over()
    desk.pairs[DEFAULT_PAIR].profile = slower = profile("measured here", {b: 2 * s for b, s in SECONDS.items()})
    desk.session.act("advance")
    assert desk.shown.table == slower.fingerprint
    assert len(desk.source.engines) == 1, "the run goes on"


def test_two_readers_do_not_see_each_others_runs():
    desk = Desk()
    other = Session(replace(DEFAULT, load=2), lambda pair: RUN, desk.pairs.__getitem__)
    desk.ready()
    desk.session.take_over()
    other.take_over()
    desk.session.act("advance")
    assert (other.history.shown.load, len(other.history.traces)) == (2, 1)


def test_another_clock_plans_anew_and_says_so(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(DEFAULT, hardware="published-gpu"))
    assert desk.shown.table_source == SIMULATED
    assert desk.shown.table == SimulatedClock(TABLES["published-gpu"]).fingerprint
    assert desk.session.profile is None, "nothing measured stands behind this step"
    assert not desk.session.other
    desk.session.change(DEFAULT)
    assert desk.shown.table_source == "measured here"


def test_a_run_can_begin_on_a_simulated_clock():
    desk = Desk(replace(DEFAULT, hardware="flat"))
    assert desk.session.other, "the recorded step was not planned on it"
    desk.ready()
    desk.session.take_over()
    assert desk.shown.stop == len(desk.shown.order)
    assert not desk.session.other


def test_an_own_table_is_planned_on_and_replaced(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.bring(read_table("batch,ms\n16,10\n96,10"))
    assert desk.shown.table_source != SIMULATED, "bringing a table chooses nothing"
    desk.session.change(replace(DEFAULT, hardware="own"))
    assert desk.shown.stop == len(desk.shown.order)
    desk.session.bring(read_table("batch,ms\n16,10\n96,1000"))
    assert desk.shown.stop == 0
    assert not desk.session.other


def test_a_link_to_somebody_elses_own_table_falls_back_to_this_machine():
    desk = Desk(replace(DEFAULT, hardware="own"))
    assert desk.session.settings.hardware == "here"
    assert desk.session.missed_own
    desk.session.change(replace(DEFAULT, load=8))
    assert not desk.session.missed_own


def test_a_new_measurement_does_not_disturb_a_simulated_clock(desk):
    desk.ready()
    desk.session.take_over()
    desk.session.change(replace(DEFAULT, hardware="smooth"))
    desk.pairs[DEFAULT_PAIR].profile = profile("measured here", {1: 0.02, 384: 0.2})
    desk.session.act("advance")
    assert desk.shown.table_source == SIMULATED
