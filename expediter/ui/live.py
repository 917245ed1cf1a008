"""The live pairs of this process: loaded once, in the background, shared by every reader. Importing this imports no torch.

Weights are shared and the processor is one, so one lock serves all pairs: never two inferences at once. Engines, with their
K/V stores and their random numbers, belong to one reader each.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

import streamlit as st

from expediter.core.profile import MEASURED_HERE, Profile
from expediter.core.settings import MAX_LOAD, Settings, widest
from expediter.ui.engine_source import EngineSource, Source
from expediter.ui.lease import Lease, TakenBack
from expediter.ui.memory import keep_for_good, let_go
from expediter.ui.turns import Turns

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pair has come."""

    state: str  # idle, loading, live, failed
    measured: float | None = None  # share of the step-rate measurement that is done; None when none is running
    problem: str = ""  # one sentence for the reader
    step: str = ""  # while loading: libraries, weights, table
    since: float = 0.0  # when loading began, on time.monotonic's clock


@dataclass(slots=True)
class Machine:
    """What this process knows of the machine that it runs on; the first pair that is loaded finds it out."""

    widest: int = MAX_LOAD  # the most requests served at once


class LivePair:
    """One pair: idle → loading → live, or failed; unloaded it is idle again. Any thread may read it, its own background thread loads it."""

    def __init__(self, name: str, source: Source, turns: Turns, machine: Machine | None = None) -> None:
        self.name = name
        self.profile: Profile | None = None
        self.tables: dict[str, Profile] = {}  # every table that this process has planned on, by fingerprint
        self.progress = Progress("idle")
        self._source, self._turns, self._pair = source, turns, None
        self._machine = machine or Machine()
        self._changing = threading.Lock()  # of state and pair together
        self._lent: WeakSet[Lease] = WeakSet()
        self._unloaded = 0  # times

    def start(self, again: bool = False) -> None:
        """Begin loading, once; after a failure only when told to try `again`. Returns at once."""
        with self._changing:
            if self.progress.state == "idle" or (again and self.progress.state == "failed"):
                self.progress = Progress("loading", step="libraries", since=time.monotonic())
                threading.Thread(target=self._bring_up, name=f"bring up {self.name}", daemon=True).start()

    def unload(self) -> None:
        """Free the pair's memory: every engine on loan is taken back, `start` loads anew. Waits for the turn; nothing while it loads."""
        with self._turns, self._changing:
            if self.progress.state not in ("live", "failed"):
                return
            for lease in list(self._lent):
                lease.take_back()
            self._pair, self.progress = None, Progress("idle")
            self._unloaded += 1
        let_go()
        self._source.release()

    def forget(self) -> None:
        """Unload it, and keep nothing that was measured: another pair may get its name."""
        self.unload()
        self.profile, self.tables = None, {}

    def measure_again(self, on_progress: Callable[[float], None]) -> None:
        """Measure the step rate anew, on the caller's thread; on_progress may raise to end it. Only when live, outside of a turn."""
        problem = self._measured(self._pair, on_progress)
        with self._changing:
            self.progress = replace(self.progress, problem=problem)

    def engine(self, settings: Settings) -> Lease:
        """A reader's own run, on loan. Only inside `turn`; raises TakenBack when the pair is not, or no longer, loaded."""
        if self.progress.state != "live":
            raise TakenBack("The pair was unloaded a moment ago.")
        lease = Lease(self._source.engine(self._pair, settings, self.profile))
        self._lent.add(lease)
        return lease

    @property
    def pair(self) -> Any:
        """The pair in memory, for work of its own; None before it is live. Whoever computes with it takes `turns`."""
        return self._pair

    @property
    def widest(self) -> int:
        """The most requests that this machine serves at once, as far as it is known."""
        return self._machine.widest

    @property
    def turns(self) -> Turns:
        """The turns at the processor, as a lock."""
        return self._turns

    def turn(self, waiting: Callable[[], None]) -> AbstractContextManager[None]:
        """The one turn at the processor; `waiting` is called when it is long in coming."""
        return self._turns.turn(waiting)

    def _bring_up(self) -> None:
        try:
            self._source.prepare()
            self.progress = replace(self.progress, step="weights")
            self._pair = self._source.load(self.name)
            self._machine.widest = widest(self._source.device(self._pair))
            self.progress = replace(self.progress, step="table")
            self._adopt(self._source.profile(self._pair))
        except Exception as error:  # whatever a model folder or a library can throw: the page stays on its recorded run
            log.exception("the pair %s could not be loaded", self.name)
            self.progress = Progress("failed", problem=f"The pair could not be loaded: {sentence(error)}")
            return
        keep_for_good()
        measured_here = self.profile.source == MEASURED_HERE
        loaded, known = self._pair, self._unloaded
        self.progress = Progress("live", None if measured_here else 0.0)
        if not measured_here:
            self._measure(loaded, known)

    def _adopt(self, profile: Profile) -> None:
        self.profile = profile
        self.tables[profile.fingerprint] = profile

    def _measured(self, pair: Any, on_progress: Callable[[float], None]) -> str:
        """Measure, serve it and keep it. Empty, or why it could not be kept."""
        profile = self._source.measure(pair, on_progress, self._turns)
        self._adopt(profile)
        return self._source.keep(pair, profile)

    def _measure(self, pair: Any, known: int) -> None:
        """known: how often the pair had been unloaded when this one was brought up."""

        def become(progress: Progress) -> None:
            with self._changing:
                if self._unloaded != known:
                    raise TakenBack
                self.progress = progress

        try:
            problem = self._measured(pair, lambda share: become(Progress("live", share)))
            become(Progress("live", problem=problem))
        except TakenBack:  # unloaded while it was being measured
            return
        except Exception as error:  # the pair is loaded and works; only its own table is missing
            log.exception("the step rate of %s could not be measured", self.name)
            with suppress(TakenBack):
                become(Progress("live", problem=f"The step rate could not be measured here: {sentence(error)}"))


def source() -> Source:
    """The source that pairs are brought from."""
    return EngineSource()


@st.cache_resource(show_spinner=False)
def processor() -> Turns:
    """The one processor of the process, taken in turns."""
    return Turns()


@st.cache_resource(show_spinner=False)
def machine() -> Machine:
    """The machine of the process."""
    return Machine()


@st.cache_resource(show_spinner=False)
def live_pair(name: str) -> LivePair:
    """The process's one holder of this pair; making it loads nothing."""
    return LivePair(name, source(), processor(), machine())


def sentence(error: Exception) -> str:
    """An error as one sentence: its own first line, or its kind when it has none."""
    said = error.args[0] if isinstance(error, KeyError) and error.args else error  # str() of a KeyError is a quotation
    first = str(said).strip().split("\n")[0] or type(error).__name__
    return first if first.endswith((".", "!", "?")) else first + "."
