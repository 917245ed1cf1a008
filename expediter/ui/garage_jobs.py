"""What can be done with a pair that takes a while, as jobs: the same functions as the command line's."""

import os
from collections.abc import Mapping
from typing import Any

from expediter.core.pairs import MODELS, PairInfo
from expediter.engine.calibration_store import put_back, set_aside, write_calibration
from expediter.ui import job_panel, jobs
from expediter.ui.job import Asked, Job, Report, Work
from expediter.ui.live import live_pair, processor
from expediter.ui.page import say
from expediter.ui.pair_job import on_pair

KINDS = ("fetch", "unload", "profile", "calibrate", "put_back", "remove")
ADD = "add a pair"  # the key of the one job that belongs to no pair yet
CHANGING = (*KINDS, "add")  # what the list of pairs, or whose weights are whose, may be changed by
FETCHING = ("fetch", "add")


def key(kind: str, name: str) -> str:
    """The name of this kind of job on this pair."""
    return f"{kind} {name}"


def current(name: str) -> tuple[str, Job] | None:
    """The running job on a pair, whoever began it, and its kind; None where there is none."""
    found = ((kind, jobs.find(key(kind, name))) for kind in KINDS)
    return next(((kind, one) for kind, one in found if one is not None and one.running), None)


def panel(key: str, text: Mapping) -> None:
    """The job as on every page; of one that fetches, what has arrived is kept when it is cancelled."""
    if key.split(" ")[0] in FETCHING and (ended := jobs.find(key)) is not None and ended.state == "cancelled":
        if job_panel.recent(ended):
            say(text["stopped"], kind="notice")
    else:
        job_panel.panel(Asked(key))


def done(key: str) -> Job | None:
    """The job under this key, if it has just come to what it was to come to."""
    found = jobs.find(key)
    return found if found is not None and found.state == "done" and job_panel.recent(found) else None


def unloading(name: str, text: Mapping[str, str]) -> Work:
    """Free its memory. Waits for the turn at the processor, so it is a job."""
    holder = live_pair(name)

    def work(report: Report) -> None:
        report(0.0, text["unload"])
        holder.unload()

    return work


def profiling(name: str, text: Mapping[str, str]) -> Work:
    """Load it and measure its step times. A pair that this machine has never measured is measured by being loaded."""
    holder = live_pair(name)
    before = holder.profile.fingerprint if holder.profile and holder.progress.measured is None else ""

    def work(pair: Any, profile: Any, report: Report, turns: Any) -> None:
        if before and profile.fingerprint == before:
            holder.measure_again(lambda share: report(share, text["profile"].format(done=round(100 * share))))

    return on_pair(name, work)


def calibrating(info: PairInfo, text: Mapping[str, str]) -> Work:
    """Fit its chances to its own guesses, keep them in its folder, and let the next load read them."""
    holder = live_pair(info.name)

    def work(report: Report) -> None:
        from expediter.core.workloads import PROMPTS
        from expediter.engine.loader import load
        from expediter.engine.quick_calibrate import quick_calibrate

        report(0.0, text["calibrate_load"])
        pair = holder.pair or load(info.name, device=os.environ.get("EXPEDITER_DEVICE"), calibrated=False)
        prompts = [prompt for prompts in PROMPTS.values() for prompt in prompts]

        def told(share: float, what: str) -> None:
            report(share, text["calibrate"].format(what=what))

        fitted, figures = quick_calibrate(pair, prompts, told, holder.turns)
        if shipped(info):
            set_aside(info.folder)
        write_calibration(info.folder, fitted, {**figures, "prompts_of": "workloads"})
        holder.unload()

    return work


def putting_back(info: PairInfo, text: Mapping[str, str]) -> Work:
    """The calibration that came with the pair, instead of this machine's."""
    holder = live_pair(info.name)

    def work(report: Report) -> None:
        report(0.0, text["put_back"])
        put_back(info.folder)
        holder.unload()

    return work


def fetching(model: str) -> Work:
    """Bring a model of the catalogue to this machine."""

    def work(report: Report) -> None:
        from expediter.engine.fetch import fetch

        fetch(model, report)

    return work


def adding(target: str, draft: str, name: str | None) -> Work:
    """Add a pair of the reader's own. Its result is the pair."""
    turns = processor()

    def work(report: Report) -> PairInfo:
        from expediter.engine.own_pairs import add

        return add(target, draft, name, report, turns)

    return work


def removing(info: PairInfo, text: Mapping[str, str]) -> Work:
    """Take a pair of the reader's own off the list; its models stay."""
    holder = live_pair(info.name)

    def work(report: Report) -> None:
        from expediter.engine.own_pairs import remove

        report(0.0, text["remove"])
        remove(info.name)
        holder.forget()

    return work


def shipped(info: PairInfo) -> bool:
    """Whether the pair came with the project."""
    return info.folder.parent == MODELS / "pairs"
