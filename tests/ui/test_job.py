"""Long work of a page: progress, cancel, failure, and a result that outlives the page."""

import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from expediter.ui.job import Job, words

PAGE = Path(__file__).with_name("job_page.py")


class Gate:
    """Work that goes on only when the test says so."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, report):
        report(0.25, "one of four")
        self.reached.set()
        assert self.open.wait(5)
        report(0.5, "two of four")
        return "result"


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


def test_a_job_tells_how_far_it_is_and_ends_with_its_result(gate):
    job = Job(gate)
    assert gate.reached.wait(5)
    assert (job.state, job.progress.done, job.progress.sentence) == ("running", 0.25, "one of four")
    gate.open.set()
    job.join(5)
    assert (job.state, job.result) == ("done", "result")


def test_cancelling_stops_the_work_at_its_next_report(gate):
    job = Job(gate)
    assert gate.reached.wait(5)
    job.cancel()
    assert job.stopping
    gate.open.set()
    job.join(5)
    assert (job.state, job.result, job.stopping) == ("cancelled", None, False)


def test_a_failure_is_one_sentence():
    def work(report):
        raise ValueError("the table is empty\nand a second line")

    job = Job(work)
    job.join(5)
    assert (job.state, job.progress.problem) == ("failed", "the table is empty.")


def test_progress_stays_between_nothing_and_all():
    seen = []

    def work(report):
        for share in (-1, 2):
            report(share, "")
            seen.append(job.progress.done)

    begun = threading.Event()
    job = Job(lambda report: (begun.wait(5), work(report)))
    begun.set()
    job.join(5)
    assert seen == [0.0, 1.0]


def page(gate) -> AppTest:
    app = AppTest.from_file(str(PAGE))
    app.session_state["gate"] = gate
    return app.run()


def test_the_panel_shows_a_running_job_and_finds_it_again(gate):
    app = page(gate)
    app.button(key="begin").click().run()
    assert gate.reached.wait(5)
    app.run()
    assert any("one of four" in html.proto.body for html in app.get("html"))
    assert app.button(key="cancel_work").label == words()["cancel"]
    gate.open.set()
    app.session_state["jobs"]["work"].join(5)
    app.run()
    assert [text.value for text in app.text] == ["result"]
    assert not [button for button in app.button if button.key == "cancel_work"]


def test_beginning_again_leaves_a_running_job_alone(gate):
    app = page(gate)
    app.button(key="begin").click().run()
    first = app.session_state["jobs"]["work"]
    app.button(key="begin").click().run()
    assert app.session_state["jobs"]["work"] is first


def test_a_cancelled_job_says_that_nothing_was_kept(gate):
    app = page(gate)
    app.button(key="begin").click().run()
    assert gate.reached.wait(5)
    app.button(key="cancel_work").click().run()
    gate.open.set()
    app.session_state["jobs"]["work"].join(5)
    app.run()
    assert any(words()["cancelled"] in html.proto.body for html in app.get("html"))
