"""The story's page, without a browser: what it says with and without recordings. Motion needs the browser tests."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import reader, recordings
from tests.fakes import PAIRS, recording

PAGE = Path(__file__).parents[2] / "pages" / "the-story.py"
RUNS = {DEFAULT_PAIR: recording(Settings()), "rush-hour": recording(Settings(load=64))}


@pytest.fixture
def runs(monkeypatch) -> dict:
    """The recordings that the page finds; a test may take some away."""
    there = dict(RUNS)
    monkeypatch.setattr(recordings, "recorded", lambda name: there.get(name, ()))
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    st.cache_resource.clear()
    yield there
    st.cache_resource.clear()


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=20)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_the_story_is_told_from_the_recorded_run(runs):
    app = opened(scene="4")
    assert not app.exception
    assert app.title[0].value == "The story"
    assert "no recorded run" not in text(app)


def test_a_missing_recording_is_one_plain_sentence(runs):
    runs.clear()
    app = opened()
    assert not app.exception
    assert "There is no recorded run to tell the story with. Make one with" in text(app)


def test_a_missing_rush_hour_does_not_stop_the_story(runs):
    del runs["rush-hour"]
    app = opened(scene="8")
    assert not app.exception
    assert "no recorded run" not in text(app)


@pytest.mark.parametrize("scene", ["0", "99", "<b>", "nan"])
def test_any_scene_in_the_address_is_taken(runs, scene):
    assert not opened(scene=scene).exception
