"""Do samples come from this distribution? Pearson's test with rare cells pooled, its p-value, and what it would have seen.

A p-value is the share of honest runs that look at least as odd as this one. It is meaningful at one sample size that was
fixed beforehand: who looks again and again and stops when it is small will see a small one sooner or later.
"""

import math
from dataclasses import dataclass

import numpy as np

LEAST = 10  # expected samples of a cell of its own
ALPHA = 0.001  # an honest run is called odd once in a thousand
SEEN = 0.99
STEP = 0.005  # of the distances tried
RUNS = 1000  # simulated runs behind a power


@dataclass(frozen=True, slots=True)
class Fit:
    """How well counts fit."""

    samples: int
    cells: int  # after pooling
    statistic: float  # Σ (n − Np)² / Np
    p_value: float  # 1 where a single cell is left: nothing can be said

    @property
    def fails(self) -> bool:
        """Whether the test says that these samples do not come from the distribution."""
        return self.p_value < ALPHA


def fit(counts: np.ndarray, p: np.ndarray) -> Fit:
    """Test counts [...] against probabilities [...] of the same shape, which sum to 1.

    A count where the probability is 0 refutes the distribution by itself: the p-value is then 0.
    """
    samples = int(counts.sum())
    if (counts[p == 0] > 0).any():
        return Fit(samples, int((p > 0).sum()), math.inf, 0.0)
    cells = groups(p, samples)
    count, share = (np.bincount(cells, values.ravel()) for values in (counts, p))  # [C], [C]
    statistic = float(pearson(count, share))
    return Fit(samples, len(share), statistic, tail(statistic, len(share) - 1))


def groups(p: np.ndarray, samples: int) -> np.ndarray:
    """The cell that each outcome is counted in: one of its own where at least LEAST are expected, else a common one. [...] → [N]

    A common cell that itself expects fewer than LEAST joins the rarest cell of its own.
    """
    expected = p.ravel() * samples
    own = expected >= LEAST
    cell = np.where(own, np.cumsum(own) - 1, own.sum())
    if own.any() and not own.all() and expected[~own].sum() < LEAST:
        cell[~own] = cell[np.where(own, expected, np.inf).argmin()]
    return cell


def pearson(counts: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Σ (n − Np)² / Np along the last axis. [..., C], [C] → [...]"""
    expected = counts.sum(axis=-1, keepdims=True) * p
    return ((counts - expected) ** 2 / np.maximum(expected, np.finfo(float).tiny)).sum(axis=-1)


def tail(statistic: float, freedom: int) -> float:
    """P(χ² with so many degrees of freedom ≥ statistic) = Q(freedom/2, statistic/2), the regularised upper incomplete gamma function.

    A power series of P = 1 − Q below the mean, a continued fraction (Lentz's method) above it: both converge fast there.
    """
    a, x = freedom / 2, statistic / 2
    if freedom <= 0 or x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        while term > 1e-16 * total:
            a += 1
            term *= x / a
            total += term
        return max(0.0, 1 - front * total)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction, i, change = d, 0, 0.0
    while abs(change - 1) > 1e-15 and i < 10_000:
        i += 1
        numerator = -i * (i - a)
        b += 2
        d = 1 / (numerator * d + b or tiny)
        c = b + numerator / c or tiny
        change = c * d
        fraction *= change
    return front * fraction


def bent(p: np.ndarray, distance: float) -> np.ndarray | None:
    """A distribution at this total variation from p [C], about the hardest of all such for Pearson's test; None where there is none.

    Probability moves, in proportion, from one group of cells to another that weighs about the same: any other shift adds up to more.
    """
    second, weight = np.zeros(len(p), dtype=bool), [0.0, 0.0]
    for cell in np.argsort(-p):  # each into the lighter group
        lighter = int(weight[1] < weight[0])
        second[cell] = lighter
        weight[lighter] += p[cell]
    if not distance < weight[0] or weight[1] == 0:
        return None
    return np.where(second, p * (1 + distance / weight[1]), p * (1 - distance / weight[0]))


def power(p: np.ndarray, samples: int, distance: float, alpha: float = ALPHA, runs: int = RUNS) -> float:
    """Share of simulated runs from `bent(p, distance)` that the test calls odd. p [C] as pooled; 0 where there is no such shift."""
    shifted = bent(p, distance)
    if shifted is None:
        return 0.0
    draws = np.random.default_rng(1).multinomial(samples, shifted / shifted.sum(), size=runs)  # [runs, C]
    return float(np.mean([tail(statistic, len(p) - 1) < alpha for statistic in pearson(draws, p)]))


def visible(p: np.ndarray, samples: int) -> float | None:
    """The smallest total variation, in steps of STEP, that 99 of 100 runs of this size would see; None when they would see none.

    p: probabilities of outcomes [...], pooled here. Shifts among outcomes that share the common cell stay unseen.
    """
    pooled = np.bincount(groups(p, samples), p.ravel())  # [C]
    distances = STEP * np.arange(1, round(0.5 / STEP))
    low, high = 0, len(distances)
    while low < high:  # power grows with the distance, until there is no such shift
        middle = (low + high) // 2
        if bent(pooled, distances[middle]) is not None and power(pooled, samples, distances[middle]) < SEEN:
            low = middle + 1
        else:
            high = middle
    return float(distances[low]) if low < len(distances) and bent(pooled, distances[low]) is not None else None
