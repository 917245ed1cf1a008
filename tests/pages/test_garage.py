"""The Garage from app.py with dice in place of models: what a card says, every button, jobs, and the way to the dock."""

import json
import time
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.catalogue import CATALOGUE
from expediter.core.pairs import user_models, user_pairs
from expediter.core.profile_file import save_profile
from expediter.core.settings import Settings
from expediter.ui import garage, garage_jobs, live, reader
from tests.fakes import PAIRS, FakeSource, profile, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=2)
TEXT = json.loads((ROOT / "assets" / "garage.json").read_text(encoding="utf-8"))
FIGURES = {"blocks": 4321, "acceptance": [0.66, 0.5], "tokens_per_step": 1.99, "ece": [0.012, 0.02], "auc": [0.8, 0.7]}


@pytest.fixture
def app(monkeypatch, tmp_path) -> AppTest:
    """Two pairs of dice, the first of them calibrated; both have a recorded table."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(live, "source", FakeSource)
    known = [replace(pair, folder=tmp_path / "pairs" / pair.name) for pair in PAIRS]
    for pair in known:
        pair.folder.mkdir(parents=True)
        save_profile(profile("measured here"), pair.folder / "step_rate.json")
    (known[0].folder / "calibration.json").write_text(json.dumps({"temperatures": {"0.8": FIGURES}}))
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    made.known = known
    monkeypatch.setattr(reader, "pairs", lambda: [pair for pair in made.known if not pair.missing])
    monkeypatch.setattr(garage, "listed", lambda: list(made.known))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN if pair == "pocket-good" else ())
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
    app.session_state["jobs"][key].join(10)
    return app.run()


def buttons(app: AppTest) -> set[str]:
    return {button.key for button in app.button}


def test_every_pair_has_a_card_the_docks_own_is_told_apart(app):
    visit(app)
    assert not app.exception
    assert app.title[0].value == "Garage"
    assert TEXT["chosen"] in card(app, "pocket-good")
    assert TEXT["chosen"] not in card(app, "mini-good")
    assert TEXT["states"]["idle"]["name"] in card(app, "mini-good")


def test_a_card_says_in_plain_words_what_was_measured(app):
    visit(app)
    first = card(app, "pocket-good")
    assert "<b>2 of 3</b> <span>first guesses pass at temperature 0.8</span>" in first
    assert "Guesses 1 to 2 pass, if all before them did: 66 %, 50 %." in first
    assert "words per second for one reader" in first
    assert "words per second for 16 readers at once" in first
    assert "Speed recorded on another machine" in first
    assert "Chances off by 1.6 points of 100 on average" in first
    assert "75 times in 100 (4,321 held-out blocks)" in first
    assert TEXT["no_figures"] in card(app, "mini-good")


def test_the_settings_are_those_of_the_other_pages(app):
    visit(app, load="7", temperature="0.4", pair="mini-good")
    assert TEXT["chosen"] in card(app, "mini-good")
    app.number_input(key="control_temperature").set_value(0.9).run()
    assert app.query_params["temperature"] == "0.9"
    assert app.query_params["pair"] == "mini-good"
    app.switch_page("pages/rush-hour.py").run()
    assert app.query_params["temperature"] == "0.9"


def test_one_click_takes_a_pair_to_the_dock(app):
    visit(app)
    app.button(key="load_mini-good").click().run()
    loaded(app, "mini-good")
    app.button(key="use_mini-good").click().run()
    assert not app.exception
    assert app.title[0].value == "Loading dock"
    assert app.query_params["pair"] == "mini-good"
    app.switch_page("pages/loading_dock.py").run()  # AppTest's next run would be of the page that it began on
    assert app.session_state["reader"].history.shown.pair == "mini-good"
    assert app.session_state["reader"].live


def test_loading_and_unloading_are_told_and_the_dock_survives(app):
    app.run()
    loaded(app.run(), "pocket-good")
    assert app.session_state["reader"].live
    app.switch_page("pages/garage.py").run()
    assert TEXT["states"]["live"]["name"] in card(app, "pocket-good")
    app.button(key="unload_pocket-good").click().run()
    ended(app, "unload pocket-good")
    assert not app.exception
    assert TEXT["done"]["unload"] in said(app)
    assert TEXT["states"]["idle"]["name"] in card(app, "pocket-good")
    assert not app.session_state["reader"].live
    app.switch_page("pages/loading_dock.py").run()
    assert not app.exception
    loaded(app, "pocket-good").run()
    assert app.session_state["reader"].live


def test_a_pair_that_breaks_down_says_why_and_can_be_tried_again(app, monkeypatch):
    problem = "pocket/model.safetensors is missing: restore <the> folder"
    monkeypatch.setattr(live, "source", lambda: FakeSource(problem=problem))
    visit(app)
    app.button(key="load_mini-good").click().run()
    loaded(app, "mini-good")
    assert TEXT["states"]["failed"]["name"] in card(app, "mini-good")
    assert escape(f"The pair could not be loaded: {problem}.") in said(app)
    assert app.button(key="load_mini-good").label == TEXT["buttons"]["retry"]


def test_measuring_its_speed_loads_it_and_shows_this_machines_own(app):
    visit(app)
    app.button(key="profile_mini-good").click().run()
    ended(app, "profile mini-good")
    assert not app.exception
    assert "Speed measured on this machine" in card(app, "mini-good")
    assert escape(TEXT["done"]["profile"]) in said(app)
    first = live.live_pair("mini-good").profile
    app.button(key="profile_mini-good").click().run()
    ended(app, "profile mini-good")
    assert live.live_pair("mini-good").profile is not first, "asked for again, it is measured again"


def test_a_shipped_calibration_is_replaced_only_after_a_second_look(app, monkeypatch):
    monkeypatch.setattr(garage_jobs, "shipped", lambda info: True)
    monkeypatch.setattr(garage_jobs, "calibrating", lambda info, text: lambda report: None)
    visit(app)
    app.button(key="sure_pocket-good").click().run()
    assert "tested on 4,321 blocks" in said(app)
    app.button(key="no_pocket-good").click().run()
    assert "tested on 4,321 blocks" not in said(app)
    app.button(key="sure_pocket-good").click().run()
    app.button(key="yes_pocket-good").click().run()
    ended(app, "calibrate pocket-good")
    assert escape(TEXT["done"]["calibrate"]) in said(app)
    assert "tested on 4,321 blocks" not in said(app)


def test_a_pair_without_figures_is_calibrated_at_once(app, monkeypatch):
    monkeypatch.setattr(garage_jobs, "shipped", lambda info: True)
    monkeypatch.setattr(garage_jobs, "calibrating", lambda info, text: lambda report: None)
    visit(app)
    app.button(key="calibrate_mini-good").click().run()
    ended(app, "calibrate mini-good")
    assert escape(TEXT["done"]["calibrate"]) in said(app)


def test_what_fails_is_told_in_one_sentence_on_its_card(app, monkeypatch):
    def fail(report):
        raise OSError("the disk is full: free some space")

    monkeypatch.setattr(garage_jobs, "calibrating", lambda info, text: fail)
    visit(app)
    app.button(key="calibrate_mini-good").click().run()
    ended(app, "calibrate mini-good")
    assert not app.exception
    assert "This could not be finished: the disk is full: free some space." in said(app)


@pytest.fixture
def waiting(app):
    """A third pair, whose big model has to be fetched."""
    model = user_models() / "smollm2-135m"
    app.known.append(replace(PAIRS[0], name="smol", title="Smol", target=model, missing="It needs <a model>: fetch it."))
    return app


def test_a_pair_that_is_not_there_yet_offers_to_be_fetched_and_nothing_else(waiting):
    visit(waiting)
    assert not waiting.exception
    assert TEXT["states"]["missing"]["name"] in card(waiting, "smol")
    assert "About 271 MB to fetch, 134.5 million numbers." in card(waiting, "smol")
    assert "Apache-2.0" in card(waiting, "smol")
    assert escape("It needs <a model>: fetch it.") in said(waiting)
    assert {key for key in buttons(waiting) if key.endswith("_smol")} == {"fetch_smol"}
    assert waiting.button(key="fetch_smol").label == "Fetch SmolLM2-135M-Instruct (271 MB)"


def test_a_stopped_fetch_says_that_what_came_is_kept(waiting, monkeypatch):
    def fetch(report):
        while True:
            report(0.5, "half of it")
            time.sleep(0.01)

    monkeypatch.setattr(garage_jobs, "fetching", lambda model: fetch)
    visit(waiting)
    waiting.button(key="fetch_smol").click().run()
    assert "half of it" in said(waiting)
    waiting.button(key="cancel_fetch smol").click().run()
    ended(waiting, "fetch smol")
    assert TEXT["stopped"] in said(waiting)


def test_a_fetched_pair_can_be_used_at_once(waiting, monkeypatch):
    asked = []

    def fetch(model, report):
        asked.append(model)
        waiting.known[2] = replace(waiting.known[2], missing="")

    monkeypatch.setattr(garage_jobs, "fetching", lambda model: lambda report: fetch(model, report))
    visit(waiting)
    waiting.button(key="fetch_smol").click().run()
    ended(waiting, "fetch smol")
    assert not waiting.exception
    assert (asked, list(CATALOGUE)[:1]) == (["smollm2-135m"], ["smollm2-135m"])
    assert "use_smol" in buttons(waiting)
    waiting.button(key="use_smol").click().run()
    assert waiting.query_params["pair"] == "smol"


def test_a_pair_of_ones_own_is_added_and_removed(app, monkeypatch):
    mine = replace(PAIRS[0], name="mine", title="Mine <3", folder=user_pairs() / "mine")

    def add(target, draft, name):
        def work(report):
            app.known.append(mine)
            return mine

        assert (target, draft, name) == ("gpt2", "distilgpt2", "mine")
        return work

    monkeypatch.setattr(garage_jobs, "adding", add)
    monkeypatch.setattr(garage_jobs, "removing", lambda info, text: lambda report: app.known.pop())
    visit(app)
    for key, value in {"add_target": " gpt2", "add_draft": "distilgpt2 ", "add_name": "mine"}.items():
        app.text_input(key=key).set_value(value)
    app.button(key="add_button").click().run()
    ended(app, garage_jobs.ADD)
    assert not app.exception
    assert escape("Mine <3 stands in the garage now, calibrated and measured.") in said(app)
    assert TEXT["own"] in card(app, "mine")
    app.button(key="use_mine").click().run()
    app.switch_page("pages/garage.py").run()
    app.button(key="remove_mine").click().run()
    ended(app, "remove mine")
    assert not app.exception
    assert "use_mine" not in buttons(app)
    assert app.query_params["pair"] == "pocket-good", "the dock goes back to the default pair"


def test_a_form_without_models_says_what_is_wanted(app):
    visit(app)
    app.text_input(key="add_target").set_value("gpt2")
    app.button(key="add_button").click().run()
    assert TEXT["add_empty"] in said(app)
    assert garage_jobs.ADD not in app.session_state["jobs"]


def test_an_addition_that_is_refused_says_why(app, monkeypatch):
    def refuse(report):
        raise ValueError("gpt2 reads 50,257 tokens, <b>: pick two models of one family")

    monkeypatch.setattr(garage_jobs, "adding", lambda *given: refuse)
    visit(app)
    app.text_input(key="add_target").set_value("a")
    app.text_input(key="add_draft").set_value("b")
    app.button(key="add_button").click().run()
    ended(app, garage_jobs.ADD)
    assert escape("gpt2 reads 50,257 tokens, <b>: pick two models of one family.") in said(app)


def test_the_comparison_says_what_a_swap_changes(app):
    visit(app)
    alts = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert len(alts) == 3
    assert "Pocket · good draft: " in alts[0]
    assert "ms at 96 words" in alts[0]
    assert "Pocket · good draft: 66 %, 50 %." in alts[1]
    assert "at 64 at once" in alts[2]
    assert "Mini · good draft instead of Pocket · good draft: a step of " in said(app)
