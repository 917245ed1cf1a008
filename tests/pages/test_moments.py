"""Links to a moment and the rows under the pages, from app.py, with dice in place of models. Copying and drawing need the browser tests."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from expediter.core.settings import Settings
from expediter.ui import address, reader
from tests.fakes import FakeEngine, profile
from tests.pages.test_loading_dock import RUN, bring_up, session, source, text  # noqa: F401  the app with dice

ROOT = Path(__file__).parents[2]
DICE = Settings(seed=5)


@pytest.fixture
def app(source) -> AppTest:  # noqa: F811
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)


def open_at(app: AppTest, step: str, table: str, settings: Settings) -> None:
    """Open a link to a moment."""
    for name, value in {**address.spell(settings), "step": step, "table": table}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception


def looks(app: AppTest) -> None:
    """The page's looks at its state, until nothing goes on any more."""
    app.run()
    while session(app).unsettled:
        session(app).travel(1)
        app.run()


def test_a_link_to_a_recorded_step_opens_it_at_once(app):
    open_at(app, "2", RUN[1].table, Settings())
    assert session(app).history.shown == RUN[1]
    assert app.query_params["step"] == "2"
    session(app).act("advance")
    app.run()
    assert "step" not in app.query_params, "the bar never names a step that has passed"
    assert "table" not in app.query_params


def test_a_link_to_a_live_step_is_replayed(app):
    table = profile("measured here")
    engine = FakeEngine(DICE, table)
    sent = [engine.step() for _ in range(7)][-1]
    bring_up()
    open_at(app, "7", table.fingerprint, DICE)
    assert "is replayed as soon as the model is ready" in text(app)
    looks(app)
    assert session(app).history.shown == sent
    assert "fingerprint" not in text(app)
    assert app.query_params["table"] == table.fingerprint


def test_a_link_from_another_table_says_what_differs(app):
    bring_up()
    open_at(app, "7", "0a1b2c3d4e5f", DICE)
    looks(app)
    assert "another step-rate table (fingerprint 0a1b2c3d4e5f" in text(app)


def test_the_dock_offers_its_step_and_every_page_its_link(app):
    app.run()
    assert [button.proto.label for button in app.get("download_button")] == ["Download this step", "Download as a page"]
    app.switch_page("pages/bumpy-roads.py").run()
    assert not app.exception
    assert reader.KEY in app.session_state
    assert app.get("download_button") == []
