"""The Garage from app.py with dice in place of models: two pairs, the first of them calibrated, both with a recorded table."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.profile_file import save_profile
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import garage, jobs, live, reader
from tests.fakes import PAIRS, FakeSource, profile, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=2)
TEXT = json.loads((ROOT / "assets" / "garage.json").read_text(encoding="utf-8"))
FIGURES = {"blocks": 4321, "acceptance": [0.66, 0.5], "tokens_per_step": 1.99, "ece": [0.012, 0.02], "auc": [0.8, 0.7]}


@contextmanager
def garage_app(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[AppTest]:
    """The app; `known`, a list, is what pairs there are."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(folder / "cache"))
    monkeypatch.setattr(live, "source", FakeSource)
    known = [replace(pair, folder=folder / "pairs" / pair.name) for pair in PAIRS]
    for pair in known:
        pair.folder.mkdir(parents=True)
        save_profile(profile("measured here"), pair.folder / "step_rate.json")
    (known[0].folder / "calibration.json").write_text(json.dumps({"temperatures": {"0.8": FIGURES}}))
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    made.known = known
    monkeypatch.setattr(reader, "pairs", lambda: [pair for pair in made.known if not pair.missing])
    monkeypatch.setattr(garage, "listed", lambda: list(made.known))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN if pair == DEFAULT_PAIR else ())
    st.cache_resource.clear()
    yield made
    st.cache_resource.clear()


def visit(app: AppTest, **query: str) -> AppTest:
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/garage.py").run()


def said(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def card(app: AppTest, name: str) -> str:
    """The HTML of one pair's card."""
    title = next(pair.title for pair in app.known if pair.name == name)
    return next(element.proto.body for element in app.get("html") if f"ex-pair'>{escape(title)}" in element.proto.body)


def loaded(app: AppTest, name: str) -> AppTest:
    """Wait until the pair stands still, and draw the page anew."""
    end, pair = time.monotonic() + 10, live.live_pair(name)
    while pair.progress.state == "loading" or pair.progress.measured is not None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return app.run()


def ended(app: AppTest, key: str) -> AppTest:
    jobs.find(key).join(10)
    return app.run()


def buttons(app: AppTest) -> set[str]:
    return {button.key for button in app.button}
