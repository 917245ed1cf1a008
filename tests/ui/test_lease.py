"""Unloading a pair: the memory comes free whoever looks, and every reader goes back to the recorded run until it is loaded again."""

import gc
import time
import weakref
from dataclasses import replace

import pytest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui.lease import Lease, TakenBack
from expediter.ui.live import LivePair
from expediter.ui.moment import Moment
from expediter.ui.session import Session
from expediter.ui.turns import Turns
from tests.fakes import FakeEngine, FakeSource, profile, recording
from tests.ui.test_live import settle

DEFAULT = Settings()
RUN = recording(DEFAULT, steps=3)


class Forgetful(FakeSource):
    """Keeps no list of its engines, and knows when each is gone."""

    def engine(self, pair, settings, profile) -> FakeEngine:
        made = FakeEngine(settings, profile)
        self.engines.append(weakref.ref(made))
        return made


@pytest.fixture
def pair() -> LivePair:
    """A loaded pair."""
    made = LivePair(DEFAULT_PAIR, Forgetful(), Turns())
    made.start()
    settle(made)
    return made


def reader(pair: LivePair, moment: Moment | None = None) -> Session:
    """Somebody who watches it live, or is on the way."""
    session = Session(DEFAULT, lambda name: RUN, lambda name: pair, moment)
    session.take_over()
    return session


def test_a_lease_is_the_engine_until_it_is_taken_back():
    lease = Lease(FakeEngine(DEFAULT))
    lease.change(replace(DEFAULT, load=3))
    lease.adopt(profile("measured here"))
    assert (lease.step().load, lease.over) == (3, False)
    lease.take_back()
    assert lease.over
    for use in (lease.step, lambda: lease.change(DEFAULT), lambda: lease.adopt(profile())):
        with pytest.raises(TakenBack):
            use()


def test_unloading_frees_every_readers_engine(pair):
    readers = [reader(pair), reader(pair)]
    engines = pair._source.engines
    assert all(engine() is not None for engine in engines)
    pair.unload()
    gc.collect()
    assert [engine() for engine in engines] == [None, None]
    assert (pair.progress.state, pair.pair) == ("idle", None)
    assert pair.profile is not None, "what was measured stays known"
    assert not any(reader.live for reader in readers)


@pytest.mark.parametrize("act", [lambda s: s.act("advance"), lambda s: s.act("back"), lambda s: s.act("reset"), lambda s: s.take_over()])
def test_a_reader_whose_pair_was_unloaded_sees_the_recorded_run_until_it_is_loaded_again(pair, act):
    session = reader(pair)
    session.act("advance")
    pair.unload()
    act(session)
    assert (session.outlook, session.history.shown, session.problem) == ("loading", RUN[0], "")
    pair.start()
    settle(pair)
    session.take_over()
    assert (session.outlook, session.history.shown.step) == ("live", 0)


def test_other_settings_of_an_unloaded_pair_wait_for_it(pair):
    session = reader(pair)
    pair.unload()
    session.change(replace(DEFAULT, load=4))
    assert (session.outlook, session.other) == ("loading", True)
    pair.start()
    settle(pair)
    session.take_over()
    assert session.history.shown.load == 4


def test_a_replay_whose_pair_is_unloaded_begins_anew(pair):
    session = reader(pair, Moment(50))
    session.travel(0)
    assert session.outlook == "replaying"
    pair.unload()
    session.travel(0)
    assert (session.outlook, session.way.awaited) == ("loading", True)
    pair.start()
    settle(pair)
    session.take_over()
    session.travel(9)
    assert session.history.shown.step == 49


def test_a_pair_that_is_not_loaded_lends_nothing_and_has_nothing_to_unload(pair):
    pair.unload()
    pair.unload()
    with pytest.raises(TakenBack):
        pair.engine(DEFAULT)
    assert pair.progress.state == "idle"


def test_a_failed_pair_is_idle_again_once_it_is_unloaded():
    pair = LivePair(DEFAULT_PAIR, FakeSource(problem="no"), Turns())
    pair.start()
    settle(pair)
    pair.unload()
    assert pair.progress.state == "idle"


def test_a_forgotten_pair_knows_no_table(pair):
    pair.forget()
    assert (pair.progress.state, pair.profile, pair.tables) == ("idle", None, {})


def test_unloading_ends_the_measurement_of_its_step_rate():
    pair = LivePair(DEFAULT_PAIR, FakeSource(measure_seconds=5.0, shipped=profile("recorded on another machine")), Turns())
    pair.start()
    while pair.progress.measured is None:
        time.sleep(0.01)
    pair.unload()
    assert pair.progress.state == "idle"
    settle(pair)
    assert (pair.progress.state, pair.profile.source) == ("idle", "recorded on another machine")


def test_measuring_again_replaces_the_table(pair):
    old, told = pair.profile, []
    pair.measure_again(told.append)
    assert pair.profile.fingerprint != old.fingerprint
    assert set(pair.tables) == {old.fingerprint, pair.profile.fingerprint}
    assert told[-1] == 1.0


def test_a_measurement_that_its_reader_cancels_keeps_the_old_table(pair):
    old = pair.profile
    with pytest.raises(KeyboardInterrupt):
        pair.measure_again(lambda share: (_ for _ in ()).throw(KeyboardInterrupt))
    assert pair.profile is old
    with pair.turns:
        pass
