"""Which sweep is shown: made here, kept from before, or recorded."""

from dataclasses import replace

import pytest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.sweep import save_sweep
from expediter.core.sweep_store import keep, shipped_path
from expediter.ui import asked, jobs, sweeps
from tests.fake_sweeps import sweep

SETTINGS = Settings(pair=DEFAULT_PAIR, depth=5, temperature=0.8)


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """An empty cache, a folder of recordings, and no job."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sweeps, "shipped_path", lambda name: shipped_path(name, tmp_path))
    monkeypatch.setattr(sweeps, "weights_now", lambda pair: "abc")
    monkeypatch.setattr(jobs, "registry", jobs.Jobs)
    monkeypatch.setattr(asked, "title", str)
    monkeypatch.setattr(asked, "weights_now", lambda pair: "abc")
    sweeps._recorded.clear()
    yield tmp_path
    sweeps._recorded.clear()


def test_without_any_there_is_none():
    assert sweeps.shown_sweep(SETTINGS) is None


def test_the_recorded_one_is_shown_until_there_is_one_of_this_machine(places):
    save_sweep(shipped_path(DEFAULT_PAIR, places), sweep(weights="old"))
    shown = sweeps.shown_sweep(SETTINGS)
    assert (shown.here, shown.other_weights) == (False, True)
    keep(sweep(measured_at="2026-02-02T00:00:00+00:00"))
    shown = sweeps.shown_sweep(SETTINGS)
    assert (shown.here, shown.other_weights, shown.sweep.measured_at[:10]) == (True, False, "2026-02-02")
    assert not sweeps.shown_sweep(replace(SETTINGS, temperature=0.0)).here
    assert not sweeps.shown_sweep(replace(SETTINGS, seed=2)).here


def test_the_deep_recording_is_shown_for_deep_guesses(places):
    save_sweep(shipped_path(DEFAULT_PAIR, places), sweep())
    save_sweep(shipped_path(f"{DEFAULT_PAIR}-deep", places), sweep(depth=8))
    assert sweeps.shown_sweep(replace(SETTINGS, depth=8)).sweep.depth == 8
    assert sweeps.shown_sweep(replace(SETTINGS, depth=3)).sweep.depth == 5


def test_a_damaged_recording_is_left_out(places):
    shipped_path(DEFAULT_PAIR, places).write_text("{")
    assert sweeps.shown_sweep(SETTINGS) is None


def test_a_job_keeps_what_it_found(monkeypatch):
    monkeypatch.setattr(sweeps, "on_pair", lambda name, work: lambda report: work("pair", "profile", report, "turns"))
    monkeypatch.setattr(sweeps, "measure", lambda *given: sweep(measured_at="2026-03-03T00:00:00+00:00"))
    made = sweeps.sweeping(SETTINGS)(lambda done, said: None)
    assert made.measured_at[:10] == "2026-03-03"
    assert sweeps.here(SETTINGS) == made
