"""Proof from app.py with dice in place of models: a shipped result, none, and one that is run here as a job."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.bench import to_json
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import jobs, live, proofs, reader
from tests.core.bench_case import made
from tests.fakes import PAIRS, FakeSource

ROOT = Path(__file__).parents[2]
text = json.loads((ROOT / "assets" / "proof.json").read_text(encoding="utf-8"))


@pytest.fixture
def app(monkeypatch, tmp_path) -> AppTest:
    """The page beside two shipped results of one pair and a damaged one."""
    cold, warm = replace(made(), pair=DEFAULT_PAIR), replace(made(), pair=DEFAULT_PAIR, temperature=0.8)
    (tmp_path / "a.json").write_text(to_json(cold))
    (tmp_path / "b.json").write_text(to_json(warm))
    (tmp_path / "c.json").write_text("{")
    monkeypatch.setattr(proofs, "FOLDER", tmp_path)
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: ())
    st.cache_resource.clear()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    st.cache_resource.clear()


def proof(app: AppTest, **query: str) -> AppTest:
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/proof.py").run()


def body(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_the_shipped_result_is_shown_with_its_bars(app):
    proof(app, temperature="0")
    assert not app.exception
    assert app.title[0].value == "Proof"
    assert "9 bars: all met." in body(app)
    assert "temperature 0," in body(app)
    assert len(app.get("plotly_chart")) == 1


def test_the_nearest_temperature_is_taken_and_told(app):
    proof(app, temperature="1.0")
    assert "temperature 0.8," in body(app)
    assert text["other_temperature"].format(temperature="0.8", chosen="1") in body(app)


def test_a_pair_without_a_result_can_be_measured(app):
    proof(app, pair="mini-good")
    assert not app.exception
    assert text["no_bench"] in body(app)
    assert app.button(key="measure").label == text["measure"]


def test_what_was_run_here_takes_the_place_of_the_shipped_one(app, monkeypatch):
    mine = replace(made(off=120), pair=DEFAULT_PAIR, machine="this very machine")
    monkeypatch.setattr(proofs, "measuring", lambda settings: lambda report: mine)
    proof(app, temperature="0")
    app.button(key="measure").click().run()
    jobs.registry().kind("bench")[0].join(30)
    app.run()
    assert "this very machine" in body(app)
    assert text["short"] in body(app)
    assert app.button(key="measure").label == text["again"]


def test_a_failed_run_is_one_sentence(app, monkeypatch):
    def work(report):
        raise OSError("The pair is gone: restore it.")

    monkeypatch.setattr(proofs, "measuring", lambda settings: work)
    proof(app, temperature="0")
    app.button(key="measure").click().run()
    jobs.registry().kind("bench")[0].join(30)
    app.run()
    assert not app.exception
    assert "The pair is gone" in body(app)
