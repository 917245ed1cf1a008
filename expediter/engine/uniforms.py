"""Random numbers with an address: the same (seed, request, position, use) gives the same number, whatever ran before.

A hash instead of a generator's stream: a step may draft five positions or none, and later numbers must not move because of
it. The use of a draft carries its place k in the block, so a position that is drafted again in a later step gets a fresh number;
otherwise a draft that was left on the dock could still be heard, through other requests' plans, when its position returns.
"""

import numpy as np

DRAFT, ACCEPT, OWN = 1, 2, 3  # uses; DRAFT and ACCEPT are combined with the position in the block


def _mix(x: np.ndarray) -> np.ndarray:
    """The finalizer of splitmix64 (Steele, Lea, Flood 2014). uint64 → uint64"""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def uniforms(seed: int, request: np.ndarray, position: np.ndarray, use: int, place: int | np.ndarray = 0) -> np.ndarray:
    """Numbers in [0, 1), float64, of the broadcast shape of request and position."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        x = _mix(np.full(1, seed, dtype=np.uint64) + golden)
        for part in (request, position, np.asarray(place) * 8 + use):
            x = _mix((x + np.asarray(part).astype(np.uint64)) * golden + golden)
    return (x >> np.uint64(11)).astype(np.float64) * 2.0**-53
