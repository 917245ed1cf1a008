"""Where Same answer's runs come from: the recording that ships with a pair, and jobs that make them here. Imports no torch by itself."""

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.core.answer_file import AnswerFile, load
from expediter.core.first_two import LOAD
from expediter.core.settings import Settings
from expediter.core.workloads import prompt
from expediter.ui import job
from expediter.ui.captions import count
from expediter.ui.pair_job import on_pair

FOLDER = Path(__file__).parents[2] / "assets" / "answers"
REQUESTS, TOKENS = 16, 48  # of a run on the page
KEY = "answer_runs"  # not a widget's key: outlives a change of page

log = logging.getLogger(__name__)


class Watched:
    """A run that can be watched: its newest picture, written by the job's thread and read by the page's."""

    def __init__(self) -> None:
        self.newest: Any = None


@st.cache_resource(show_spinner=False)
def recorded(pair: str) -> AnswerFile | None:
    """A pair's recording; None where there is none or it does not read."""
    path = FOLDER / f"{pair}.json"
    try:
        return load(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        log.exception("%s does not read", path.name)
        return None


def running(key: str) -> bool:
    """Whether a run is under way."""
    found = job.find(key)
    return found is not None and found.running


def shown(key: str, kept: Any) -> tuple[Any, str]:
    """What to show: the run made here, whole ("here") or on its way ("running"), else the kept one ("recorded") or None."""
    watched, found = st.session_state.get(KEY, {}).get(key), job.find(key)
    if found is not None and found.state == "done":
        return found.result, "here"
    if found is not None and found.running and watched is not None and watched.newest is not None:
        return watched.newest, "running"
    return kept, "recorded"


def compare_here(key: str, settings: Settings, number_format: str, text: Mapping) -> None:
    """Begin to compare plain and scheduled answers."""
    asked = Settings(settings.pair, REQUESTS, settings.depth, 0.0, seed=settings.seed)

    def work(pair: Any, profile: Any, report: job.Report, turns: Any, watched: Watched) -> Any:
        from expediter.engine.loader import load as load_pair
        from expediter.engine.plain import reference
        from expediter.engine.same_answer import side_by_side

        if pair.target.place.name != number_format:
            pair = load_pair(pair.name, os.environ.get("EXPEDITER_DEVICE"), number_format)

        def watch(share: float, run: Any) -> None:
            watched.newest = run
            written = sum(len(answer.tokens) for answer in run.plain.values())
            done = count(run.compared or written, "word")
            report(share, text["progress"]["scheduled" if run.compared else "plain"].format(words=done))

        return side_by_side(pair, reference(pair.name, pair.target.place), asked, profile, TOKENS, turns, watch)

    _begin(key, settings.pair, work)


def sample_here(key: str, settings: Settings, policy: str, workload: str, samples: int, rule: str, text: Mapping) -> None:
    """Begin to draw samples of the first two words at temperature 1, behind the workload's first prompt."""
    asked = Settings(settings.pair, LOAD, settings.depth, 1.0, policy=policy, seed=settings.seed)

    def work(pair: Any, profile: Any, report: job.Report, turns: Any, watched: Watched) -> Any:
        from expediter.engine.plain import reference
        from expediter.engine.same_answer import sampling

        def watch(share: float, run: Any) -> None:
            watched.newest = run
            report(share, text["progress"]["samples"].format(drawn=f"{run.drawn:,}", samples=count(samples, "sample")))

        model, question = reference(pair.name, pair.target.place), prompt(workload, settings.seed, 0)[1]
        return sampling(pair, model, asked, profile, question, samples, rule, turns, watch)

    _begin(key, settings.pair, work)


def _begin(key: str, pair: str, work: Callable[..., Any]) -> None:
    watched = Watched()
    found = job.find(key)
    if found is None or not found.running:
        st.session_state.setdefault(KEY, {})[key] = watched
        job.start(key, on_pair(pair, lambda *given: work(*given, watched), profiled=False))
