"""The way from a link to the moment that it names: found in the recording, or replayed on the same frozen table, or on this machine's."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from expediter.core.clock import SimulatedClock
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.trace import StepTrace
from expediter.ui.history import obeys
from expediter.ui.journey import Journey
from expediter.ui.lease import Live, TakenBack
from expediter.ui.moment import Moment


class Way:
    """Belongs to one session, which moves it along. Without a moment there is nowhere to go."""

    def __init__(self, moment: Moment | None) -> None:
        self.moment = moment  # None once the reader has gone on from there, or another way
        self.reached = False  # the moment is on screen, or was
        self.journey: Journey | None = None  # the replay that leads there
        self.frozen: Profile | None = None  # the link's own table, where this process has planned on it before

    @property
    def awaited(self) -> bool:
        """True while the moment is still to be shown."""
        return self.moment is not None and not self.reached

    def recorded(self, traces: Sequence[StepTrace], settings: Settings) -> int | None:
        """Where the moment lies in a recording, same settings, same step, same table: then it is reached. None where it does not."""
        for at, trace in enumerate(traces if self.moment else ()):
            if trace.step + 1 == self.moment.step and self.moment.table in ("", trace.table) and obeys(trace, settings):
                self.reached = True
                return at
        return None

    def freeze(self, tables: Mapping[str, Profile]) -> None:
        """Take the link's own table from those that are known, by fingerprint, if it is among them."""
        self.frozen = tables.get(self.moment.table)

    def begin(self, engine: Live, table: Profile | SimulatedClock) -> None:
        """Replay with this fresh engine."""
        self.journey = Journey(engine, table, self.moment.goal)

    def go(self, seconds: float, turn: Callable[[], AbstractContextManager[None]]) -> Journey | None:
        """Go on with the replay, if there is one, for about so many seconds. → the journey once it has arrived.

        One whose pair was unloaded on the way is given up; it begins anew when the pair is loaded again.
        """
        try:
            if self.journey is not None:
                self.journey.go(seconds, turn)
        except TakenBack:
            self.journey = None
        return self.journey if self.journey is not None and self.journey.arrived else None

    def arrive(self) -> None:
        """The replay is over and on screen."""
        self.journey, self.reached = None, True

    def move_on(self) -> None:
        """The reader steps: from the moment on they are on their own, on its table. One that is still awaited stays so."""
        if self.reached:
            self.moment = None

    def leave(self) -> None:
        """The reader goes another way than the link."""
        self.moment = self.journey = self.frozen = None
