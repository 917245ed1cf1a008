"""What the scheduler decided for one step, with everything needed to draw and explain it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """One step's decision over N candidates of R requests. Θ and τ are expectations, not outcomes."""

    lengths: np.ndarray  # ℓ_r, drafts sent per request                   [R] int
    order: np.ndarray  # (request from 0, position from 1), surest first  [N, 2] int
    gains: np.ndarray  # a_{r,j} in that order, probability               [N]
    path: np.ndarray  # Θ after 0, 1, … admissions, tokens/s              [N + 1]
    step_seconds: np.ndarray  # expected step time behind Θ               [N + 1]
    stop: int  # admissions; index into path
    reason: str  # peak: Θ would not rise; exhausted: nothing left; budget: a cap; policy: Θ was not asked
    theta_off: float  # R·SPS(R), without draft time, tokens/s
    theta_all: float  # every candidate of the whole depth sent, tokens/s
    theta_none: float  # drafted, nothing sent, tokens/s
    cold: bool  # the budget came from assumed confidences of 1.0

    @property
    def batch(self) -> int:
        """B = Σ (1 + ℓ_r), tokens the target reads."""
        return len(self.lengths) + self.stop

    @property
    def theta(self) -> float:
        """Θ where loading stopped, tokens/s."""
        return float(self.path[self.stop])

    @property
    def tau(self) -> float:
        """τ = Σ (1 + Σ_{j≤ℓ_r} a_{r,j}), expected tokens of the step."""
        return float(len(self.lengths) + self.gains[: self.stop].sum())

    @property
    def margin(self) -> float:
        """How far Θ at the stop lies above sending nothing and sending everything, as a share of it; ∞ without candidates.

        An end where loading stopped is not compared with itself.
        """
        ends = [self.path[k] for k in (0, len(self.gains)) if k != self.stop]
        return float(1 - max(ends) / self.path[self.stop]) if ends else float("inf")
