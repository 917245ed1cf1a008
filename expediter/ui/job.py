"""Long work behind a page: one thread, its progress, a way to cancel, and a result that waits until the reader comes back.

    work = on_pair("pocket-good", lambda pair, profile, report, turns: sweep(pair, profile, report=report, lock=turns))   # ui.pair_job
    if st.button("Measure here"):
        start("sweep pocket-good", work)
    panel("sweep pocket-good")                   # bar and Cancel while it runs, one sentence when it failed
    job = find("sweep pocket-good")              # job.state == "done": job.result

Work calls no Streamlit. What computes with a model takes a turn at the one processor for each small unit of it
(`with turns: engine.step()`), so that the dock's own steps go on in between.
"""

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.ui.live import sentence as as_sentence

KEY = "jobs"  # not a widget's key: outlives a change of page
TICK = 0.5  # seconds between two looks at a running job
WORDS = Path(__file__).parents[2] / "assets" / "job.json"

Report = Callable[[float, str], None]  # share done 0..1 and one sentence; raises Cancelled
Work = Callable[[Report], Any]
log = logging.getLogger(__name__)


class Cancelled(Exception):
    """The reader does not want the result any more."""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come. Replaced whole, so that any thread may read it at any time."""

    state: str = "running"  # running, done, cancelled, failed
    done: float = 0.0  # share, 0..1
    sentence: str = ""  # what it does now
    result: Any = None  # when done
    problem: str = ""  # when failed: one sentence for the reader


class Job:
    """One piece of work in a thread of its own. It begins at once."""

    def __init__(self, work: Work, name: str = "job") -> None:
        self.progress = JobProgress()
        self._unwanted = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work, name), name=name, daemon=True)
        self._thread.start()

    @property
    def state(self) -> str:
        """running, done, cancelled or failed."""
        return self.progress.state

    @property
    def running(self) -> bool:
        """True until the thread has ended, also between `cancel` and the work noticing it."""
        return self.progress.state == "running"

    @property
    def result(self) -> Any:
        """What the work returned; None unless done."""
        return self.progress.result

    def cancel(self) -> None:
        """Ask the work to stop: its next report raises Cancelled. Returns at once."""
        self._unwanted.set()

    @property
    def stopping(self) -> bool:
        """True when it was cancelled and has not yet noticed."""
        return self.running and self._unwanted.is_set()

    def join(self, seconds: float) -> None:
        """Wait at most so long for the end. For tests and scripts; a page never waits."""
        self._thread.join(seconds)

    def _report(self, done: float, sentence: str) -> None:
        if self._unwanted.is_set():
            raise Cancelled
        self.progress = JobProgress(done=min(max(float(done), 0.0), 1.0), sentence=sentence)

    def _run(self, work: Work, name: str) -> None:
        try:
            self.progress = JobProgress("done", 1.0, result=work(self._report))
        except Cancelled:
            self.progress = JobProgress("cancelled")
        except Exception as error:  # whatever models, files and libraries can throw: the page goes on and says so
            log.exception("%s failed", name)
            self.progress = JobProgress("failed", problem=as_sentence(error))


@cache
def words() -> dict:
    """Labels of the panel."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def jobs() -> dict[str, Job]:
    """This reader's jobs by key, the ended ones too."""
    return st.session_state.setdefault(KEY, {})


def find(key: str) -> Job | None:
    """The job under this key, running or ended; None when there was none."""
    return jobs().get(key)


def start(key: str, work: Work) -> Job:
    """Begin this work under the key, in place of an ended job. One that still runs is left alone and returned."""
    job = find(key)
    if job is None or not job.running:
        job = jobs()[key] = Job(work, key)
    return job


def panel(key: str) -> None:
    """The job under this key as the reader sees it: bar and Cancel while it runs, a sentence when it failed or was cancelled.

    The bar refreshes itself; the page reruns once, when the job ends. Draws nothing for a job that is done or was never begun.
    """
    job = find(key)
    if job is None or job.state == "done":
        return
    if job.running:
        _watch(key)
    else:
        said = words()["cancelled"] if job.state == "cancelled" else words()["failed"].format(problem=job.progress.problem)
        st.html(f"<p class='ex-notice' role='status'>{escape(said)}</p>")


@st.fragment(run_every=TICK)
def _watch(key: str) -> None:
    job = find(key)
    if job is None or not job.running:
        st.rerun()
    progress = job.progress
    said = words()["stopping"] if job.stopping else progress.sentence or words()["starting"]
    with st.container(key=f"job_{key}", gap="small"):
        # a bar of our own: Streamlit's has no name that a screen reader could say
        bar = f"<progress max='1' value='{progress.done:.3f}' aria-label='{escape(said)}' style='width: 100%'></progress>"
        st.html(f"{bar}<p class='ex-state'>{escape(said)}</p>")
        if st.button(words()["cancel"], key=f"cancel_{key}", disabled=job.stopping):
            job.cancel()
            st.rerun(scope="fragment")
