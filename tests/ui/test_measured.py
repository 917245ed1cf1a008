"""Which measured step rate a page draws when no model runs, and whose it says it is."""

from dataclasses import replace

import pytest
import streamlit as st

from expediter.core.profile_file import save_profile
from expediter.ui import measured as module
from expediter.ui.measured import measured
from tests.fakes import PAIRS, profile
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
