"""Sweeps that no machine made: invented rates, so that a sentence can be read for every shape that a real one may have."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from expediter.core.settings import DEFAULT_PAIR
from expediter.core.sweep import Point, Sweep

SENT = {"off": 0.0, "all": 5.0, "fixed:1": 1.0, "fixed:3": 3.0, "threshold:0.5": 1.8}
USUAL = {  # words per second by policy and load
    "off": {1: 100.0, 8: 600.0, 64: 2000.0},
    "all": {1: 180.0, 8: 700.0, 64: 1500.0},
    "fixed:1": {1: 140.0, 8: 750.0, 64: 2100.0},
    "fixed:3": {1: 175.0, 8: 740.0, 64: 1800.0},
    "threshold:0.5": {1: 150.0, 8: 720.0, 64: 1900.0},
    "early-stop": {1: 182.0, 8: 790.0, 64: 2150.0},
}
MINE = {1: 4.0, 8: 2.4, 64: 0.9}  # what the expediter sends


def point(load: int, policy: str, rate: float, sent: float, drafting: float | None = None) -> Point:
    """A point whose other numbers follow from these."""
    drafts = float(sent > 0) if drafting is None else drafting
    wasted = sent / 8 if sent else 0.0
    return Point(load, policy, 40, rate, 0.9 * rate, 1.1 * rate, rate, 1 + sent * (1 - wasted), sent, wasted, drafts)


def sweep(
    rates: Mapping[str, Mapping[int, float]] = USUAL, sent: Callable[[str, int], float] | None = None, drafting: float = 1.0, **other
) -> Sweep:
    """A sweep with these rates, the fullest load first as it is measured. drafting: the expediter's share at the fullest load."""
    loads = sorted({load for line in rates.values() for load in line}, reverse=True)
    sends = sent or (lambda policy, load: SENT.get(policy, MINE.get(load, 1.0)))
    points = tuple(
        point(load, policy, line[load], sends(policy, load), drafting if policy == "early-stop" and load == loads[0] else None)
        for load in loads
        for policy, line in rates.items()
    )
    made = Sweep(
        pair=DEFAULT_PAIR, weights="abc", machine="float32 · CPU, 2 threads", device="cpu", dtype="float32", threads=2, table="123",
        depth=5, temperature=0.8, workload="mixed", seed=1, measured_at="2026-01-01T00:00:00+00:00", points=points,
    )  # fmt: skip
    return replace(made, **other)
