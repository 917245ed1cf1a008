"""Where Same answer's runs come from: made here as jobs, now or on an earlier day, else the recording that ships with a pair.

Imports no torch by itself.
"""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.core.answer_file import AnswerFile, load, save
from expediter.core.answers import SideBySide
from expediter.core.first_two import LOAD, Sampling
from expediter.core.settings import Settings
from expediter.core.workloads import prompt
from expediter.ui import jobs, kept
from expediter.ui.asked import asked
from expediter.ui.block_recordings import weights_now
from expediter.ui.captions import count
from expediter.ui.job import Asked, Report, Work
from expediter.ui.pair_job import on_pair

FOLDER = Path(__file__).parents[2] / "assets" / "answers"
REQUESTS, TOKENS = 16, 48  # of a run on the page

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What is on the page, and where it comes from."""

    run: SideBySide | Sampling | None
    state: str  # recorded, running or here
    when: str = ""  # ISO 8601, when it was made here


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


def comparing(settings: Settings, number_format: str, text: Mapping) -> Asked:
    """The job that compares plain and scheduled answers."""
    return asked("answers", settings, ("depth", "seed"), {number_format: text["formats"][number_format]})


def drawing(settings: Settings, policy: str, workload: str, samples: int, rule: str, text: Mapping) -> Asked:
    """The job that draws samples at temperature 1."""
    chosen = Settings(settings.pair, depth=settings.depth, policy=policy, workload=workload, seed=settings.seed)
    more = {f"{samples}": count(samples, "sample"), rule: "" if rule == "honest" else text["rules"][rule].lower()}
    return asked("samples", chosen, ("depth", "policy", "workload", "seed"), more)


def shown(wanted: Asked, pair: str, recording: SideBySide | Sampling | None) -> Shown:
    """The newest there is for exactly this: on its way, made here, or recorded."""
    found = jobs.find(wanted.key)
    if found is not None and found.running and found.progress.picture is not None:
        return Shown(found.progress.picture, "running")
    made: AnswerFile | None = jobs.result(wanted) or kept.find(_path(wanted, pair), load)
    if made is None:
        return Shown(recording, "recorded")
    return Shown(made.sampling or made.side_by_side[0], "here", made.recorded_at)


def compare_here(wanted: Asked, settings: Settings, number_format: str, text: Mapping) -> Work:
    """Compare plain and scheduled answers, for all to watch."""
    chosen = Settings(settings.pair, REQUESTS, settings.depth, 0.0, seed=settings.seed)
    path, weights = _path(wanted, settings.pair), weights_now(settings.pair)

    def work(pair: Any, profile: Any, report: Report, turns: Any) -> AnswerFile:
        from expediter.engine.loader import load as load_pair
        from expediter.engine.plain import reference
        from expediter.engine.same_answer import side_by_side

        report(None, text["progress"]["reading"])
        if pair.target.place.name != number_format:
            pair = load_pair(pair.name, os.environ.get("EXPEDITER_DEVICE"), number_format)

        def watch(share: float, run: SideBySide) -> None:
            written = sum(len(answer.tokens) for answer in run.plain.values())
            done = count(run.compared or written, "word")
            report(share, text["progress"]["scheduled" if run.compared else "plain"].format(words=done), run)

        run = side_by_side(pair, reference(pair.name, pair.target.place), chosen, profile, TOKENS, turns, watch)
        return _kept(path, AnswerFile(_now(), weights, (run,), None))

    return on_pair(settings.pair, work, profiled=False)


def sample_here(wanted: Asked, settings: Settings, policy: str, workload: str, samples: int, rule: str, text: Mapping) -> Work:
    """Draw samples of the first two words at temperature 1, behind the workload's first prompt, for all to watch."""
    chosen = Settings(settings.pair, LOAD, settings.depth, 1.0, policy=policy, seed=settings.seed)
    path, weights = _path(wanted, settings.pair), weights_now(settings.pair)

    def work(pair: Any, profile: Any, report: Report, turns: Any) -> AnswerFile:
        from expediter.engine.plain import reference
        from expediter.engine.same_answer import sampling

        def watch(share: float, run: Sampling) -> None:
            report(share, text["progress"]["samples"].format(drawn=f"{run.drawn:,}", samples=count(samples, "sample")), run)

        report(None, text["progress"]["reading"])
        model, question = reference(pair.name, pair.target.place), prompt(workload, settings.seed, 0)[1]
        run = sampling(pair, model, chosen, profile, question, samples, rule, turns, watch)
        return _kept(path, AnswerFile(_now(), weights, (), run))

    return on_pair(settings.pair, work, profiled=False)


def _path(wanted: Asked, pair: str) -> Path | None:
    """Where the last result of this job is kept."""
    kind, *rest = wanted.key.split(" ")
    return kept.path(kind, pair, weights_now(pair), *rest[2:])


def _kept(path: Path | None, made: AnswerFile) -> AnswerFile:
    kept.keep(path, lambda to: save(to, made))
    return made


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
