"""Jobs that wait for a pair."""

import pytest

from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import pair_job
from expediter.ui.job import Asked, Job
from expediter.ui.live import LivePair
from expediter.ui.pair_job import on_pair
from expediter.ui.turns import Turns
from tests.fakes import FakeSource, profile


@pytest.fixture
def holder(monkeypatch):
    """The pair that on_pair finds, still to be loaded."""

    def make(**how) -> LivePair:
        made = LivePair(DEFAULT_PAIR, FakeSource(**how), Turns())
        monkeypatch.setattr(pair_job, "live_pair", lambda name: made)
        return made

    return make


def ended(work) -> Job:
    job = Job(work, Asked("work"))
    job.join(5)
    assert not job.running
    return job


def test_work_gets_the_loaded_pair_its_measured_table_and_the_lock(holder):
    pair = holder(measure_seconds=0.3, shipped=profile("recorded on another machine"))
    job = ended(on_pair(DEFAULT_PAIR, lambda *given: given))
    loaded, table, _, turns = job.result
    assert loaded is pair.pair
    assert table.source == "measured here"
    assert turns is pair.turns


def test_work_that_needs_no_table_does_not_wait_for_one(holder):
    holder(measure_seconds=2.0, shipped=profile("recorded on another machine"))
    job = ended(on_pair(DEFAULT_PAIR, lambda pair, table, report, turns: table.source, profiled=False))
    assert job.result == "recorded on another machine"


def test_a_pair_that_cannot_be_loaded_fails_with_the_dock_s_sentence(holder):
    holder(problem="pocket/model.safetensors is missing: restore the folder")
    job = ended(on_pair(DEFAULT_PAIR, lambda *given: given))
    assert (job.state, job.progress.problem) == (
        "failed",
        "The pair could not be loaded: pocket/model.safetensors is missing: restore the folder.",
    )
