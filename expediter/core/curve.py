"""Measured step times of one pair at one number of requests and one context length, as medians and quartiles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from expediter.core.fit import convex, convex_below, monotone_fit
from expediter.core.uneven import DEEPEST, longest

FEW = 3  # samples behind a point, below which they say nothing about their own error
ONE = 0.10  # relative standard error of a single sample: what a step's time varies by on a shared machine


@dataclass(frozen=True, slots=True)
class Curve:
    """Seconds at n batch sizes. Tuples, so that a curve is hashable and its fit can be remembered."""

    requests: int  # R
    context: int  # tokens each request already holds
    batch: tuple[int, ...]  # B, strictly ascending                       [n]
    median: tuple[float, ...]  # seconds                                  [n]
    low: tuple[float, ...]  # first quartile, seconds                     [n]
    high: tuple[float, ...]  # third quartile, seconds                    [n]
    repeats: int  # samples behind each point

    @classmethod
    def from_samples(cls, requests: int, context: int, samples: Mapping[int, Sequence[float]]) -> "Curve":
        """Summarise repeated timings in seconds per batch size."""
        batch = tuple(sorted(samples))
        low, median, high = zip(*(np.percentile(samples[b], (25, 50, 75)).tolist() for b in batch), strict=True)
        return cls(requests, context, batch, median, low, high, min(len(samples[b]) for b in batch))

    @property
    def error(self) -> np.ndarray:
        """Standard error of each median, seconds: 1.25 σ/√n, with σ the quartile distance over 1.35 (normal noise). [n]

        Of a sample or two it is assumed: a lone time looks exact, and its luck would be taken for a stair of the hardware.
        """
        if self.repeats < FEW:
            return ONE * np.array(self.median) / np.sqrt(self.repeats)
        return 1.2533 * (np.array(self.high) - np.array(self.low)) / 1.349 / np.sqrt(self.repeats)

    def shifted(self, seconds: np.ndarray | float) -> "Curve":
        """The same points with something added. seconds: [n], or the same for all"""
        moved = ((np.array(values) + seconds).tolist() for values in (self.median, self.low, self.high))
        return Curve(self.requests, self.context, self.batch, *map(tuple, moved), self.repeats)


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """Step seconds at every batch size from `first` on."""

    first: int  # B of the first entry
    seconds: np.ndarray  # never falling                                  [m]

    @property
    def last(self) -> int:
        """B of the last entry."""
        return self.first + len(self.seconds) - 1

    def __call__(self, batch: np.ndarray) -> np.ndarray:
        """Seconds at `batch`, flat outside of the range. [k] → [k]."""
        return self.seconds[np.clip(batch, self.first, self.last) - self.first]


@lru_cache(maxsize=256)
def fitted(curve: Curve) -> Dense:
    """The monotone fit through a curve, at every batch size from its first to its last."""
    at = np.arange(curve.batch[0], curve.batch[-1] + 1)
    return Dense(curve.batch[0], monotone_fit(np.array(curve.batch), np.array(curve.median), curve.error, at))


@lru_cache(maxsize=1024)
def shaped(curve: Curve, padding: float, depth: int) -> Dense:
    """The fit as it is where so many drafts a request are made: it was measured on batches as uneven as the deepest leave them.

    padding: seconds that every word more of the longest request costs. A curve without bumps gets none by that: where the longest
    request of a batch grows is an average of made-up crowds.
    """
    whole = fitted(curve)
    if not padding:
        return whole
    at = np.arange(whole.first, whole.last + 1)
    seconds = whole.seconds + padding * evened(curve.requests, at, depth)
    if convex(whole.seconds):
        reach = curve.requests * depth + 1  # as many sizes as there can be with so few drafts
        seconds[:reach] = convex_below(seconds[:reach])
    return Dense(whole.first, np.maximum.accumulate(np.maximum(seconds, whole.seconds[0] / 2)))


def evened(requests: int, batch: np.ndarray, depth: int) -> np.ndarray:
    """How much longer the longest request is than when the deepest drafts are made, tokens, at these batch sizes: 0 or less. [k] → [k]"""
    here, there = longest(requests, min(depth, DEEPEST)), longest(requests, DEEPEST)
    drafts = np.maximum(batch - requests, 0)
    return here[np.minimum(drafts, len(here) - 1)] - there[np.minimum(drafts, len(there) - 1)]


def between(low: Dense, high: Dense, weight: float) -> Dense:
    """What lies between two loads, `weight` of the way from `low` to `high`, interpolated at equal batch size.

    At equal B the linear layers, and with them the hardware's steps, cost the same whatever R is; only attention and
    bookkeeping grow with R. Mixing at equal drafts per request would smear a step at B = 64 over 64·R_0/R … 64·R_1/R.
    Where only one of the two was measured, its shape is kept and the difference of the nearest common size is carried on.
    """
    if weight <= 0 or weight >= 1:
        return low if weight <= 0 else high
    at = np.arange(min(low.first, high.first), max(low.last, high.last) + 1)
    first = max(low.first, high.first)
    common = np.clip(at, first, max(first, min(low.last, high.last)))
    gap = high(common) - low(common)
    seconds = np.where((at >= low.first) & (at <= low.last), low(at) + weight * gap, high(at) - (1 - weight) * gap)
    return Dense(int(at[0]), np.maximum(seconds, min(low.seconds[0], high.seconds[0]) / 2))
