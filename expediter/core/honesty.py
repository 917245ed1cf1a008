"""Whether chances come true: recorded blocks turned into predictions and outcomes, position by position."""

from dataclasses import dataclass

import numpy as np

from expediter.core.metrics import BINS, calibration_error, roc_auc
from expediter.core.recorded_blocks import RecordedBlocks

BIAS = 0.32  # calibration_error of an honest guesser is about BIAS·√(bins/N): luck alone


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """N predictions of one event and whether it came."""

    predicted: np.ndarray  # probability                                  [N]
    came: np.ndarray  # 0 or 1                                            [N] bool


def conditional(chance: np.ndarray, passed: np.ndarray, position: int) -> Judged:
    """c_k against "guess k passes", over the blocks whose guesses 1..k−1 passed: only there it was judged. [N, γ], [N], k from 1."""
    reached = passed >= position - 1
    return Judged(chance[reached, position - 1], passed[reached] >= position)


def prefix(chance: np.ndarray, passed: np.ndarray, position: int) -> Judged:
    """a_k = Π_{i≤k} c_i against "guesses 1..k all pass", over all blocks. [N, γ], [N], k from 1."""
    return Judged(chance[:, :position].prod(axis=1), passed >= position)


JUDGES = {"a": prefix, "c": conditional}


@dataclass(frozen=True, slots=True)
class Honesty:
    """One kind of chance measured at every position 1..γ; NaN where nothing was judged."""

    ece: tuple[float, ...]  # of the survival a, 20 bins                  [γ]
    ece_guess: tuple[float, ...]  # of c itself, 20 bins                  [γ]
    auc: tuple[float, ...]  # of c, among the blocks that reached k       [γ]
    blocks: int
    reached: tuple[int, ...]  # blocks in which guess k was judged        [γ]

    @property
    def luck(self) -> float:
        """The ECE of a that an honest guesser would show here by luck alone."""
        return BIAS * (BINS / self.blocks) ** 0.5


def honesty(chance: np.ndarray, passed: np.ndarray) -> Honesty:
    """Measure chances [N, γ] on outcomes [N]."""
    positions = range(1, chance.shape[1] + 1)
    guesses = [conditional(chance, passed, k) for k in positions]
    prefixes = [prefix(chance, passed, k) for k in positions]
    return Honesty(
        ece=tuple(calibration_error(p.predicted, p.came) for p in prefixes),
        ece_guess=tuple(calibration_error(g.predicted, g.came) for g in guesses),
        auc=tuple(roc_auc(g.predicted, g.came) for g in guesses),
        blocks=len(passed),
        reached=tuple(len(g.came) for g in guesses),
    )


EXAMPLE = (0.9, 0.7)  # chances of an example's first and last guess: far from 0 and 1, and falling


def typical(blocks: RecordedBlocks, position: int) -> int:
    """The block that reads best as an example of c and a: its first `position` chances fall most evenly through EXAMPLE. → row"""
    wanted = np.linspace(*EXAMPLE, position)
    return int(np.abs(blocks.confidence[:, :position] - wanted).sum(axis=1).argmin())
