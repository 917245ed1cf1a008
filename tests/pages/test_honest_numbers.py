"""Honest numbers from app.py with recorded blocks that no model made: figures, choices, the dial, measuring here, the address."""

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.recorded_blocks import Recording
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import block_recordings, honest_blocks, jobs, live, reader
from tests.fake_blocks import ORIGIN, some_blocks, some_recording
from tests.fakes import PAIRS, FakeSource

ROOT = Path(__file__).parents[2]
RECORDED = {DEFAULT_PAIR: some_recording(240, depth=8)}


@pytest.fixture
def app(monkeypatch) -> AppTest:
    """The page, beside recorded blocks of dice."""
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: ())
    monkeypatch.setattr(honest_blocks, "block_recording", RECORDED.get)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    st.cache_resource.clear()
    st.cache_data.clear()


def honest(app: AppTest, **query: str) -> AppTest:
    """Open the page at an address."""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/honest-numbers.py").run()


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def alts(app: AppTest) -> list[str]:
    return [chart.proto.alt for chart in app.get("plotly_chart")]


def test_recorded_blocks_are_shown_at_once_and_labelled(app):
    honest(app, load="16", depth="5", temperature="0.8")
    assert not app.exception
    assert app.title[0].value == "Honest numbers"
    assert len(app.get("plotly_chart")) == 5
    assert "Recorded: 240 blocks" in text(app)
    assert ORIGIN.machine in text(app)
    assert "the nearest that was recorded" not in text(app)
    assert "These are the calibrated chances themselves" in text(app)
    assert app.query_params["dial"] == "0"


def test_between_two_recorded_temperatures_the_nearest_is_named(app):
    honest(app, temperature="0.65")
    assert "You chose temperature 0.65: 0.8 is the nearest that was recorded." in text(app)


def test_a_boaster_is_caught(app):
    honest(app, whose="before", dial="4", load="16", depth="5", hardware="smooth")
    assert not app.exception
    assert "too high" in text(app)
    assert "simulated clock, Smooth CPU" in text(app)
    app.select_slider(key="honest_dial").set_value(0).run()
    assert app.query_params["dial"] == "0"


def test_the_raw_draft_probability_says_that_it_leaks(app):
    honest(app, whose="draft_probability", other="draft_probability", event="c", position="2")
    assert not app.exception
    assert "not lossless above temperature 0" in text(app)
    assert any("Raw draft probability" in alt and "Chance c at position 2" in alt for alt in alts(app))


def test_one_kind_of_request_has_only_its_own_blocks(app):
    blocks = RECORDED[DEFAULT_PAIR].nearest(0.8)
    honest(app, workload="code", temperature="0.8")
    assert f"Recorded: {int((blocks.workload == 3).sum())} blocks of guesses (code)" in text(app)


def test_a_single_guess_has_c_and_a_alike(app):
    honest(app, depth="1")
    assert not app.exception
    assert "c and a are the same" in text(app)


def test_an_unknown_address_falls_back(app):
    honest(app, event="<b>", position="99", other="moon", whose="x", dial="1e9")
    assert not app.exception
    assert app.query_params["event"] == "a"
    assert app.query_params["dial"] == "0"


def test_a_position_that_nothing_reached_is_told(app, monkeypatch):
    recording = some_recording(3, depth=8)
    nothing = tuple(replace(blocks, passed=blocks.passed * 0) for blocks in recording.blocks)
    monkeypatch.setattr(honest_blocks, "block_recording", lambda pair: Recording(ORIGIN, nothing))
    honest(app, event="c", position="2", depth="5")
    assert not app.exception
    assert "nothing was judged there" in text(app)


def test_blocks_of_other_weights_are_called_so(app, monkeypatch):
    monkeypatch.setattr(honest_blocks, "weights_now", lambda pair: "ffffffffffff")
    honest(app)
    assert "recorded with other weights" in text(app)


def test_measuring_here_replaces_the_recording_at_exactly_this_temperature(app, monkeypatch):
    def measure(pair, info, settings, progress, turns):
        progress(0.5)
        return Recording(replace(ORIGIN, machine="here"), (some_blocks(settings.temperature, 60, depth=8),))

    monkeypatch.setattr(honest_blocks, "measure_here", measure)
    honest(app, temperature="0.7")
    app.button(key="measure").click().run()
    jobs.registry().kind("blocks")[0].join(30)
    app.run()
    assert not app.exception
    assert "Measured here: 60 blocks" in text(app)
    assert "nearest" not in text(app)


def test_a_pair_without_recorded_blocks_can_still_be_measured(app):
    honest(app, pair="mini-good")
    assert not app.exception
    assert "python -m expediter blocks mini-good" in text(app)
    assert app.button(key="measure")
    assert len(app.get("bidi_component")) == 1, "the row with the page's link"


def test_a_damaged_recording_is_left_out(monkeypatch, tmp_path):
    (tmp_path / "dice.npz").write_bytes(b"no blocks")
    monkeypatch.setattr(block_recordings, "path_of", lambda pair: tmp_path / f"{pair}.npz")
    st.cache_resource.clear()
    assert block_recordings.block_recording("dice") is None
    assert block_recordings.block_recording("nothing") is None
    st.cache_resource.clear()


def test_every_control_that_does_not_explain_itself_says_what_it_does(app):
    page = honest(app)
    controls = [*page.selectbox, *page.slider, *page.number_input]
    assert controls
    assert [control.label for control in controls if not control.help] == []
