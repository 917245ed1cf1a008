"""Same answer from app.py with dice in place of models: recorded runs, runs made here, the counterexample's switch and numbers."""

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.core.answer_file import AnswerFile
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import answer_runs, block_recordings, jobs, live, reader
from tests.answers import answer_file, sampling, side_by_side
from tests.fakes import PAIRS, FakeSource, recording

ROOT = Path(__file__).parents[2]
RUN = recording(Settings(), steps=1)


def now() -> str:
    """A run that has just ended, however long the tests before took."""
    return datetime.now(UTC).isoformat()


class Gate:
    """Stands in for a pair's job: shows what the test has for it, waits until the test opens it, then returns what the test says."""

    def __init__(self):
        self.open, self.shown, self.result, self.picture = threading.Event(), threading.Event(), None, None

    def __call__(self, name, work, profiled=True):
        def run(report):
            report(0.5, "half", self.picture)
            self.shown.set()
            assert self.open.wait(20)
            report(0.5, "half")
            return self.result

        return run


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


@pytest.fixture
def app(monkeypatch, gate) -> AppTest:
    """The page, beside recorded runs of dice for one of two pairs."""
    monkeypatch.setattr(live, "source", FakeSource)
    monkeypatch.setattr(reader, "pairs", lambda: list(PAIRS))
    monkeypatch.setattr(reader, "recorded", lambda pair: RUN)
    monkeypatch.setattr(answer_runs, "recorded", lambda pair: answer_file() if pair == DEFAULT_PAIR else None)
    monkeypatch.setattr(block_recordings, "weights_now", lambda pair: "0123456789ab")
    monkeypatch.setattr(answer_runs, "on_pair", gate)
    st.cache_resource.clear()
    yield tab()
    st.cache_resource.clear()


def tab() -> AppTest:
    """The app in a tab of its own: loaded anew, it is another one."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)


def finish(gate: Gate, kind: str) -> None:
    """Let the newest job of this kind come to its end."""
    gate.open.set()
    jobs.registry().kind(kind)[0].join(20)


def opened(app: AppTest, **query: str) -> AppTest:
    """Open the page at an address."""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run().switch_page("pages/same-answer.py").run()


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_recorded_runs_are_shown_at_once_with_their_origin(app):
    opened(app)
    assert not app.exception
    assert app.title[0].value == "Same answer"
    assert "175 words compared, over 7 ways to decide. Not one differs." in text(app)
    assert "Recorded on float32 · dice, 2 January 2026" in text(app)
    assert "Verdict at 1,000 samples" in text(app)
    assert len(app.get("plotly_chart")) == 3
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_short_numbers_show_where_texts_part(app):
    opened(app)
    app.selectbox(key="answers_format").select("bfloat16").run()
    assert not app.exception
    assert "6 places at which the texts part" in text(app)
    assert "bfloat16 keeps two to three digits" in text(app)
    assert "ex-differs" in text(app)


def test_a_pair_without_a_recording_offers_to_run(app):
    opened(app, pair="mini-good")
    assert not app.exception
    assert text(app).count("Nothing of this pair has been recorded") == 2
    assert "Bent by" not in text(app)


def test_a_run_made_here_is_watched_and_then_stays(app, gate):
    opened(app)
    gate.picture = side_by_side(requests=2)
    app.button(key="run_greedy").click().run()
    assert gate.shown.wait(20)
    app.run()
    assert "So far: 70 words compared" in text(app)
    assert "Running here now" in text(app)
    assert app.button(key="run_greedy").disabled
    gate.result = AnswerFile(now(), "abc", (side_by_side(requests=3),), None)
    finish(gate, "answers")
    app.run()
    assert not app.exception
    assert "105 words compared" in text(app)
    assert "Run here just now" in text(app)


def test_a_run_outlives_its_page_and_is_shown_under_its_own_choices_only(app, gate):
    opened(app)
    gate.picture = sampling((30, 50, 10, 10), planned=1024)
    app.selectbox(key="answers_rule").select("accept-always").run()
    app.selectbox(key="answers_samples").select(4096).run()
    app.button(key="run_chance").click().run()
    assert gate.shown.wait(20)
    reloaded = opened(tab(), **app.query_params)
    assert (reloaded.selectbox(key="answers_rule").value, reloaded.selectbox(key="answers_samples").value) == ("accept-always", 4096)
    assert "100 of 1,024 samples so far" in text(reloaded)
    assert "Begun in another tab" in text(reloaded)
    other = opened(tab())
    assert "100 of 1,024 samples so far" not in text(other)
    assert "Under way for other choices than those above: " in text(other)
    assert "4,096 samples, accept every guess" in text(other)
    gate.result = AnswerFile(now(), "abc", (), sampling((300, 500, 100, 100), rule="accept-always"))
    finish(gate, "samples")
    assert "Broken on purpose: every guess passes" in text(reloaded.run())
    assert "Broken on purpose: every guess passes" not in text(other.run())
    assert "Finished just now for other choices than those above" in text(other)


def test_a_broken_check_is_caught_and_named(app, gate):
    opened(app)
    app.selectbox(key="answers_rule").select("accept-always").run()
    app.button(key="run_chance").click().run()
    gate.result = AnswerFile(now(), "abc", (), sampling((300, 500, 100, 100), rule="accept-always"))
    finish(gate, "samples")
    app.run()
    assert "Broken on purpose: every guess passes" in text(app)
    assert "not the big model&#x27;s words any more" in text(app)


def test_the_switch_bends_the_words_and_back(app):
    opened(app)
    assert "Not bent." in text(app)
    app.toggle(key="answers_peek").set_value(True).run()
    assert not app.exception
    assert "Bent by 15 %." in text(app)
    assert app.query_params["peek"] == "1"
    app.button(key="answers_again").click().run()
    assert "2,000 answers drawn" in text(app)
    app.toggle(key="answers_peek").set_value(False).run()
    assert "Not bent." in text(app)
    assert "peek" not in app.query_params


def test_an_address_opens_with_the_switch_on_and_numbers_can_undo_the_bend(app):
    opened(app, peek="1")
    assert "Bent by 15 %." in text(app)
    app.slider(key="answers_sps2").set_value(0.8).run()
    assert "even the peeking search does the same for A and for B" in text(app)
    app.button(key="answers_paper").click().run()
    assert "Bent by 15 %." in text(app)


def test_choices_outlive_a_change_of_page(app):
    opened(app)
    app.selectbox(key="answers_format").select("bfloat16").run()
    app.toggle(key="answers_peek").set_value(True).run()
    app.switch_page("pages/bumpy-roads.py").run()
    app.switch_page("pages/same-answer.py").run()
    assert app.selectbox(key="answers_format").value == "bfloat16"
    assert app.toggle(key="answers_peek").value
