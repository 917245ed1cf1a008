"""What a thousand steps of a fleet cost: ten thousand requests, five drafts each.

python -m tests.benchmarks.fleet_speed
"""

from time import process_time

import numpy as np

from expediter.core.clock import SimulatedClock
from expediter.core.policy import Policy
from expediter.core.recorded_places import Places
from expediter.core.simulation import Fleet, simulate
from expediter.core.tables import TABLES

STEPS, LANES, DEPTH = 1000, 10_000, 5


def seconds(policy: str) -> float:
    """Processor time of the whole run."""
    rng = np.random.default_rng(1)
    confidence = rng.beta(4, 2, (2000, DEPTH))
    passed = np.cumprod(rng.random((2000, DEPTH)) < confidence, axis=1).sum(axis=1)
    texts = Places(0.8, confidence, passed, np.arange(2000) // 80, np.zeros(2000, dtype=np.int64))
    begun = process_time()
    simulate(texts, SimulatedClock(TABLES["published-gpu"]), Policy.parse(policy), Fleet(LANES, steps=STEPS))
    return process_time() - begun


if __name__ == "__main__":
    for kind in ("off", "all", "fixed:2", "threshold:0.5", "early-stop", "global", "stale"):
        print(f"{kind:14s} {seconds(kind):6.1f} s for {STEPS:,} steps of {LANES:,} requests with {DEPTH} drafts")
