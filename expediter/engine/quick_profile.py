"""The profile of a pair that may be of any size: as many loads as can be timed in a bearable while, the smallest and the largest always."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from expediter.core.profile import Profile
from expediter.engine.loader import Pair
from expediter.engine.profiler import BUDGET, CONTEXTS, SIZES, Bench, loads_for, measure

PROBED = 8  # load that is timed to foretell the others


def quick_profile(
    pair: Pair,
    on_progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
    budget: float = BUDGET,
) -> Profile:
    """As profiler.measure; on_progress may raise to stop."""
    on_progress(0.0)
    with lock or nullcontext():
        fixed, each = _costs(pair)
    return measure(pair, on_progress, lock, loads_within(loads_for(pair.target.place), fixed, each, budget), budget)


def loads_within(loads: tuple[int, ...], fixed: float, each: float, budget: float) -> tuple[int, ...]:
    """The most of these loads whose sizes can all be timed once in `budget` seconds, evenly chosen; at least the first and the last.

    fixed, each: seconds of a forward, and of every token in it.
    """
    for step in (1, 2, 3):
        chosen = tuple(sorted({*loads[::step], loads[-1]}))
        seconds = sum(SIZES * len(CONTEXTS) * (fixed + each * 5 * load) for load in chosen)  # a batch is about 5 tokens a request
        if seconds <= budget:
            return chosen
    return loads[0], loads[-1]


def _costs(pair: Pair) -> tuple[float, float]:
    """Seconds of a forward, and of each of its tokens, from two sizes."""
    bench = Bench(pair, PROBED, CONTEXTS[0], np.random.default_rng(0))
    few, many = PROBED, 8 * PROBED
    bench.verify(few)
    short, long = (bench.seconds(lambda size=size: bench.verify(size)) for size in (few, many))
    each = max(long - short, 0.0) / (many - few)
    return max(short - each * few, 0.0), each
