"""Pairs that come to the Garage: one whose model has to be fetched, and one of the reader's own."""

import threading
import time
from dataclasses import replace
from html import escape

import pytest

from expediter.core.pairs import user_models, user_pairs
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import garage_jobs, jobs
from tests.fakes import PAIRS
from tests.pages.garage_case import TEXT, buttons, card, ended, garage_app, loaded, said, visit


@pytest.fixture
def app(monkeypatch, tmp_path):
    """Two pairs of dice."""
    with garage_app(monkeypatch, tmp_path) as made:
        yield made


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
    assert asked == ["smollm2-135m"]
    assert "use_smol" in buttons(waiting)
    waiting.button(key="use_smol").click().run()
    assert waiting.query_params["pair"] == "smol"


def test_a_model_that_two_pairs_wait_for_is_fetched_once_and_both_cards_say_so(waiting, monkeypatch):
    waiting.known.append(replace(waiting.known[2], name="smaller", title="Smaller"))
    let_go = threading.Event()

    def fetch(report):
        report(0.5, "half of it")
        assert let_go.wait(10)
        waiting.known[2:] = [replace(pair, missing="") for pair in waiting.known[2:]]

    monkeypatch.setattr(garage_jobs, "fetching", lambda model: fetch)
    visit(waiting)
    waiting.button(key="fetch_smaller").click().run()
    there = TEXT["fetched_there"].format(title="SmolLM2-135M-Instruct", pair="Smaller")
    assert there in said(waiting)
    assert waiting.button(key="fetch_smol").disabled
    let_go.set()
    ended(waiting, "fetch smaller")
    assert not waiting.exception
    assert there not in said(waiting)
    assert {"load_smol", "load_smaller"} <= buttons(waiting)
    assert TEXT["done"]["fetch"] in said(waiting)
    waiting.button(key="load_smaller").click().run()
    loaded(waiting, "smaller")
    assert TEXT["done"]["fetch"] not in said(waiting), "the pair is loaded: that it can be is no news any more"


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
    assert app.query_params["pair"] == DEFAULT_PAIR, "the dock goes back to the default pair"


def test_a_form_without_models_says_what_is_wanted(app):
    visit(app)
    app.text_input(key="add_target").set_value("gpt2")
    app.button(key="add_button").click().run()
    assert TEXT["add_empty"] in said(app)
    assert jobs.find(garage_jobs.ADD) is None


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
