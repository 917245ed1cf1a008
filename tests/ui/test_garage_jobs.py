"""The Garage's jobs: what they do to a pair and its folder, and that the command line's functions do the work."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from expediter.core.calibration import Calibration
from expediter.core.pairs import MODELS
from expediter.core.settings import DEFAULT_PAIR
from expediter.engine import fetch, own_pairs, quick_calibrate
from expediter.engine.calibration_store import kept_aside, read_calibration, read_figures, write_calibration
from expediter.ui import garage_jobs as jobs
from expediter.ui import live
from expediter.ui.job import Cancelled
from tests.fakes import PAIRS, FakeSource, profile
from tests.ui.test_live import settle

TEXT = {"unload": "u", "profile": "{done}", "calibrate": "{what}", "calibrate_load": "l", "put_back": "p", "remove": "r"}


@pytest.fixture
def source(monkeypatch, tmp_path) -> FakeSource:
    """Dice for every pair, and a cache of its own."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    dice = FakeSource()
    monkeypatch.setattr(live, "source", lambda: dice)
    st.cache_resource.clear()
    yield dice
    st.cache_resource.clear()


@pytest.fixture
def loaded(source) -> live.LivePair:
    """The default pair, in memory."""
    pair = live.live_pair(DEFAULT_PAIR)
    pair.start()
    settle(pair)
    return pair


def ignore(share: float, sentence: str) -> None:
    """A reader who does not look."""


def some(bias: float) -> Calibration:
    return Calibration(np.array([0.0]), np.ones((1, 3)), np.array([bias]), np.ones((1, 2)))


@pytest.fixture
def shipped(monkeypatch, tmp_path) -> Path:
    """A pair's folder that counts as shipped, with its calibration."""
    monkeypatch.setattr(jobs, "MODELS", tmp_path / "models")
    folder = tmp_path / "models" / "pairs" / DEFAULT_PAIR
    write_calibration(folder, some(1.0), {"seed": 1})
    return folder


def test_unloading_leaves_nothing_loaded(loaded):
    jobs.unloading(DEFAULT_PAIR, TEXT)(ignore)
    assert loaded.progress.state == "idle"


def test_a_pair_that_was_never_measured_is_measured_once(source):
    source.shipped, calls = profile("recorded on another machine"), []
    measure = source.measure
    source.measure = lambda *given: calls.append(1) or measure(*given)
    jobs.profiling(DEFAULT_PAIR, TEXT)(ignore)
    assert (len(calls), live.live_pair(DEFAULT_PAIR).profile.source) == (1, "measured here")


def test_a_measured_pair_is_measured_again_with_progress(loaded):
    told = []
    old = loaded.profile
    jobs.profiling(DEFAULT_PAIR, TEXT)(lambda share, sentence: told.append(sentence))
    assert loaded.profile is not old
    assert told[-1] == "100"


def test_a_calibration_uses_the_loaded_pair_keeps_the_shipped_one_and_lets_the_next_load_read_the_new(loaded, shipped, monkeypatch):
    seen = []

    def fit(pair, prompts, report, lock):
        report(0.5, "temperature 0")
        seen.append((pair, len(prompts) > 100, lock is loaded.turns))
        return some(2.0), {"seed": 2, "temperatures": {}}

    monkeypatch.setattr(quick_calibrate, "quick_calibrate", fit)
    told = []
    jobs.calibrating(replace(PAIRS[0], folder=shipped), TEXT)(lambda share, sentence: told.append(sentence))
    assert seen == [(DEFAULT_PAIR, True, True)]
    assert "temperature 0" in told
    assert (read_calibration(shipped).bias[0], read_figures(shipped)["prompts_of"]) == (2.0, "workloads")
    assert loaded.progress.state == "idle"
    assert kept_aside(shipped)
    jobs.putting_back(replace(PAIRS[0], folder=shipped), TEXT)(ignore)
    assert (read_calibration(shipped).bias[0], kept_aside(shipped)) == (1.0, False)


def test_a_cancelled_calibration_changes_nothing(loaded, shipped, monkeypatch):
    def fit(pair, prompts, report, lock):
        report(0.5, "temperature 0")

    def cancel(share, sentence):
        if share:
            raise Cancelled

    monkeypatch.setattr(quick_calibrate, "quick_calibrate", fit)
    with pytest.raises(Cancelled):
        jobs.calibrating(replace(PAIRS[0], folder=shipped), TEXT)(cancel)
    assert (read_calibration(shipped).bias[0], kept_aside(shipped), loaded.progress.state) == (1.0, False, "live")


def test_an_own_pairs_calibration_is_simply_replaced(loaded, tmp_path, monkeypatch):
    monkeypatch.setattr(quick_calibrate, "quick_calibrate", lambda *given: (some(3.0), {}))
    jobs.calibrating(replace(PAIRS[0], folder=tmp_path / "mine"), TEXT)(ignore)
    assert read_calibration(tmp_path / "mine").bias[0] == 3.0
    assert not kept_aside(tmp_path / "mine")


def test_fetch_add_and_remove_are_the_commands_own(loaded, monkeypatch):
    asked = []
    monkeypatch.setattr(fetch, "fetch", lambda name, report: asked.append(("fetch", name)))
    monkeypatch.setattr(own_pairs, "add", lambda *given: asked.append(("add", *given[:3], given[4] is loaded.turns)) or PAIRS[0])
    monkeypatch.setattr(own_pairs, "remove", lambda name: asked.append(("remove", name)))
    jobs.fetching("smollm2-135m")(ignore)
    assert jobs.adding("a", "b", None)(ignore) is PAIRS[0]
    jobs.removing(PAIRS[0], TEXT)(ignore)
    assert asked == [("fetch", "smollm2-135m"), ("add", "a", "b", None, True), ("remove", DEFAULT_PAIR)]
    assert (loaded.progress.state, loaded.profile) == ("idle", None), "another pair may get its name"


def test_shipped_is_what_lies_in_the_projects_folder():
    assert jobs.shipped(replace(PAIRS[0], folder=MODELS / "pairs" / "x"))
    assert not jobs.shipped(PAIRS[0])
