"""The dock's suggestions, with dice in place of models: each sets its controls, and its sentence stays until another is chosen."""

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.settings import Settings
from expediter.ui import live, reader
from tests.fakes import PAIRS, FakeSource, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=2)
TRIES = json.loads((ROOT / "assets" / "loading_dock.json").read_text(encoding="utf-8"))["tries"]


@pytest.fixture
def app(monkeypatch) -> AppTest:
    """The dock beside a recorded run."""
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN)
    st.cache_resource.clear()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    st.cache_resource.clear()


def said(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def settings(app: AppTest) -> Settings:
    return app.session_state[reader.KEY].settings


@pytest.mark.parametrize("name", TRIES)
def test_a_suggestion_sets_its_controls_and_nothing_else(app, name):
    before = settings(app)
    app.button(key=f"try_{name}").click().run()
    assert not app.exception
    after = settings(app)
    wanted = TRIES[name]["set"]
    assert {field: getattr(after, field) for field in wanted} == wanted
    same = set(Settings.__slots__) - set(wanted)
    assert {field: getattr(after, field) for field in same} == {field: getattr(before, field) for field in same}
    assert all(app.query_params[field] == str(value) for field, value in wanted.items())


def test_what_to_look_for_stays_while_the_reader_moves_the_controls(app):
    app.button(key="try_rush").click().run()
    app.slider[0].set_value(4).run()
    assert settings(app).load == 4
    assert TRIES["rush"]["look"] in said(app)
    app.button(key="try_off").click().run()
    assert TRIES["rush"]["look"] not in said(app)
    assert TRIES["off"]["look"] in said(app)


def test_nothing_is_said_before_a_suggestion_is_taken(app):
    assert not any(one["look"] in said(app) for one in TRIES.values())


def test_there_are_not_too_many():
    assert 5 <= len(TRIES) <= 7
