"""A fresh run on its way to the moment that a link names: undrawn, as fast as the machine goes, a slice of time at a time."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from expediter.core.clock import SimulatedClock
from expediter.core.profile import Profile
from expediter.ui.history import History
from expediter.ui.lease import Live


class Journey:
    """Engine, table and history of the run; they become the session's own when it has arrived."""

    def __init__(self, engine: Live, table: Profile | SimulatedClock, goal: int) -> None:
        self.engine, self.table = engine, table
        self.goal = goal  # steps of the whole way
        self.history: History | None = None

    @property
    def done(self) -> int:
        """Steps made so far."""
        return self.history.shown.step + 1 if self.history else 0

    @property
    def arrived(self) -> bool:
        """True when the wanted step is made."""
        return self.done >= self.goal

    def go(self, seconds: float, turn: Callable[[], AbstractContextManager[None]]) -> None:
        """Make steps for about so many seconds, at least one, each in a turn of its own: other readers wait for one step only."""
        end = time.monotonic() + seconds
        while not self.arrived:
            with turn():
                trace = self.engine.step()
            self.history = self.history.then(trace, settled=True) if self.history else History((trace,), live=True)
            if time.monotonic() >= end:
                return
