"""One reader's session: the settings they chose, the run they watch and the engine that makes more of it. Knows no widgets."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from expediter.core.clock import HERE, OWN, SIMULATED, SimulatedClock
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.tables import TABLES, CostTable
from expediter.core.trace import StepTrace
from expediter.ui.history import History, obeys
from expediter.ui.lease import Lease, TakenBack
from expediter.ui.live import LivePair, sentence
from expediter.ui.moment import Moment
from expediter.ui.way import Way

log = logging.getLogger(__name__)

Recordings = Callable[[str], tuple[StepTrace, ...]]  # pair name → its recorded steps, empty when it has none
Pairs = Callable[[str], LivePair]
Own = CostTable | None  # the table that a reader brought along


class Session:
    """Mutable on purpose: the reader's actions come in, the history on screen changes. Every method leaves a whole picture behind."""

    def __init__(self, settings: Settings, recordings: Recordings, pairs: Pairs, moment: Moment | None = None, own: Own = None) -> None:
        self.own, self.missed_own = own, settings.hardware == OWN and own is None  # missed: the address asked for one that is not here
        self._asked = settings.load  # before the pair is loaded, nobody knows whether this machine takes as many
        self.settings = (replace(settings, hardware=HERE) if self.missed_own else settings).clamped(pairs(settings.pair).widest)
        self.history: History | None = None  # None: this pair has neither a recording nor, yet, an engine
        self.problem = ""  # one sentence about the last thing that went wrong
        self.waiting: Callable[[], None] = lambda: None  # called when another reader has the processor
        self.way = Way(moment)  # to what the address asks for
        self._recordings, self._pairs = recordings, pairs
        self._engine: Lease | None = None
        self._table: Profile | SimulatedClock | None = None  # what the engine plans with
        self._moved = False  # the reader has stepped through the recording: do not swap it under their eyes
        self._runs = 0  # how many runs were begun, so that no two pictures share a revision
        self._to_recording()
        at = self.way.recorded(self.history.traces if self.history and not self.clock else (), self.settings)
        if at is not None:  # the moment that the address asks for lies in the recording: it is there at once
            self.history, self._moved = self.history.opened(at), True

    @property
    def pair(self) -> LivePair:
        """The process's holder of the chosen pair."""
        return self._pairs(self.settings.pair)

    @property
    def live(self) -> bool:
        """True when this session steps an engine of its own, and its pair has not been unloaded since."""
        return self._engine is not None and not self._engine.over

    @property
    def profile(self) -> Profile | None:
        """The measured table that the live run plans with; None while the run is recorded or planned on a simulated clock."""
        return self._table if self.live and isinstance(self._table, Profile) else None

    @property
    def clock(self) -> SimulatedClock | None:
        """The simulated clock that the reader chose; None for this machine's own."""
        table = self.own if self.settings.hardware == OWN else TABLES.get(self.settings.hardware)
        return SimulatedClock(table) if table else None

    @property
    def outlook(self) -> str:
        """Where the run stands: loading, ready (the next step will be live), replaying, measuring, live, or failed."""
        progress = self.pair.progress
        if self.problem or progress.state == "failed":
            return "failed"
        if self.way.journey:
            return "replaying"
        if self.live:
            return "live" if progress.measured is None else "measuring"
        return "ready" if progress.state == "live" else "loading"

    @property
    def revision(self) -> str:
        """Identity of the picture on screen; no two pictures of a session share one."""
        return f"{self._runs}.{self.history.picture if self.history else 0}"

    @property
    def other(self) -> bool:
        """True when the step on screen was made with other settings than the reader chose."""
        return self.history is not None and (self.other_clock or not obeys(self.history.shown, self.settings))

    @property
    def other_clock(self) -> bool:
        """True when the step on screen was planned on another clock than the reader chose."""
        shown = self.history.shown
        return shown.table_source == SIMULATED if self.clock is None else shown.table != self.clock.fingerprint

    @property
    def due(self) -> bool:
        """True when the live run should take over now: not in the middle of the recording, where the reader's next step does it."""
        return self.outlook == "ready" and (self.way.awaited or not self._moved or self.history is None or self.other)

    @property
    def unsettled(self) -> bool:
        """True while something goes on in the background that will change the page."""
        return self.due or self.outlook in ("loading", "replaying", "measuring")

    def take_over(self) -> None:
        """Go live when that is due, by way of the moment that the address asks for."""
        self._give_up()
        if self.due:
            self._depart() if self.way.awaited else self._go_live(settled=True)

    def travel(self, seconds: float) -> None:
        """Go on with the replay, if there is one, for about so many seconds. Arrived, its run takes the recording's place."""
        try:
            journey = self.way.go(seconds, lambda: self.pair.turn(lambda: None))
        except Exception as error:
            self._fall_back(error)
            return
        if journey:
            self._engine, self._table, self.history = journey.engine, journey.table, journey.history
            self.way.arrive()
            self._runs += 1

    def change(self, settings: Settings) -> None:
        """Other settings: live, plan and make one step at once and draw it decided; recorded, keep them for later."""
        if settings == self.settings:
            return
        self._give_up()
        swapped = settings.pair != self.settings.pair
        self.settings, self.missed_own, self._asked = settings, False, settings.load
        self.way.leave()
        if swapped:
            self._engine, self._moved, self.problem = None, False, ""
            self._to_recording()
            self.take_over()
        elif self.live:
            self._step(lambda engine: engine.change(settings), settled=True)
        else:
            self.take_over()

    def bring(self, table: CostTable) -> None:
        """The reader's own table; a live run that already plans on the one before plans anew."""
        if table != self.own:
            self.own = table
            if self.live and self.settings.hardware == OWN:
                self._step(lambda engine: None, settled=True)

    def act(self, action: str) -> None:
        """What the stage asks for: advance, back or reset. Nothing where the run it was asked of is gone."""
        if self._give_up():
            return
        self.way.move_on()
        if action == "back" and self.history is not None:
            self._moved = True
            self.history = self.history.back()
        elif action == "reset":
            self._reset()
        elif action == "advance":
            self._advance()

    def retry(self) -> None:
        """Try again after a failure: load the pair, or begin a fresh run when it is loaded."""
        self._moved, self.problem = False, ""
        self.pair.start(again=True)
        self.take_over()

    def _advance(self) -> None:
        if self.due and self.way.awaited:
            self._depart()
        elif self.outlook == "ready":
            self._go_live(settled=False)
        elif self.history is not None and not (self.live and self.history.newest):
            self._moved = True
            self.history = self.history.forward()
        elif self.live:
            self._step(lambda engine: None, settled=False)

    def _reset(self) -> None:
        self._moved, self.problem = False, ""
        self.way.leave()
        if self.live or self.outlook == "ready":
            self._go_live(settled=True)
        elif self.history is not None:
            self.history = replace(self.history.rewound(), settled=True)

    def _go_live(self, settled: bool) -> None:
        """A fresh engine and its first step, in place of what was shown."""
        with self._turn():
            self._engine, self._table = self._fresh()
            self.history = History((self._engine.step(),), live=True, settled=settled)
            self.problem = ""
            self._runs += 1

    def _depart(self) -> None:
        """Begin the replay that leads to the moment; `travel` goes on with it."""
        with self._turn():
            self.way.freeze({} if self.clock else self.pair.tables)
            self.way.begin(*self._fresh())

    def _fresh(self) -> tuple[Lease, Profile | SimulatedClock]:
        """An engine at its beginning, and its table. The pair is loaded: the load that was asked for, as far as this machine takes it."""
        self.settings = replace(self.settings, load=self._asked).clamped(self.pair.widest)
        engine, table = self.pair.engine(self.settings), self._wanted()
        engine.adopt(table)
        return engine, table

    def _step(self, before: Callable[[Lease], None], settled: bool) -> None:
        """One live step, with the newest table, after `before` has had the engine."""
        with self._turn():
            if self._table != self._wanted():
                self._table = self._wanted()
                self._engine.adopt(self._table)
            before(self._engine)
            self.history = self.history.then(self._engine.step(), settled)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The turn at the processor. Whatever fails in it ends the live run, or finds that the pair has been unloaded meanwhile."""
        with self.pair.turn(self.waiting):
            try:
                yield
            except Exception as error:
                if not (self._give_up() or isinstance(error, TakenBack)):
                    self._fall_back(error)

    def _give_up(self) -> bool:
        """Back to the recorded run where the pair of the live one has been unloaded; it goes live again when the pair is loaded."""
        if self._engine is None or not self._engine.over:
            return False
        self._engine, self._moved = None, False
        self.way.leave()
        self._to_recording()
        return True

    def _wanted(self) -> Profile | SimulatedClock:
        """The table to plan with now."""
        return self.clock or self.way.frozen or self.pair.profile

    def _fall_back(self, error: Exception) -> None:
        """The engine failed: say so and go on with the recorded run."""
        log.exception("a live step failed")
        self.problem = f"The live run stopped: {sentence(error)}"
        self._engine = None
        self.way.leave()
        self._to_recording()

    def _to_recording(self) -> None:
        recorded = self._recordings(self.settings.pair)
        self._runs += 1
        self.history = History(recorded) if recorded else None
