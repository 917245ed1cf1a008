"""The jobs of this process, shared by every tab: a page that is loaded anew, or opened twice, finds what runs and what came of it."""

import threading
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import streamlit as st

from expediter.ui.job import Asked, Asker, Job, Work

TAB = "tab"  # not a widget's key: outlives a change of page
KEPT = 24  # ended jobs whose results stay in memory


class Jobs:
    """All of them by key, in the order of beginning. Any thread may ask."""

    def __init__(self, kept: int = KEPT) -> None:
        self._jobs: dict[str, Job] = {}
        self._kept, self._changing = kept, threading.Lock()

    def find(self, key: str) -> Job | None:
        """The job under this key, running or ended; None when there was none."""
        return self._jobs.get(key)

    def kind(self, kind: str) -> list[Job]:
        """Those of a kind, the newest first."""
        with self._changing:
            return [job for key, job in reversed(self._jobs.items()) if key.split(" ")[0] == kind]

    def start(self, asked: Asked, work: Work, asker: Asker) -> Job:
        """Begin it, in place of an ended one. One that still runs is left alone and returned."""
        with self._changing:
            before = self._jobs.get(asked.key)
            if before is not None and before.running:
                return before
            self._jobs.pop(asked.key, None)
            made = self._jobs[asked.key] = Job(work, asked, asker)
            ended = [key for key, job in self._jobs.items() if not job.running]
            for key in ended[: max(len(ended) - self._kept, 0)]:
                del self._jobs[key]
            return made

    def forget(self, key: str) -> None:
        """Drop an ended job: its result and its news."""
        with self._changing:
            if key in self._jobs and not self._jobs[key].running:
                del self._jobs[key]


@st.cache_resource(show_spinner=False)
def registry() -> Jobs:
    """The process's one."""
    return Jobs()


def find(key: str) -> Job | None:
    """The job under this key, whoever began it."""
    return registry().find(key)


def running(key: str) -> bool:
    """Whether it is under way."""
    found = find(key)
    return found is not None and found.running


def result(asked: Asked) -> Any:
    """What a job that was asked for exactly this has come to; None where there is none, or not yet."""
    found = find(asked.key)
    return None if found is None else found.result


def times(asked: Asked) -> int:
    """How often this was asked for."""
    found = find(asked.key)
    return 0 if found is None else found.asker.time


def start(asked: Asked, work: Work) -> Job:
    """Begin it for this reader. One that still runs, in whichever tab it was begun, is left alone and returned."""
    asker = Asker(_tab(), urlencode(st.query_params.to_dict()), times(asked) + 1)
    return registry().start(asked, work, asker)


def mine(job: Job) -> bool:
    """Whether it was begun in this tab, since the page was last loaded."""
    return job.asker.tab == _tab()


def _tab() -> str:
    return st.session_state.setdefault(TAB, uuid4().hex)
