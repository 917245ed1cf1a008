"""How often the k-th guess of a block passes, given that all before it have passed."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class AcceptanceCounts:
    """Counts by draft position, from blocks that were verified whole."""

    judged: np.ndarray  # blocks whose first k−1 drafts had all passed    [γ] int
    passed: np.ndarray  # those whose k-th draft passed as well           [γ] int

    @property
    def rate(self) -> np.ndarray:
        """Conditional acceptance, probability; NaN where no block came that far. [γ]"""
        return self.passed / np.where(self.judged > 0, self.judged, np.nan)


def acceptance_counts(passed: np.ndarray, depth: int) -> AcceptanceCounts:
    """passed: drafts before the first refusal [N]; depth: γ of those blocks."""
    alive = np.array([(passed >= k).sum() for k in range(depth + 1)])  # [γ + 1]  blocks whose first k drafts passed
    return AcceptanceCounts(alive[:-1], alive[1:])
