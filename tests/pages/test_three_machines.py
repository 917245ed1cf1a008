"""Three machines from app.py with dice in place of models: with and without a Markov head, recorded, drafted here, and nothing at all."""

import json
from html import escape
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core import block
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import block_recordings, jobs, live, machines, reader, recordings
from tests.fakes import PAIRS, FakeSource, recording
from tests.machine_case import counted, dice_set, write

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=3)
text = json.loads((ROOT / "assets" / "three_machines.json").read_text(encoding="utf-8"))


@pytest.fixture
def folder(monkeypatch, tmp_path) -> Path:
    """An empty place for recordings; mini-good's draft has a Markov head."""
    monkeypatch.setattr(block, "path_of", lambda pair: tmp_path / f"{pair}.json")
    monkeypatch.setattr(block_recordings, "path_of", lambda pair: tmp_path / f"{pair}.npz")
    monkeypatch.setattr(machines, "has_head", lambda info: info.name == "mini-good")
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    for module in (reader, recordings):
        monkeypatch.setattr(module, "recorded", lambda pair: RUN if pair == DEFAULT_PAIR else ())
    st.cache_resource.clear()
    yield tmp_path
    st.cache_resource.clear()


def visit(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/three-machines.py").run()


def said(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_a_recorded_pair_shows_all_three_machines(folder):
    write(folder, DEFAULT_PAIR)
    write(folder, "mini-good", head=True)
    app = visit()
    assert not app.exception
    assert app.title[0].value == text["title"]
    assert len(app.get("plotly_chart")) == 2
    assert "in 6 of 10 blocks" in said(app)
    assert "One block for each kind of answer, out of 8" in said(app)
    assert "weights 0123456789ab" in said(app)
    assert said(app).count("<li class='ex-tile ") == 6  # five guesses and the big model's own word


def test_without_a_head_the_page_says_so_and_leads_to_the_pair_that_has_one(folder):
    write(folder, DEFAULT_PAIR)
    write(folder, "mini-good", head=True)
    app = visit()
    assert text["head_none"] in said(app)
    assert "≠" not in said(app)
    app.button(key="to_head").click().run()
    assert not app.exception
    assert app.query_params["pair"] == "mini-good"
    assert text["head_none"] not in said(app)
    assert text["head_same"] in said(app)
    assert said(app).count("ex-chip ex-differs") == 2  # the last word, with and without
    assert "changes 1 of the 5 words, the first of them at position 5" in said(app)
    assert not [button for button in app.button if button.key == "to_head"]


def test_no_other_pair_is_promised_where_none_has_a_head(folder, monkeypatch):
    monkeypatch.setattr(machines, "has_head", lambda info: False)
    write(folder, DEFAULT_PAIR)
    assert not [button for button in visit().button if button.key == "to_head"]


def test_the_chosen_block_is_in_the_address(folder):
    write(folder, DEFAULT_PAIR)
    app = visit(block="stories")
    assert app.radio(key="block_about").value == "stories"
    assert "fox and a lost key" in said(app)
    app.radio(key="block_about").set_value("code").run()
    assert app.query_params["block"] == "code"
    assert "adds two numbers" in said(app)


def test_unknown_wishes_of_an_address_fall_back(folder):
    write(folder, DEFAULT_PAIR)
    app = visit(block="<b>", temperature="99")
    assert not app.exception
    assert app.radio(key="block_about").value == "stories"


def test_the_nearest_recorded_temperature_is_shown(folder):
    write(folder, DEFAULT_PAIR)
    assert "Temperature 0, 8 requests at once" in said(visit(temperature="0.3"))


def test_nothing_recorded_is_said_plainly(folder):
    app = visit(pair="mini-good")
    assert not app.exception
    for sentence in ("acceptance_none", "block_none", "time_none"):
        assert escape(text[sentence]) in said(app)


def test_a_pair_that_ships_without_is_counted_on_what_honest_numbers_measured_here(folder, monkeypatch):
    monkeypatch.setattr(machines, "made_here", lambda settings: counted(settings.pair) if settings.pair == DEFAULT_PAIR else None)
    app = visit()
    assert not app.exception
    assert "in 6 of 10 blocks" in said(app)
    assert text["acceptance_none"] not in said(app)


def test_a_damaged_recording_counts_as_none(folder):
    (folder / f"{DEFAULT_PAIR}.json").write_text("{")
    (folder / f"{DEFAULT_PAIR}.npz").write_bytes(b"no zip")
    app = visit()
    assert not app.exception
    assert text["acceptance_none"] in said(app)


def test_another_block_is_drafted_here(folder, monkeypatch):
    write(folder, DEFAULT_PAIR)
    monkeypatch.setattr(machines, "draft_here", lambda *_: dice_set(about=""))
    app = visit(temperature="0.8")
    app.button(key="block_again").click().run()
    jobs.registry().kind("block")[0].join(10)
    app.run()
    assert not app.exception
    assert "Drafted on this machine at temperature 0.8" in said(app)


def test_the_dock_opens_with_the_same_settings(folder):
    write(folder, DEFAULT_PAIR)
    app = visit(temperature="0.4", load="3")
    app.button(key="to_dock").click().run()
    assert not app.exception
    assert app.title[0].value == "Loading dock"
    assert (app.query_params["temperature"], app.query_params["load"]) == ("0.4", "3")


def test_charts_say_in_words_what_they_show(folder):
    write(folder, DEFAULT_PAIR)
    alts = [chart.proto.alt for chart in visit().get("plotly_chart")]
    assert "Pocket · dice: 60 %, 67 %, 25 %." in alts[0]
    assert alts[1].startswith("A step takes")
