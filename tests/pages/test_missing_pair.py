"""A link to a pair whose model is not on this machine yet: what to fetch is said once, and another pair is shown until then."""

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.settings import Settings
from expediter.ui import live, reader
from tests.fakes import PAIRS, FakeSource, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=1)
WAITING = replace(PAIRS[0], name="big", title="Big", missing="The pair big needs Big, which is not here: fetch <it>.")


@pytest.fixture
def shelf(monkeypatch) -> list:
    """The pairs that are there, one of them not whole."""
    found = [*PAIRS, WAITING]
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "listed", lambda: list(found))
    monkeypatch.setattr(reader, "pairs", lambda: [info for info in found if not info.missing])
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN)
    st.cache_resource.clear()
    yield found
    st.cache_resource.clear()


@pytest.fixture
def app(shelf) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    app.query_params["pair"] = "big"
    return app.run()


def told(app: AppTest) -> bool:
    assert not app.exception
    return any("fetch &lt;it&gt;. Until then you see Pocket" in element.proto.body for element in app.get("html"))


def test_the_dock_says_what_to_fetch_and_does_not_offer_the_pair(app):
    assert told(app)
    assert "Big" not in app.selectbox(key="control_pair").options


def test_it_is_said_until_another_pair_is_chosen(app):
    assert told(app.run())
    app.selectbox(key="control_pair").select(PAIRS[1].name).run()
    app.selectbox(key="control_pair").select(PAIRS[0].name).run()
    assert not told(app)


def test_once_it_is_fetched_the_pair_is_offered(app, shelf):
    shelf[-1] = replace(WAITING, missing="")
    app.run()
    assert not told(app)
    assert "Big" in app.run().selectbox(key="control_pair").options
