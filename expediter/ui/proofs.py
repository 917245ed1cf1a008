"""The benchmark that Proof shows: run here as a job, else the recorded one nearest in temperature."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.core.bench import Bench, load_bench, to_json
from expediter.core.pairs import find
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.whole_file import whole_file
from expediter.ui import jobs, kept
from expediter.ui.asked import asked as asked_for
from expediter.ui.block_recordings import weights_now
from expediter.ui.job import Asked, Report, Work
from expediter.ui.pair_job import on_pair
from expediter.ui.proof_words import progress
from expediter.ui.turns import Turns

FOLDER = Path(__file__).parents[2] / "assets" / "bench"
LOADS, POLICIES = (1, 4, 16), ("off", "all", "fixed:2", "early-stop", "best-plan", "oracle")
BLOCKS, SECONDS = 6, 0.25  # of each, and how long one is

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShownBench:
    """A result and where it was made."""

    bench: Bench
    here: bool  # on this machine
    other_weights: bool  # from weights that are no longer in models/


def shown_bench(settings: Settings) -> ShownBench | None:
    """What to show for this pair and temperature; None where the pair was never measured."""
    made = jobs.result(asked(settings)) or kept.find(kept_path(settings), load_bench)
    found = made or nearest(recorded_benches(settings.pair), settings.temperature)
    if found is None:
        return None
    now = weights_now(settings.pair)
    return ShownBench(found, made is not None, bool(now) and found.weights != now)


def nearest(benches: tuple[Bench, ...], temperature: float) -> Bench | None:
    """The result whose temperature is nearest; None without any."""
    return min(benches, key=lambda bench: abs(bench.temperature - temperature), default=None)


@st.cache_resource(show_spinner=False)
def recorded_benches(pair: str) -> tuple[Bench, ...]:
    """Every shipped result of this pair. A damaged file is left out: the page must go on."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        try:
            bench = load_bench(path)
        except (OSError, ValueError):
            log.exception("the recorded benchmark %s is left out", path.name)
            continue
        if bench.pair == pair:
            found.append(bench)
    return tuple(found)


def asked(settings: Settings) -> Asked:
    """The job that measures this pair at this temperature."""
    return asked_for("bench", settings, ("temperature",))


def kept_path(settings: Settings) -> Path | None:
    """Where the last result for these settings is kept."""
    return kept.path("bench", settings.pair, weights_now(settings.pair), f"{settings.temperature:g}")


def measuring(settings: Settings) -> Work:
    """A job that runs a short benchmark here and keeps what came of it. Its result is a Bench."""
    path = kept_path(settings)

    def work(pair: Any, profile: Profile, report: Report, turns: Turns) -> Bench:
        from expediter.engine.bench import Plan, bench  # torch: not before somebody asks for it

        plan = Plan(loads=LOADS, policies=POLICIES, temperature=settings.temperature, blocks=BLOCKS, seconds=SECONDS)
        made = bench(pair, find(settings.pair), profile, plan, lambda done, sentence: report(done, progress(sentence)), turns)
        kept.keep(path, lambda to: _write(to, made))
        return made

    return on_pair(settings.pair, work)


def _write(path: Path, made: Bench) -> None:
    with whole_file(path) as draft:
        draft.write_text(to_json(made), encoding="utf-8")
