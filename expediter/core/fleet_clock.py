"""Step times for crowds larger than any that was measured."""

from dataclasses import dataclass, replace
from typing import Protocol

from expediter.core.costs import Costs
from expediter.core.step_rate import StepRate


class Clock(Protocol):
    """What a simulation asks of a machine. Measured Costs and a SimulatedClock both answer."""

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """The table for R requests of `context` tokens that draft `depth` tokens."""


@dataclass(frozen=True, slots=True)
class Stretched:
    """Measured costs that go on in proportion beyond its largest measured crowd: twice the requests, twice the drafting time.

    StepRate itself does the same for the batch. A machine that is full behaves so; one that is not would be faster.
    """

    costs: Costs

    @property
    def largest(self) -> int:
        """The largest R that was measured."""
        return self.costs.loads[-1]

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """As it was measured, stretched where R lies beyond it."""
        rate = self.costs.step_rate(requests, context, depth)
        return replace(rate, draft_seconds=rate.draft_seconds * max(requests / self.largest, 1.0))
