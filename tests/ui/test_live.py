"""Bringing a pair up in the background, and taking turns at the one processor."""

import time
from dataclasses import replace

import pytest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui.live import LivePair, Machine, Progress
from expediter.ui.session import Session
from expediter.ui.turns import Turns
from tests.fakes import FakeSource, profile


def brought(source: FakeSource) -> LivePair:
    """A pair whose background thread has finished."""
    pair = LivePair(DEFAULT_PAIR, source, Turns())
    pair.start()
    settle(pair)
    return pair


def settle(pair: LivePair) -> None:
    """Wait until nothing goes on any more."""
    end = time.monotonic() + 5
    while pair.progress.state == "loading" or pair.progress.measured is not None:
        assert time.monotonic() < end, "the background thread did not finish"
        time.sleep(0.01)


def test_nothing_is_loaded_before_it_is_asked_for():
    assert LivePair(DEFAULT_PAIR, FakeSource(problem="do not"), Turns()).progress.state == "idle"


def test_the_first_loaded_pair_tells_what_the_machine_takes():
    machine = Machine()
    pair = LivePair(DEFAULT_PAIR, FakeSource(kind="cuda"), Turns(), machine)
    other = LivePair("mini-good", FakeSource(kind="cuda"), Turns(), machine)
    assert (pair.widest, other.widest) == (64, 64)
    pair.start()
    settle(pair)
    assert (pair.widest, other.widest) == (256, 256)
    assert brought(FakeSource()).widest == 64


def test_a_table_measured_here_before_is_not_measured_again():
    pair = brought(FakeSource())
    assert (pair.progress.state, pair.profile.source) == ("live", "measured here")


def test_a_shipped_table_serves_until_this_machine_is_measured():
    source = FakeSource(measure_seconds=0.3, shipped=profile("recorded on another machine"))
    pair = LivePair(DEFAULT_PAIR, source, Turns())
    pair.start()
    seen = set()
    end = time.monotonic() + 5
    while pair.progress.state != "live" or pair.progress.measured is not None:
        assert time.monotonic() < end
        if pair.progress.state == "live":
            seen.add(pair.profile.source)
        time.sleep(0.01)
    assert seen == {"recorded on another machine"}
    assert pair.profile.source == "measured here"


def test_a_broken_pair_says_so_and_can_be_tried_again():
    source = FakeSource(problem="pocket/model.safetensors is missing: restore the folder")
    pair = brought(source)
    assert pair.progress.state == "failed"
    assert pair.progress.problem == "The pair could not be loaded: pocket/model.safetensors is missing: restore the folder."
    source.problem = ""
    pair.start()
    assert pair.progress.state == "failed", "not by itself: it would fail for ever"
    pair.start(again=True)
    settle(pair)
    assert pair.progress.state == "live"


def test_a_failed_measurement_leaves_the_pair_live(monkeypatch):
    source = FakeSource(shipped=profile("recorded on another machine"))
    monkeypatch.setattr(source, "measure", lambda *rest: 1 / 0, raising=False)
    pair = brought(source)
    assert (pair.progress.state, pair.profile.source) == ("live", "recorded on another machine")
    assert "could not be measured" in pair.progress.problem


def test_a_table_that_cannot_be_kept_serves_this_run_and_says_so():
    source = FakeSource(shipped=profile("recorded on another machine"), unkept="No space left: free some.")
    pair = brought(source)
    assert (pair.progress.state, pair.profile.source) == ("live", "measured here")
    assert pair.progress.problem == "No space left: free some."
    source.unkept = ""
    pair.measure_again(lambda share: None)
    assert pair.progress == Progress("live")


@pytest.mark.parametrize("origin", ["measured here", "recorded on another machine"])
def test_neither_another_reader_nor_a_dragged_load_measures_again(monkeypatch, origin):
    source, measured = FakeSource(shipped=profile(origin)), []
    measure = source.measure
    monkeypatch.setattr(source, "measure", lambda *rest: measured.append(1) or measure(*rest), raising=False)
    pair = brought(source)
    for _ in range(2):
        session = Session(Settings(), lambda name: (), lambda name: pair)
        session.take_over()
        for load in (1, 64, 17):
            session.change(replace(session.settings, load=load))
            session.act("advance")
        pair.start()
        settle(pair)
    assert session.live
    assert len(measured) == (origin != "measured here")


def test_readers_share_the_pair_but_no_engine():
    pair = brought(FakeSource())
    mine, theirs = pair.engine(Settings()), pair.engine(replace(Settings(), load=4))
    assert mine is not theirs
    assert (mine.step().load, theirs.step().load) == (16, 4)


def test_while_it_loads_it_tells_what_it_does_and_since_when():
    seen = []

    class Telling(FakeSource):
        def prepare(self):
            seen.append(pair.progress.step)

        def load(self, name):
            seen.append(pair.progress.step)
            return name

        def profile(self, loaded):
            seen.append(pair.progress.step)
            return super().profile(loaded)

    pair, before = LivePair(DEFAULT_PAIR, Telling(), Turns()), time.monotonic()
    pair.start()
    since = pair.progress.since
    settle(pair)
    assert seen == ["libraries", "weights", "table"]
    assert pair.progress == Progress("live")
    assert since == 0.0 or before <= since <= time.monotonic()
