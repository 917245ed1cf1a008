"""What a reader sees of a job: in the tab that began it, in another one, after the page is loaded anew, and under other settings."""

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from expediter.ui import jobs
from expediter.ui.job import Asked, Job, Work
from expediter.ui.job_panel import unfinished, words
from tests.ui.test_job import Gate

PAGE = Path(__file__).with_name("job_page.py")
GATES: dict[str, Work] = {}


@pytest.fixture(autouse=True)
def gates():
    """Work of two names, and no job yet."""
    GATES.update(one=Gate(), two=Gate())
    st.cache_resource.clear()
    made = list(GATES.values())
    yield
    for gate in (*made, *GATES.values()):
        if isinstance(gate, Gate):
            gate.open.set()
    st.cache_resource.clear()


def tab(name: str = "one") -> AppTest:
    """The page in a tab of its own: loaded anew, it is another one."""
    app = AppTest.from_file(str(PAGE), default_timeout=20)
    app.query_params["name"] = name
    return app.run()


def begun(app: AppTest, name: str = "one") -> AppTest:
    app.button(key="begin").click().run()
    assert GATES[name].reached.wait(5)
    return app.run()


def finish(name: str = "one") -> None:
    GATES[name].open.set()
    jobs.find(f"work {name}").join(5)


def text(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def keys(app: AppTest) -> list[str]:
    return [button.key for button in app.button]


def test_bar_sentence_and_a_way_to_cancel_while_it_runs_then_the_result():
    app = begun(tab())
    assert "one of four" in text(app)
    assert "value='0.250'" in text(app)
    assert app.button(key="cancel_work one").label == words()["cancel"]
    assert app.button(key="begin").disabled
    assert words()["elsewhere"] not in text(app)
    finish()
    app.run()
    assert [element.value for element in app.text] == ["result"]
    assert keys(app) == ["begin"]


def test_a_page_that_is_loaded_anew_in_the_middle_finds_the_job_and_at_the_end_its_result():
    begun(tab())
    again = tab()
    assert "one of four" in text(again)
    assert words()["elsewhere"] in text(again)
    assert again.button(key="begin").disabled
    finish()
    assert [element.value for element in again.run().text] == ["result"]
    assert [element.value for element in tab().text] == ["result"]


def test_another_tab_may_cancel():
    mine, theirs = begun(tab()), tab()
    theirs.button(key="cancel_work one").click().run()
    finish()
    for app in (mine, theirs):
        app.run()
        assert words()["cancelled"] in text(app)
        assert not app.text
        assert not app.button(key="begin").disabled


def test_under_other_settings_neither_bar_nor_result_is_taken_for_theirs():
    begun(tab())
    other = tab("two")
    assert words()["other_running"].format(about="the one") in text(other)
    assert not other.button(key="begin").disabled
    assert "cancel_work one" in keys(other)
    finish()
    other.run()
    assert not other.text
    assert words()["other_done"].format(about="the one", when="just now") in text(other)
    assert "<a href='?name=one' target='_self'>" in text(other)


def test_two_of_a_kind_run_beside_each_other():
    begun(tab())
    other = begun(tab("two"), "two")
    assert {"cancel_work one", "cancel_work two"} <= set(keys(other))


def test_a_failure_stays_told_with_its_age():
    GATES["one"] = lambda report: 1 / 0
    app = tab()
    app.button(key="begin").click().run()
    jobs.find("work one").join(5)
    app.run()
    assert not app.exception
    assert "This could not be finished: division by zero." in text(app)
    assert "This could not be finished: division by zero." in text(tab())
    job = jobs.find("work one")
    job.ended_at = "2026-01-01T00:00:00+00:00"
    assert "days ago): division by zero." in unfinished(job)


def test_a_cancelled_job_is_news_for_a_while_only():
    job = Job(lambda report: None, Asked("work x"))
    job.join(5)
    job.progress = replace(job.progress, state="cancelled")
    assert unfinished(job) == words()["cancelled"]
    job.ended_at = "2026-01-01T00:00:00+00:00"
    assert unfinished(job) == ""


def test_of_unknown_length_is_a_bar_without_an_end_that_stays_the_same_while_the_same_goes_on():
    class Unknown(Gate):
        def __call__(self, report):
            return super().__call__(lambda share, sentence, picture=None: report(None, "2 of 3: reading the models into memory."))

    GATES["one"] = Unknown()
    app = begun(tab())
    first = next(element.proto.body for element in app.get("html") if "ex-moving" in element.proto.body)
    assert "aria-label='2 of 3: reading the models into memory.'" in first
    assert "value=" not in first
    app.run()
    assert first in [element.proto.body for element in app.get("html")]
