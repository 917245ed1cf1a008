"""The first two tokens of an answer: their exact joint distribution, cell by cell, and counts of real ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from expediter.core.goodness import Fit, fit

RULES = ("honest", "accept-always", "residual-from-target", "bonus-from-draft")  # all but the first are wrong, see engine/wrong_rules.py
LOAD = 48  # requests at once while sampling: few enough that guesses are sent, enough that not all are
NONE = -1  # in place of a second token where the first one ended the answer


@dataclass(frozen=True, slots=True, eq=False)
class FirstTwo:
    """P(t1, t2) for the K likeliest pairs, and all the others together."""

    tokens: np.ndarray  # (t1, t2); t2 is NONE behind an end mark          [K, 2] int
    p: np.ndarray  # probability, the last one of all other pairs         [K + 1]

    def count(self, samples: Iterable[tuple[int, int]]) -> np.ndarray:
        """How often each pair occurs, the last one all others. [K + 1]"""
        place = {pair: k for k, pair in enumerate(map(tuple, self.tokens.tolist()))}
        counts = np.zeros(len(self.p), dtype=np.int64)
        for sample in samples:
            counts[place.get(sample, -1)] += 1
        return counts

    def tested(self, counts: np.ndarray) -> Fit:
        """Do counts [K + 1] come from this distribution?"""
        return fit(counts, self.p)


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """Real samples against the exact distribution, as far as they have come."""

    pair: str
    policy: str
    rule: str  # one of RULES
    temperature: float
    prompt: str
    planned: int  # samples, fixed beforehand: the verdict falls there and nowhere else
    machine: str
    joint: FirstTwo
    counts: np.ndarray  # of joint's pairs                                 [K + 1] int
    trail: tuple[tuple[int, float], ...]  # p-value after so many samples
    sent: tuple[int, ...]  # how often 0, 1, … drafts of a request were sent
    visible: float | None  # the shift that 99 of 100 such runs would see, total variation; None: none
    words: Mapping[int, str]  # token → text

    @property
    def drawn(self) -> int:
        """Samples so far."""
        return int(self.counts.sum())

    @property
    def complete(self) -> bool:
        """Whether the verdict has fallen."""
        return self.drawn >= self.planned

    @property
    def fit(self) -> Fit:
        """The test of all samples so far; a verdict only when complete."""
        return self.joint.tested(self.counts)

    @property
    def distance(self) -> float:
        """Total variation between the samples so far and the distribution; above 0 by chance alone."""
        return float(np.abs(self.counts / max(self.drawn, 1) - self.joint.p).sum() / 2)
