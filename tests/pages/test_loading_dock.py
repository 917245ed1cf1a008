"""The loading dock from app.py: controls, address, recorded and live, with dice in place of models. Motion needs the browser tests."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import live, reader
from tests.fakes import PAIRS, FakeSource, profile, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=3)


@pytest.fixture
def source(monkeypatch) -> FakeSource:
    """The app with two pairs of dice, the first one with a recorded run."""
    made = FakeSource()
    monkeypatch.setattr(live, "source", lambda: made)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN if pair == DEFAULT_PAIR else ())
    st.cache_resource.clear()
    yield made
    st.cache_resource.clear()


@pytest.fixture
def app(source) -> AppTest:
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)


def text(app: AppTest) -> str:
    """Everything that the page says in HTML."""
    return " ".join(element.proto.body for element in app.get("html"))


def bring_up(name: str = DEFAULT_PAIR) -> None:
    """Load a pair and wait for it, as the page's second look would."""
    pair = live.live_pair(name)
    pair.start()
    end = time.monotonic() + 5
    while pair.progress.state == "loading":
        assert time.monotonic() < end
        time.sleep(0.01)


def open_live(app: AppTest) -> None:
    """Open the page beside a loaded pair: the first paint is recorded, the next look goes live."""
    bring_up()
    app.run()
    assert not session(app).live, "the first paint waits for no model"
    app.run()
    assert session(app).live


def session(app: AppTest):
    return app.session_state[reader.KEY]


def test_first_paint_shows_the_recorded_run(app):
    app.run()
    assert not app.exception
    assert app.title[0].value == "Loading dock"
    assert "Recorded run, on another machine" in text(app)
    assert "on the machine that recorded it" in text(app)


def test_opening_the_page_loads_no_torch():
    """A fresh process: nothing that the page imports may pull in torch or transformers."""
    code = (
        "import sys; from streamlit.testing.v1 import AppTest; a = AppTest.from_file('app.py', default_timeout=60).run();"
        "print(bool(a.title), 'torch' in sys.modules, 'transformers' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert told.stdout.split() == ["True", "False", "False"]


def test_an_address_is_restored_and_clamped(app):
    for name, value in {"pair": "mini-good", "load": "999", "depth": "8", "temperature": "0", "policy": "fixed:3", "seed": "5"}.items():
        app.query_params[name] = value
    app.run()
    assert session(app).settings == Settings("mini-good", 64, 6, 0.0, "mixed", "fixed:3", 5)
    assert app.slider[0].value == 64
    assert app.query_params["load"] == "64"


def test_controls_change_the_address_and_wait_for_the_model(app, source):
    source.load_seconds = 2
    app.run()
    app.slider[0].set_value(24).run()
    assert app.query_params["load"] == "24"
    assert "live as soon as the model is ready" in text(app)


def test_the_live_run_takes_over(app):
    app.run()
    bring_up()
    app.run()
    assert "Live: these models run on this machine" in text(app)
    assert session(app).history.live


def test_dragging_the_load_makes_one_live_step(app):
    open_live(app)
    before = session(app).revision
    app.slider[0].set_value(40).run()
    assert session(app).history.shown.load == 40
    assert session(app).revision != before
    assert len(session(app).history.traces) == 2


def test_the_slider_grows_where_the_models_run_on_a_gpu(app, source):
    source.kind = "cuda"
    app.query_params["load"] = "200"
    open_live(app)
    assert (app.slider[0].max, app.slider[0].value) == (256, 200)
    assert session(app).history.shown.load == 200
    assert "200 requests" in app.slider[0].label
    app.slider[0].set_value(256).run()
    assert session(app).history.shown.load == 256
    assert app.query_params["load"] == "256"


def test_a_van_that_never_fills_offers_one_that_does(app, source):
    source.shipped = profile("measured here", {1: 0.01, 1000: 0.0101})
    open_live(app)
    assert "This van never fills here" in text(app)
    app.button(key="offer_published-gpu").click().run()
    assert session(app).settings.hardware == "published-gpu"
    assert session(app).history.shown.table_source == "simulated clock"
    assert "This van never fills here" not in text(app)
    assert app.query_params["hardware"] == "published-gpu"


def test_every_policy_can_be_chosen_and_says_whether_it_is_lossless(app):
    open_live(app)
    for kind in ("global", "stale", "fixed", "threshold", "all", "off", "early-stop"):
        app.selectbox(key="control_policy").set_value(kind).run()
        assert not app.exception
        assert session(app).history.shown.policy.split(":")[0] == kind
        assert ("Not lossless" in text(app)) == (kind == "global")


def test_levels_reach_the_policy(app):
    open_live(app)
    app.selectbox(key="control_policy").set_value("threshold").run()
    app.number_input(key="control_level_threshold").set_value(0.35).run()
    assert session(app).history.shown.policy == "threshold:0.35"
    assert app.query_params["policy"] == "threshold:0.35"


def test_swapping_pairs_never_mixes_them(app):
    bring_up("mini-good")
    open_live(app)
    app.selectbox(key="control_depth").set_value(8).run()
    app.selectbox(key="control_pair").set_value("mini-good").run()
    assert not app.exception
    assert session(app).history.shown.pair == "mini-good"
    assert session(app).settings.depth == 6, "this pair's draft is shorter"
    assert "Mini · dice" in text(app)


def test_a_pair_that_is_not_loaded_and_has_no_recording_waits_in_words(app):
    app.query_params["pair"] = "mini-good"
    app.run()
    assert not app.exception
    assert "The first step appears when it is ready" in text(app)


def test_a_broken_pair_leaves_the_recorded_run_and_a_way_on(app, source):
    source.problem = "pocket/model.safetensors is missing: restore the folder"
    bring_up()
    app.run()
    assert "pocket/model.safetensors is missing" in text(app)
    assert "expected" in text(app), "the recorded step is still there"
    source.problem = ""
    next(button for button in app.button if button.label == "Try again").click().run()
    bring_up()
    app.run()
    assert session(app).live


def test_no_pairs_at_all_is_one_sentence(app, monkeypatch):
    monkeypatch.setattr(reader, "pairs", list)
    st.cache_resource.clear()
    app.run()
    assert not app.exception
    assert "models/pairs" in app.error[0].value


def test_two_tabs_have_a_run_each(app, source):
    bring_up()
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    other.query_params["load"] = "2"
    for tab in (app, other, app, other):
        tab.run()
    assert (session(app).history.shown.load, session(other).history.shown.load) == (16, 2)
    assert len(source.engines) == 2


def test_controls_show_the_settings_after_the_live_run_takes_over(app):
    app.query_params["temperature"] = "0.4"
    app.query_params["seed"] = "9"
    open_live(app)
    assert [widget.value for widget in app.number_input] == [0.4, 9]
    assert app.selectbox(key="control_depth").value == 5


def test_an_empty_address_means_the_recorded_runs_settings(app, monkeypatch):
    run = recording(Settings(load=4, depth=3, temperature=0.0), steps=2)
    monkeypatch.setattr(reader, "recorded", lambda pair: run)
    app.run()
    assert session(app).settings == Settings(load=4, depth=3, temperature=0.0)
    assert "live as soon as" not in text(app)


def test_another_clock_is_chosen_written_to_the_address_and_labelled(app):
    open_live(app)
    app.selectbox(key="control_hardware").set_value("published-gpu").run()
    assert not app.exception
    assert session(app).history.shown.table_source == "simulated clock"
    assert app.query_params["hardware"] == "published-gpu"
    assert "This step, on a simulated clock" in text(app)
    assert "do not compare it with the simulated times" in text(app)


def test_an_address_with_somebody_elses_own_table_says_what_differs(app):
    app.query_params["hardware"] = "own"
    app.run()
    assert not app.exception
    assert "not kept on this machine" in text(app)
