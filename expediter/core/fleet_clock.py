"""Step times for crowds larger than any that was measured."""

from dataclasses import dataclass, replace
from typing import Protocol

from expediter.core.profile import Profile
from expediter.core.step_rate import StepRate


class Clock(Protocol):
    """What a simulation asks of a machine. A Profile and a SimulatedClock both answer."""

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """The table for R requests of `context` tokens that draft `depth` tokens."""


@dataclass(frozen=True, slots=True)
class Stretched:
    """A profile that goes on in proportion beyond its largest measured crowd: twice the requests, twice the drafting time.

    StepRate itself does the same for the batch. A machine that is full behaves so; one that is not would be faster.
    """

    profile: Profile

    @property
    def largest(self) -> int:
        """The largest R that was measured."""
        return max(curve.requests for curve in self.profile.curves)

    def step_rate(self, requests: int, context: int, depth: int) -> StepRate:
        """As the profile has it, stretched where R lies beyond it."""
        rate = self.profile.step_rate(requests, context, depth)
        return replace(rate, draft_seconds=rate.draft_seconds * max(requests / self.largest, 1.0))
