"""What the scheduler would send at a load, where only the mean acceptance by position is known: the same for every request."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from expediter.core.clock import SimulatedClock
from expediter.core.costs import Costs
from expediter.core.scheduler import schedule

Clock = Costs | SimulatedClock
WORTH = 1.01  # another length must promise this much more


@dataclass(frozen=True, slots=True)
class Advice:
    """One load's decision. Θ in tokens/s."""

    load: int  # R, requests
    per_request: float  # drafts sent per request, mean
    batch: int  # B, tokens
    theta: float  # at that stop
    theta_off: float  # nothing drafted
    theta_all: float  # every draft sent
    depth: int  # the best one length for all requests, 0 for not drafting
    theta_depth: float  # with that length

    @property
    def drafts(self) -> bool:
        """Whether drafting beats not drafting. An early stop may stand before a stair of the table that one length for all climbs."""
        return max(self.theta, self.theta_depth) > self.theta_off


def advise(clock: Clock, load: int, acceptance: Sequence[float], context: int = 96) -> Advice:
    """The early-stop decision for R equal requests.

    acceptance: c_k, the chance that draft k passes given that the ones before it did, [γ], probabilities; context: tokens each request
    holds. Raises ValueError for anything that is no probability.
    """
    gamma = len(acceptance)
    plan = schedule([list(acceptance)] * load, clock.step_rate(load, context, gamma))
    rates = fixed_rates(clock, load, acceptance, context)
    depth = int(rates.argmax())
    return Advice(load, plan.stop / load, plan.batch, plan.theta, float(rates[0]), float(rates[-1]), depth, float(rates[depth]))


def fixed_rates(clock: Clock, load: int, acceptance: Sequence[float], context: int = 96) -> np.ndarray:
    """Θ of drafting and sending exactly ℓ of every request, ℓ = 0..γ: R·(1 + Σ_{j≤ℓ} a_j) / (T_draft(R, ℓ) + T(R·(1 + ℓ))). [γ + 1]

    For ℓ = 0 the time is that of a step without drafts.
    """
    tau = load * np.cumsum(np.concatenate([[1.0], np.cumprod(np.asarray(acceptance, dtype=np.float64))]))  # [γ + 1]
    rates = [clock.step_rate(load, context, depth) for depth in range(len(tau))]
    times = [float(rate.step_seconds(load * (1 + depth))) for depth, rate in enumerate(rates)]
    return tau / np.array([rates[0].without_drafts(load), *times[1:]])


def lengths_by_load(clock: Clock, acceptance: Sequence[float], most: int, context: int = 96) -> list[tuple[int, int, int]]:
    """The best one draft length for all requests, over loads 1..most, neighbours with the same length in one: (from, to, ℓ).

    A length stays as long as no other one promises more than noise does.
    """
    best: list[int] = []
    for load in range(1, most + 1):
        rates = fixed_rates(clock, load, acceptance, context)
        stays = best and rates[best[-1]] * WORTH >= rates.max()
        best.append(best[-1] if stays else int(rates.argmax()))
    ranges, start = [], 1
    for length, run in groupby(best):
        end = start + len(list(run)) - 1
        ranges.append((start, end, length))
        start = end + 1
    return ranges
