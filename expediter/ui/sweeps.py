"""The sweep that Rush hour shows: measured here as a job or on an earlier day, else the recorded one that ships with the pair."""

import logging
from dataclasses import dataclass
from typing import Any

import streamlit as st

from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.sweep import Sweep, SweepError, load_sweep
from expediter.core.sweep_store import keep, newest, shipped_path
from expediter.ui import jobs
from expediter.ui.asked import asked as asked_for
from expediter.ui.block_recordings import weights_now
from expediter.ui.job import Asked, Report, Work
from expediter.ui.pair_job import on_pair
from expediter.ui.turns import Turns

DEEP = "-deep"  # a second recording of a pair, with as many words guessed as its draft can

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShownSweep:
    """A sweep and where it was made."""

    sweep: Sweep
    here: bool  # on this machine
    other_weights: bool  # from weights that are no longer in models/


def shown_sweep(settings: Settings) -> ShownSweep | None:
    """The best there is for these settings; None where the pair was never swept."""
    made = here(settings)
    found = made or recorded_sweep(settings.pair, settings.depth)
    if found is None:
        return None
    now = weights_now(settings.pair)
    return ShownSweep(found, made is not None, bool(now) and found.weights != now)


def here(settings: Settings) -> Sweep | None:
    """The sweep made on this machine at these settings: just now, or kept from before."""
    weights = weights_now(settings.pair)
    return jobs.result(asked(settings)) or newest(
        settings.pair, weights, settings.depth, settings.temperature, settings.workload, settings.seed
    )


def recorded_sweep(pair: str, depth: int) -> Sweep | None:
    """The recorded sweep with this many words guessed, else the pair's main one; None where there is none."""
    deep = deep_sweep(pair)
    return deep if deep is not None and deep.depth == depth else _recorded(pair)


def deep_sweep(pair: str) -> Sweep | None:
    """The recorded sweep with as many words guessed as the draft can; None where there is none."""
    return _recorded(pair + DEEP)


@st.cache_resource(show_spinner=False)
def _recorded(name: str) -> Sweep | None:
    try:
        return load_sweep(shipped_path(name))
    except FileNotFoundError:
        return None
    except SweepError:
        log.exception("the recorded sweep %s is left out", name)
        return None


def asked(settings: Settings) -> Asked:
    """The job that measures at exactly these settings."""
    return asked_for("sweep", settings, ("depth", "temperature", "workload", "seed"))


def sweeping(settings: Settings) -> Work:
    """A job that sweeps here and keeps what it found. Its result is a Sweep."""

    def work(pair: Any, profile: Profile, report: Report, turns: Turns) -> Sweep:
        made = measure(pair, settings, profile, report, turns)
        if problem := keep(made):
            log.warning(problem)  # it is shown all the same
        return made

    return on_pair(settings.pair, work)


def measure(pair: Any, settings: Settings, profile: Profile, report: Report, turns: Turns) -> Sweep:
    """The engine's work, imported only when a model is wanted."""
    from expediter.engine.sweep import sweep

    return sweep(pair, settings, profile, report, turns)
