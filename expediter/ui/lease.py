"""Engines on loan: the pair that lends one can take it back, so that unloading frees the memory however many readers are looking."""

from collections.abc import Callable
from typing import Protocol

from expediter.core.clock import SimulatedClock
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.trace import StepTrace


class Live(Protocol):
    """What the page needs of an engine."""

    def step(self) -> StepTrace:
        """One decoding step of every active request."""

    def change(self, settings: Settings) -> None:
        """Other settings for the steps to come; running requests go on where they can."""

    def adopt(self, profile: Profile | SimulatedClock) -> None:
        """Plan with this step-rate table from the next step on."""


class TakenBack(RuntimeError):
    """The pair behind a run was unloaded."""


class Lease:
    """The engine itself, until it is taken back; then every use of it raises TakenBack. Used, and taken back, in a turn only."""

    def __init__(self, engine: Live) -> None:
        self._engine: Live | None = engine

    @property
    def over(self) -> bool:
        """True once the engine is taken back."""
        return self._engine is None

    def take_back(self) -> None:
        """Let go of the engine, and with it of its stores."""
        self._engine = None

    def step(self) -> StepTrace:
        """As the engine's."""
        return self._lent(lambda engine: engine.step())

    def change(self, settings: Settings) -> None:
        """As the engine's."""
        self._lent(lambda engine: engine.change(settings))

    def adopt(self, profile: Profile | SimulatedClock) -> None:
        """As the engine's."""
        self._lent(lambda engine: engine.adopt(profile))

    def _lent(self, use: Callable[[Live], StepTrace | None]) -> StepTrace | None:
        if self._engine is None:
            raise TakenBack("The pair was unloaded a moment ago.")
        return use(self._engine)
