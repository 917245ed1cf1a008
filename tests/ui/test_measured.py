"""Which measured step rate a page draws when no model runs, and whose it says it is."""

import os
from dataclasses import replace

import pytest
import streamlit as st

from expediter.core import cache
from expediter.core.profile_file import save_profile
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import live
from expediter.ui import measured as module
from expediter.ui.measured import kept_here, known, measured
from tests.fakes import PAIRS, SECONDS, FakeSource, profile
from tests.ui.test_session import Desk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the default pair lies."""
    monkeypatch.setattr(module, "known_pairs", lambda: (replace(PAIRS[0], folder=tmp_path),))
    st.cache_resource.clear()
    yield tmp_path
    st.cache_resource.clear()


def test_a_shipped_table_is_never_called_measured_here(folder):
    save_profile(profile("measured here"), folder / "step_rate.json")
    assert measured(Desk().session).source == "recorded on another machine"


def test_the_running_pairs_own_table_comes_first(folder):
    save_profile(profile("measured here"), folder / "step_rate.json")
    desk = Desk()
    desk.ready()
    assert measured(desk.session).source == "measured here"


def test_a_pair_without_a_readable_table_has_none(folder):
    (folder / "step_rate.json").write_text("{")
    assert measured(Desk().session) is None


@pytest.fixture
def idle(monkeypatch, tmp_path):
    """No pair is loaded, and a cache of its own."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(live, "source", FakeSource)


def other(seconds: float):
    return profile("measured here", {size: seconds + took for size, took in SECONDS.items()})


def test_what_was_measured_here_before_comes_before_what_is_recorded(folder, idle):
    save_profile(profile("measured here"), folder / "step_rate.json")
    assert known(DEFAULT_PAIR).source == "recorded on another machine"
    save_profile(old := other(0.1), cache.file("profiles", DEFAULT_PAIR, "cpu", "float32", "2-threads", f"{os.cpu_count()}-cores"))
    assert known(DEFAULT_PAIR).fingerprint == old.fingerprint
    save_profile(new := other(0.2), cache.file("profiles", DEFAULT_PAIR, "cuda", "float32", "1-threads", f"{os.cpu_count()}-cores"))
    os.utime(cache.folder() / "profiles" / f"{DEFAULT_PAIR}_cpu_float32_2-threads_{os.cpu_count()}-cores.json", (1, 1))
    assert known(DEFAULT_PAIR).fingerprint == new.fingerprint, "the newest"
    live_pair = live.live_pair(DEFAULT_PAIR)
    live_pair.profile = running = other(0.3)
    assert known(DEFAULT_PAIR) is running


def test_an_own_pairs_table_lies_with_the_pair(idle):
    save_profile(mine := other(0.1), cache.file("pairs/mine", "profile", "cpu", "float32", "2-threads", f"{os.cpu_count()}-cores"))
    assert kept_here("mine").fingerprint == mine.fingerprint
    assert kept_here("min") is None


@pytest.mark.parametrize("cores", ["999-cores", "here"])
def test_a_table_of_another_machine_or_a_damaged_one_is_none(idle, cores):
    path = cache.file("profiles", DEFAULT_PAIR, "cpu", "float32", "2-threads", f"{os.cpu_count()}-cores" if cores == "here" else cores)
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert kept_here(DEFAULT_PAIR) is None
