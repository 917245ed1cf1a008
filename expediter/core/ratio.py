"""How many times faster one is than another, from paired blocks, and how sure that is.

A benchmark's worst case is a smallest of several noisy figures, against the largest of several noisy rivals. Taken as they come, both
make equals look unequal. So a rival is chosen without the block that it is compared in, and what chance alone does to the smallest of
several is told beside it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

SURE = 0.95  # of every interval here: it misses the truth one time in twenty
GRID = 20_001  # angles between which Student's t is added up
UNPAIRED = "Blocks of one cannot be compared with more or fewer of another: measure both in the same rounds."
TRIES = 4096  # made-up runs that tell what chance does to the worst of several


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster, over n paired blocks."""

    value: float  # geometric mean of the blocks' ratios
    error: float  # standard error of its logarithm; infinite for a single block
    blocks: int  # n

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.bounds()[0]

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.bounds()[1]

    def bounds(self, sure: float = SURE) -> tuple[float, float]:
        """Both ends of the interval that holds the truth with this probability: Student's, of the logarithm."""
        if not math.isfinite(self.error):
            return 0.0, math.inf
        reach = student(self.blocks - 1, sure) * self.error
        return self.value * math.exp(-reach), self.value * math.exp(reach)


@dataclass(frozen=True, slots=True)
class Worst:
    """The smallest of several ratios."""

    at: int  # which of them
    value: float
    low: float
    high: float  # of the interval for the smallest true ratio
    equals: float  # what the smallest would read on average if all were truly 1: the fewer blocks, the lower


def ratio(a: Sequence[float], b: Sequence[float]) -> Ratio:
    """a over b, rates of the same blocks in the same order. Raises ValueError when one has blocks that the other lacks, or none."""
    if len(a) != len(b) or not len(a):
        raise ValueError(UNPAIRED)
    return _of(np.log(np.asarray(a) / np.asarray(b)))


def against_best(ours: Sequence[float], rivals: Sequence[Sequence[float]]) -> tuple[Ratio, int]:
    """Ours over the best rival, and which that is most often. [n], K rivals' [n] each. Raises ValueError as `ratio` does.

    In every block the rival is the one that is best in all other blocks. Chosen by the same block, the luckiest would win, and equals
    would read less than 1.
    """
    if any(len(rival) != len(ours) for rival in rivals):
        raise ValueError(UNPAIRED)
    rates = np.log(np.array(rivals))  # [K, n]
    blocks = rates.shape[1]
    others = rates.sum(axis=1, keepdims=True) - rates if blocks > 1 else rates  # [K, n]
    chosen = others.argmax(axis=0)  # [n]
    logs = np.log(np.asarray(ours)) - rates[chosen, np.arange(blocks)]  # [n]
    return _of(logs), int(np.bincount(chosen).argmax())


def worst(ratios: Sequence[Ratio]) -> Worst:
    """The smallest of them.

    Below lies the smallest lower end: the truth at the worst place is no lower than its own. Above, every ratio has a say, so each is given
    its share of the errors that are allowed (Bonferroni).
    """
    at = min(range(len(ratios)), key=lambda i: ratios[i].value)
    each = 1 - (1 - SURE) / len(ratios)
    errors = np.array([min(r.error, 1.0) for r in ratios])
    chance = np.random.default_rng(0).standard_normal((TRIES, len(ratios))) * errors
    return Worst(
        at=at,
        value=ratios[at].value,
        low=min(r.low for r in ratios),
        high=min(r.bounds(each)[1] for r in ratios),
        equals=float(np.exp(chance.min(axis=1).mean())),
    )


@lru_cache(maxsize=256)
def student(freedom: int, sure: float) -> float:
    """How many standard errors to both sides hold the truth with probability `sure`: Student's t with so many degrees of freedom.

    With t = √n·tan θ its density is cos^(n−1) θ, which is smooth and ends at π/2.
    """
    angle = np.linspace(0, math.pi / 2, GRID)
    density = np.cos(angle) ** (freedom - 1)
    share = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return math.sqrt(freedom) * math.tan(float(np.interp(sure, share / share[-1], angle)))


def _of(logs: np.ndarray) -> Ratio:
    blocks = len(logs)
    error = float(logs.std(ddof=1)) / math.sqrt(blocks) if blocks > 1 else math.inf
    return Ratio(math.exp(float(logs.mean())), error, blocks)
