"""Bumpy roads from app.py with dice in place of models: worked cases, a recorded step on every table, an own table, the address."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.core.tables import TABLES
from expediter.ui import live, reader
from expediter.ui.scenarios import scenarios
from tests.fakes import PAIRS, FakeSource, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=3)


@pytest.fixture
def app(monkeypatch) -> AppTest:
    """The page, beside a recorded run of dice."""
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN if pair == DEFAULT_PAIR else ())
    st.cache_resource.clear()
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    yield made
    st.cache_resource.clear()


def roads(app: AppTest, **query: str) -> AppTest:
    """Open the page at an address."""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/bumpy-roads.py").run()


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def bring(app: AppTest, table: str) -> None:
    app.text_area(key="own_text").set_value(table).run()
    app.button(key="own_read").click().run()


def test_a_recorded_step_lies_on_a_simulated_road(app):
    roads(app)
    assert not app.exception
    assert app.title[0].value == "Bumpy roads"
    assert len(app.get("plotly_chart")) == 3
    assert "came out" in text(app)
    assert app.selectbox(key="roads_road").value == "published-gpu"


@pytest.mark.parametrize("name", scenarios())
def test_every_worked_case_opens_and_gives_its_lesson(app, name):
    roads(app, case=name)
    assert not app.exception
    assert scenarios()[name].lesson.replace("'", "&#x27;") in text(app)
    assert app.query_params["case"] == name


@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_the_road(app, name):
    roads(app, road=name, lookup="floor")
    assert not app.exception
    assert app.query_params["road"] == name
    assert ("looks like that nobody has measured" in text(app)) == (name == "flat")


def test_lag_0_is_called_not_lossless(app):
    roads(app, lag="0")
    assert "That is not lossless above temperature 0" in text(app)
    app.slider(key="roads_lag").set_value(4).run()
    assert "Cold start" in text(app)
    assert app.query_params["lag"] == "4"


def test_an_unknown_address_falls_back(app):
    roads(app, case="<b>", road="moon", lookup="magic", step="99", lag="many")
    assert not app.exception
    assert app.selectbox(key="roads_case").value == ""
    assert app.slider(key="roads_step").value == 3


def test_a_button_leads_to_its_case(app):
    roads(app)
    app.button(key="try_high-acceptance-can-still-lose").click().run()
    assert not app.exception
    assert "Guessing does not pay here" in text(app)


def test_an_own_table_becomes_the_road_and_the_docks_clock(app):
    roads(app, case="one-peak")
    app.text_area(key="own_text").set_value("batch,ms\n16,10\n32,11\n96,40").run()
    app.button(key="own_read").click().run()
    assert not app.exception
    assert "Read: 3 sizes, from batch 16 to 96" in text(app)
    assert app.selectbox(key="roads_road").value == "own"
    app.button(key="to_dock").click().run()
    assert not app.exception
    assert app.title[0].value == "Loading dock"
    assert app.selectbox(key="control_hardware").value == "own"
    app.switch_page("pages/loading_dock.py").run()
    app.selectbox(key="control_hardware").set_value("here").run()
    assert not app.exception
    assert app.query_params["hardware"] == "here", "back on this machine's clock"


def test_an_own_table_leads_to_the_dock_without_a_step_to_show(app):
    bare = next(pair.name for pair in PAIRS if pair.name != DEFAULT_PAIR)
    roads(app, pair=bare)
    assert "This pair has no recorded run" in text(app)
    assert not [button for button in app.button if button.key == "to_dock"]
    bring(app, "batch,ms\n16,10\n32,11\n96,40")
    app.button(key="to_dock").click().run()
    assert not app.exception
    assert app.title[0].value == "Loading dock"
    assert app.selectbox(key="control_hardware").value == "own"


def test_a_reload_and_a_second_tab_find_an_own_table_again(app):
    roads(app)
    bring(app, "batch,ms\n16,10\n32,11\n96,40")
    first = dict(app.query_params)
    bring(app, "batch,ms\n16,10\n32,11\n96,80")
    assert first["own"] != app.query_params["own"]
    again = roads(AppTest.from_file(str(ROOT / "app.py"), default_timeout=30), **first)
    assert not again.exception
    assert again.selectbox(key="roads_road").value == "own"
    assert again.session_state[reader.KEY].own.seconds[-1] == 0.04


def test_a_link_to_a_table_that_is_not_here_says_what_differs(app):
    roads(app, road="own", own="0123456789ab")
    assert not app.exception
    assert "not kept on this machine. So the road is another one: Published GPU (simulated)" in text(app)
    app.selectbox(key="roads_road").set_value("smooth").run()
    assert "not kept on this machine" not in text(app)


def test_a_damaged_table_is_answered_in_one_sentence(app):
    roads(app)
    app.text_area(key="own_text").set_value("batch,ms\n16,fast").run()
    app.button(key="own_read").click().run()
    assert "line 2 has &quot;fast&quot; where a number is needed" in text(app)
    assert app.session_state[reader.KEY].own is None


def test_what_was_given_last_counts_text_or_file(app):
    roads(app)
    app.file_uploader(key="own_file").set_value([("prose.csv", b"no table", "text/csv")]).run()
    app.button(key="own_read").click().run()
    assert "the first line is &quot;no table&quot;" in text(app)
    bring(app, "batch,ms\n16,10\n96,40")
    assert "Read: 2 sizes, from batch 16 to 96" in text(app)
    app.file_uploader(key="own_file").set_value([("good.csv", b"batch,ms\n1,10\n96,40\n128,50", "text/csv")]).run()
    assert "Read: 2 sizes" not in text(app), "what was said of the text is no longer true"
    app.button(key="own_read").click().run()
    assert "Read: 3 sizes, from batch 1 to 128" in text(app)


def test_charts_say_in_words_what_they_show(app):
    roads(app, case="staircase-traps-early-stop")
    alts = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert any("stops at batch 4 with 400" in alt for alt in alts)


def test_every_control_says_what_it_does(app):
    page = roads(app)
    controls = [*page.selectbox, *page.slider]
    assert controls
    assert [control.label for control in controls if not control.help] == []
