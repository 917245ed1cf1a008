"""The jobs of the process: one for all tabs, never the same one twice at once, and no more results than are kept."""

import gc
import threading
import weakref

import pytest

from expediter.ui.job import Asked, Asker
from expediter.ui.jobs import Jobs
from tests.ui.test_job import Gate

ME, OTHER = Asker("my tab"), Asker("other tab")


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.open.set()


def ended(job):
    job.join(5)
    assert not job.running
    return job


def test_a_running_job_is_found_and_left_alone_whoever_asks_again(gate):
    jobs = Jobs()
    first = jobs.start(Asked("sweep a"), gate, ME)
    assert jobs.start(Asked("sweep a"), lambda report: "another", OTHER) is first
    assert jobs.find("sweep a") is first
    assert first.asker is ME


def test_two_tabs_that_ask_at_the_same_moment_begin_one_job(gate):
    jobs, begun, go = Jobs(), [], threading.Barrier(4)

    def ask(tab):
        go.wait(5)
        begun.append(jobs.start(Asked("sweep a"), gate, Asker(tab)))

    threads = [threading.Thread(target=ask, args=(tab,)) for tab in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert len(begun) == 4
    assert len(set(begun)) == 1


def test_an_ended_job_is_replaced_and_another_setting_is_another_job():
    jobs = Jobs()
    first = ended(jobs.start(Asked("sweep a 0.6"), lambda report: 1, ME))
    second = ended(jobs.start(Asked("sweep a 0.6"), lambda report: 2, ME))
    third = ended(jobs.start(Asked("sweep a 0.7"), lambda report: 3, ME))
    ended(jobs.start(Asked("bench a"), lambda report: 4, ME))
    assert first is not second
    assert jobs.find("sweep a 0.6").result == 2
    assert jobs.kind("sweep") == [third, second]
    jobs.forget("sweep a 0.6")
    assert jobs.find("sweep a 0.6") is None


def test_a_running_job_cannot_be_forgotten(gate):
    jobs = Jobs()
    job = jobs.start(Asked("sweep a"), gate, ME)
    jobs.forget("sweep a")
    assert jobs.find("sweep a") is job


def test_only_so_many_results_stay_in_memory_and_a_running_job_is_none_of_them(gate):
    class Heavy:
        pass

    made = []

    def work(report):
        result = Heavy()
        made.append(weakref.ref(result))
        return result

    jobs = Jobs(kept=2)
    running = jobs.start(Asked("work running"), gate, ME)
    for number in range(6):
        ended(jobs.start(Asked(f"work {number}"), work, ME))
    ended(jobs.start(Asked("work last"), lambda report: None, ME))
    gc.collect()
    assert sum(result() is not None for result in made) <= 2
    assert jobs.find("work running") is running
    assert jobs.find("work 5") is not None
