"""Long work behind a page: one thread, its progress, a way to cancel, and a result that waits until a reader comes for it.

    asked = Asked(f"sweep {pair} {temperature}", "Pocket, temperature 0.6")         # whatever could change the result is in the key
    work = on_pair(pair, lambda pair, profile, report, turns: sweep(pair, profile, report=report, lock=turns))   # ui.pair_job
    offer("Measure here", asked, work)           # ui.job_panel: the button; bar and Cancel while it runs, one sentence when it failed
    made = jobs.result(asked)                    # ui.jobs: what it came to, in whichever tab it was begun; None before

Work calls no Streamlit. What computes with a model takes a turn at the one processor for each small unit of it
(`with turns: engine.step()`), so that the dock's own steps go on in between.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from expediter.ui.live import sentence as as_sentence

Report = Callable[..., None]  # share done 0..1, None where nobody knows; one sentence; a picture of what is there so far, if it has one
Work = Callable[[Report], Any]  # its report raises Cancelled
log = logging.getLogger(__name__)


class Cancelled(Exception):
    """The reader does not want the result any more."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a job is to do. Jobs with the same key are the same job, in every tab."""

    key: str  # its kind, a space, and everything that could change the result
    about: str = ""  # the same in a reader's words


@dataclass(frozen=True, slots=True)
class Asker:
    """Who began a job."""

    tab: str = ""  # identity of the session; a page that is loaded anew is another one
    address: str = ""  # the query of the page's address: it leads back to what was asked for
    time: int = 1  # how often this was asked for, this time included


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job has come. Replaced whole, so that any thread may read it at any time."""

    state: str = "running"  # running, done, cancelled, failed
    done: float | None = None  # share, 0..1; None while nobody knows
    sentence: str = ""  # what it does now
    picture: Any = None  # what is there so far, while it runs, of work that can be watched
    result: Any = None  # when done
    problem: str = ""  # when failed: one sentence for the reader


class Job:
    """One piece of work in a thread of its own. It begins at once."""

    def __init__(self, work: Work, asked: Asked, asker: Asker = Asker()) -> None:
        self.asked, self.asker = asked, asker
        self.progress = JobProgress()
        self.ended_at = ""  # ISO 8601; empty while it runs
        self.since = time.monotonic()  # when it began
        self._unwanted = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), name=asked.key, daemon=True)
        self._thread.start()

    @property
    def state(self) -> str:
        """running, done, cancelled or failed."""
        return self.progress.state

    @property
    def running(self) -> bool:
        """True until the work has ended, also between `cancel` and the work noticing it."""
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

    def _report(self, done: float | None, sentence: str, picture: Any = None) -> None:
        if self._unwanted.is_set():
            raise Cancelled
        share = None if done is None else min(max(float(done), 0.0), 1.0)
        self.progress = JobProgress(done=share, sentence=sentence, picture=self.progress.picture if picture is None else picture)

    def _run(self, work: Work) -> None:
        try:
            self._end(JobProgress("done", 1.0, result=work(self._report)))
        except Cancelled:
            self._end(JobProgress("cancelled"))
        except Exception as error:  # whatever models, files and libraries can throw: the page goes on and says so
            log.exception("%s failed", self.asked.key)
            self._end(JobProgress("failed", problem=as_sentence(error)))

    def _end(self, progress: JobProgress) -> None:
        self.ended_at = datetime.now(UTC).isoformat()
        self.progress = progress
