"""Long work of a page: progress, cancel, failure."""

import threading

import pytest

from expediter.ui.job import Asked, Job

ASKED = Asked("work one", "the one")


class Gate:
    """Work that goes on only when the test says so."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def __call__(self, report):
        report(0.25, "one of four", "a quarter")
        self.reached.set()
        assert self.open.wait(20)
        report(0.5, "two of four")
        return "result"


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


def test_a_job_tells_how_far_it_is_and_ends_with_its_result(gate):
    job = Job(gate, ASKED)
    assert gate.reached.wait(5)
    assert (job.state, job.progress.done, job.progress.sentence, job.ended_at) == ("running", 0.25, "one of four", "")
    gate.open.set()
    job.join(5)
    assert (job.state, job.result) == ("done", "result")
    assert job.ended_at


def test_what_is_there_so_far_can_be_watched_and_is_let_go_of_at_the_end(gate):
    job = Job(gate, ASKED)
    assert gate.reached.wait(5)
    assert job.progress.picture == "a quarter"
    gate.open.set()
    job.join(5)
    assert job.progress.picture is None


def test_a_picture_stays_until_the_next_one():
    seen = []

    def work(report):
        begun.wait(5)
        for picture in ("first", None, "second"):
            report(None, "", picture)
            seen.append(job.progress.picture)

    begun = threading.Event()
    job = Job(work, ASKED)
    begun.set()
    job.join(5)
    assert seen == ["first", "first", "second"]


def test_cancelling_stops_the_work_at_its_next_report(gate):
    job = Job(gate, ASKED)
    assert gate.reached.wait(5)
    job.cancel()
    assert job.stopping
    gate.open.set()
    job.join(5)
    assert (job.state, job.result, job.stopping) == ("cancelled", None, False)


def test_a_failure_is_one_sentence():
    def work(report):
        raise ValueError("the table is empty\nand a second line")

    job = Job(work, ASKED)
    job.join(5)
    assert (job.state, job.progress.problem) == ("failed", "the table is empty.")


def test_progress_stays_between_nothing_and_all_and_may_be_unknown():
    seen = []

    def work(report):
        begun.wait(5)
        for share in (-1, 2, None):
            report(share, "")
            seen.append(job.progress.done)

    begun = threading.Event()
    job = Job(work, ASKED)
    begun.set()
    job.join(5)
    assert seen == [0.0, 1.0, None]
