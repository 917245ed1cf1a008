"""Jobs that need a loaded pair: they wait for it as the dock does, and share the processor with it."""

import time
from collections.abc import Callable
from typing import Any

from expediter.core.profile import Profile
from expediter.ui.job import Report, Work
from expediter.ui.job_panel import bringing_up, words
from expediter.ui.live import LivePair, live_pair
from expediter.ui.turns import Turns

LOOK = 0.2  # seconds between two looks at a pair that is loading

PairWork = Callable[[Any, Profile, Report, Turns], Any]  # (pair, its newest step-rate profile, report, turns) → result


def on_pair(name: str, work: PairWork, profiled: bool = True) -> Work:
    """Work on the pair of this name, once it is loaded and, unless told otherwise, its step times are measured here.

    Call it from the page. The reader's sentence when the pair cannot be loaded is the one that the dock shows.
    """
    holder = live_pair(name)  # found here, on the page's thread: the work itself calls no Streamlit

    def run(report: Report) -> Any:
        _wait(holder, report, profiled)
        if (pair := holder.pair) is None:  # between two looks
            raise RuntimeError("The pair was unloaded a moment ago. Begin again.")
        return work(pair, holder.profile, report, holder.turns)

    return run


def _wait(holder: LivePair, report: Report, profiled: bool) -> None:
    """Until the pair is there. Raises RuntimeError with the reader's sentence when it cannot be loaded, and Cancelled."""
    holder.start(again=True)
    while (progress := holder.progress).state != "live" or (profiled and progress.measured is not None):
        if progress.state == "failed":
            raise RuntimeError(progress.problem)
        if progress.state == "live":
            report(None, words()["profiling"].format(share=round(100 * progress.measured)))
        else:
            report(None, bringing_up(progress) or words()["starting"])
        time.sleep(LOOK)
