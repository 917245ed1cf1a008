"""What a thousand steps of a fleet cost: ten thousand requests, five drafts each.

python -m tests.benchmarks.fleet_speed
"""

from time import perf_counter

import numpy as np

from expediter.core.clock import SimulatedClock
from expediter.core.policy import Policy
from expediter.core.simulation import Fleet, simulate
from expediter.core.tables import TABLES

STEPS, LANES, DEPTH = 1000, 10_000, 5


def seconds(policy: str) -> float:
    """Wall time of the whole run."""
    rng = np.random.default_rng(1)
    confidence = rng.beta(4, 2, (2000, DEPTH))
    passed = np.cumprod(rng.random((2000, DEPTH)) < confidence, axis=1).sum(axis=1)
    begun = perf_counter()
    simulate(confidence, passed, SimulatedClock(TABLES["published-gpu"]), Policy.parse(policy), Fleet(LANES, steps=STEPS))
    return perf_counter() - begun


if __name__ == "__main__":
    for kind in ("off", "all", "fixed:2", "threshold:0.5", "early-stop", "global", "stale"):
        print(f"{kind:14s} {seconds(kind):6.1f} s for {STEPS:,} steps of {LANES:,} requests with {DEPTH} drafts")
