"""Rush hour from app.py with dice in place of models: the recorded sweep, measuring here, the fleet, the address."""

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.recorded_blocks import Origin
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.sweep import Sweep
from expediter.ui import fleet, fleet_run, jobs, live, reader, sweeps
from expediter.ui.honest_blocks import Shown
from tests.fake_blocks import some_blocks, some_places
from tests.fake_sweeps import USUAL, sweep
from tests.fakes import PAIRS, FakeSource, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=2)


def dealt(settings: Settings) -> Shown:
    """Made-up blocks and texts."""
    blocks, texts = (made(settings.temperature, depth=settings.depth) for made in (some_blocks, some_places))
    origin = Origin(DEFAULT_PAIR, "abc", "dice", 1, "2026-01-01T00:00:00+00:00", 4, ("stories",))
    return Shown(blocks, origin, here=False, other_weights=False, places=texts)


@pytest.fixture
def app(monkeypatch, tmp_path) -> AppTest:
    """The page, with a recorded sweep of one pair and made-up blocks."""
    monkeypatch.setenv("EXPEDITER_CACHE", str(tmp_path))
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN if pair == DEFAULT_PAIR else ())
    monkeypatch.setattr(sweeps, "weights_now", lambda pair: "abc")
    monkeypatch.setattr(sweeps, "_recorded", lambda name: sweep() if name == DEFAULT_PAIR else None)
    monkeypatch.setattr(fleet, "shown", lambda settings: dealt(settings) if settings.pair == DEFAULT_PAIR else None)
    monkeypatch.setattr(fleet_run, "BLOCKS", 8)
    monkeypatch.setattr(fleet_run, "LEAST_STEPS", 2)
    monkeypatch.setattr(fleet_run, "DAY", (30, 30, 1))
    st.cache_resource.clear()
    st.cache_data.clear()
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    yield made
    st.cache_resource.clear()
    st.cache_data.clear()


def rush(app: AppTest, **query: str) -> AppTest:
    """Open the page at an address."""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/rush-hour.py").run()


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def measured(app: AppTest, monkeypatch, found: Sweep | Exception) -> AppTest:
    """Press the button, with this in place of a real measurement, and wait for its end."""

    def measure(*given):
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(sweeps, "measure", measure)
    app.button(key="measure").click().run()
    jobs.registry().kind("sweep")[0].join(10)
    return app.run()


def test_the_recorded_sweep_is_shown_at_once_and_labelled(app):
    rush(app)
    assert not app.exception
    assert app.title[0].value == "Rush hour"
    assert "not on this machine" in text(app)
    assert "Between 8 and 64 requests at once, checking every word falls below" in text(app)
    alts = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert len(alts) == 8
    assert all(any(sign.isdigit() for sign in alt) for alt in alts)
    assert app.button(key="measure").label == "Measure on this machine"


def test_rates_can_be_read_as_multiples(app):
    rush(app)
    app.radio(key="rush_view").set_value("ratio").run()
    assert app.get("plotly_chart")[0].proto.alt.startswith("Words per second as a multiple of no guessing.")


def test_policies_can_be_compared_at_one_load(app):
    said = text(rush(app))
    assert "Words per second of every policy with 8 requests at once, the fastest first" in said
    assert "790 words/s · 100 %" in said
    app.radio(key="rush_load").set_value(64).run()
    assert "1,500 words/s · 70 %" in text(app)


def test_the_page_says_who_wins_whoever_wins(app, monkeypatch):
    assert "The expediter follows: it comes within 3 % of the fastest fixed rule at every load" in text(rush(app))
    beaten = sweep({**USUAL, "fixed:1": {1: 140.0, 8: 900.0, 64: 2100.0}})
    monkeypatch.setattr(sweeps, "_recorded", lambda name: beaten if name == DEFAULT_PAIR else None)
    said = text(app.run())
    assert "A fixed rule came out faster than the expediter at 8 at once: “at most 1 each” writes 900" in said
    assert "A guess costs time whether it is sent or not" in said
    assert "The expediter follows" not in said


def test_other_settings_than_the_recordings_are_noticed(app):
    rush(app, temperature="0.3")
    assert "made with other settings than you chose" in text(app)


def test_measuring_here_replaces_the_recording_and_is_remembered(app, monkeypatch):
    rush(app, temperature="0.8")
    measured(app, monkeypatch, sweep(measured_at="2026-05-05T00:00:00+00:00", machine="this very machine"))
    assert not app.exception
    assert "Measured here" in text(app)
    assert "this very machine" in text(app)
    assert app.button(key="measure").label == "Measure again"
    jobs.registry.clear()
    assert "this very machine" in text(app.run()), "from the cache, another day"


def test_a_measurement_that_fails_leaves_the_recording_and_says_why(app, monkeypatch):
    rush(app)
    measured(app, monkeypatch, RuntimeError("the dice rolled off the table"))
    assert "This could not be finished: the dice rolled off the table." in text(app)
    assert "not on this machine" in text(app)


def test_a_pair_without_any_sweep_says_what_to_do(app):
    rush(app, pair="mini-good")
    assert not app.exception
    assert "Nothing of this pair has been measured yet. Measure it here" in text(app)
    assert "python -m expediter blocks mini-good" in text(app)


def test_the_scene_in_which_guessing_does_not_pay_is_shown_only_when_true(app, monkeypatch):
    assert "When guessing itself does not pay" not in text(rush(app))
    lost = sweep({**USUAL, "off": {1: 100.0, 8: 600.0, 64: 2600.0}}, drafting=0.03, depth=8)
    monkeypatch.setattr(sweeps, "_recorded", lambda name: lost if name.endswith("-deep") else sweep())
    app.run()
    assert "When guessing itself does not pay" in text(app)
    assert "The engine notices" in text(app)


def test_the_fleet_runs_on_the_chosen_clock_with_the_chosen_arrivals(app):
    rush(app, hardware="published-gpu", arrivals="closed", lanes="64")
    assert not app.exception
    assert "local-inference-lab/vllm" in text(app)
    assert len(app.get("plotly_chart")) == 6, "without arrivals there is no day to draw"
    app.selectbox(key="fleet_arrivals").set_value("poisson").run()
    assert len(app.get("plotly_chart")) == 8
    assert app.query_params["arrivals"] in ("poisson", ["poisson"])
    assert "The same arrivals under each policy" in text(app)


def test_a_fleet_without_recorded_texts_or_of_other_weights_says_so(app, monkeypatch):
    said = text(rush(app, temperature="0.8"))
    assert "8 texts of Pocket · dice at temperature 0.8, with a block of guesses at each of their 200 words" in said
    monkeypatch.setattr(fleet, "shown", lambda settings: replace(dealt(settings), other_weights=True))
    assert "They come from other weights" in text(app.run())
    monkeypatch.setattr(fleet, "shown", lambda settings: replace(dealt(settings), places=None))
    said = text(app.run())
    assert "there is nothing to replay. Measure some on Honest numbers with one press" in said
    assert f"or in a terminal: python -m expediter blocks {DEFAULT_PAIR}" in said


def test_an_unknown_address_falls_back(app):
    rush(app, arrivals="tide", lanes="7", busy="lots", hardware="moon")
    assert not app.exception
    assert app.selectbox(key="fleet_arrivals").value == "bursts"
    assert app.selectbox(key="fleet_lanes").value == 256
