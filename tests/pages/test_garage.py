"""The Garage: what a card says, loading and unloading, measuring and calibrating, and the way to the dock."""

from html import escape

import pytest

from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import garage_jobs, live
from tests.fakes import FakeSource
from tests.pages.garage_case import TEXT, card, ended, garage_app, loaded, said, visit


@pytest.fixture
def app(monkeypatch, tmp_path):
    """Two pairs of dice."""
    with garage_app(monkeypatch, tmp_path) as made:
        yield made


def test_every_pair_has_a_card_the_docks_own_is_told_apart(app):
    visit(app)
    assert not app.exception
    assert app.title[0].value == "Garage"
    assert TEXT["chosen"] in card(app, DEFAULT_PAIR)
    assert TEXT["chosen"] not in card(app, "mini-good")
    assert TEXT["states"]["idle"]["name"] in card(app, "mini-good")


def test_a_card_says_in_plain_words_what_was_measured(app):
    visit(app)
    first = card(app, DEFAULT_PAIR)
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
    loaded(app.run(), DEFAULT_PAIR)
    assert app.session_state["reader"].live
    app.switch_page("pages/garage.py").run()
    assert TEXT["states"]["live"]["name"] in card(app, DEFAULT_PAIR)
    app.button(key=f"unload_{DEFAULT_PAIR}").click().run()
    ended(app, f"unload {DEFAULT_PAIR}")
    assert not app.exception
    assert TEXT["done"]["unload"] in said(app)
    assert TEXT["states"]["idle"]["name"] in card(app, DEFAULT_PAIR)
    assert not app.session_state["reader"].live
    app.switch_page("pages/loading_dock.py").run()
    assert not app.exception
    loaded(app, DEFAULT_PAIR).run()
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
    app.button(key=f"sure_{DEFAULT_PAIR}").click().run()
    assert "tested on 4,321 blocks" in said(app)
    app.button(key=f"no_{DEFAULT_PAIR}").click().run()
    assert "tested on 4,321 blocks" not in said(app)
    app.button(key=f"sure_{DEFAULT_PAIR}").click().run()
    app.button(key=f"yes_{DEFAULT_PAIR}").click().run()
    ended(app, f"calibrate {DEFAULT_PAIR}")
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


def test_the_comparison_says_what_a_swap_changes(app):
    visit(app)
    alts = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert len(alts) == 3
    assert "Pocket · dice: " in alts[0]
    assert "ms at 96 words" in alts[0]
    assert "Pocket · dice: 66 %, 50 %." in alts[1]
    assert "at 64 at once" in alts[2]
    assert "Mini · dice instead of Pocket · dice: a step of " in said(app)
