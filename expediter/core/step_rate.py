"""The cost table SPS(B): how long one whole step takes at batch B. A value, so the scheduler is tested without hardware."""

from dataclasses import dataclass

import numpy as np

LOOKUPS = ("interp", "ceil", "floor")
SHORTEST, LONGEST = 1e-9, 1e9  # seconds; outside of these no real step lies and Θ could overflow


@dataclass(frozen=True, slots=True, eq=False)
class StepRate:
    """Step seconds at N measured batch sizes.

    Between two sizes: "interp" is linear in time, "ceil" the next larger size (padded, as to a captured graph), "floor" the
    next smaller one. Below the first size every lookup gives the first time; above the last it grows in proportion to B.
    Raises ValueError for a table that is empty, unsorted, or not positive and finite.
    """

    batch: np.ndarray  # B, tokens, strictly ascending, from 1            [N]
    seconds: np.ndarray  # T(B), the step without drafting                [N] float64
    lookup: str = "interp"
    draft_seconds: float = 0.0  # T_draft, added to every step that drafts
    plain_seconds: float | None = None  # a step that drafts nothing; None: T at its batch size

    def __post_init__(self) -> None:
        batch, seconds = np.asarray(self.batch), np.asarray(self.seconds, dtype=np.float64)
        if batch.ndim != 1 or batch.shape != seconds.shape or batch.size == 0:
            raise ValueError("the step-rate table needs as many step times as batch sizes, at least one of each")
        if batch[0] < 1 or (np.diff(batch) <= 0).any():
            raise ValueError("the batch sizes of the step-rate table must ascend from 1 or more, each one once")
        if not ((seconds >= SHORTEST) & (seconds <= LONGEST)).all():
            raise ValueError(f"every step time of the step-rate table must lie between {SHORTEST:g} and {LONGEST:g} seconds")
        if self.lookup not in LOOKUPS:
            raise ValueError(f'"{self.lookup}" is no lookup: use one of {", ".join(LOOKUPS)}')
        if not 0 <= self.draft_seconds <= LONGEST:
            raise ValueError(f"the draft time must lie between 0 and {LONGEST:g} seconds")
        if self.plain_seconds is not None and not SHORTEST <= self.plain_seconds <= LONGEST:
            raise ValueError(f"the time of a step without drafts must lie between {SHORTEST:g} and {LONGEST:g} seconds")
        object.__setattr__(self, "batch", batch)
        object.__setattr__(self, "seconds", seconds)

    def verify_seconds(self, batch: np.ndarray | int) -> np.ndarray:
        """T(B) without drafting, seconds, for every B in `batch`. Any shape, the same shape back."""
        batch = np.asarray(batch)
        if self.lookup == "interp":
            inside = np.interp(batch, self.batch, self.seconds)
        else:
            side = "left" if self.lookup == "ceil" else "right"
            index = np.searchsorted(self.batch, batch, side=side) - (self.lookup == "floor")
            inside = self.seconds[np.clip(index, 0, self.batch.size - 1)]
        return inside * np.maximum(batch / self.batch[-1], 1.0)

    def without_drafts(self, requests: int) -> float:
        """What a step takes that drafts nothing for so many requests, seconds. One word each is a smaller job than the curve's begin says:
        no request waits for a longer one, and nothing is padded.
        """
        return float(self.verify_seconds(requests)) if self.plain_seconds is None else self.plain_seconds

    def step_seconds(self, batch: np.ndarray | int) -> np.ndarray:
        """T_draft + T(B), seconds: what a step that drafts takes at batch B. Any shape, the same shape back."""
        return self.verify_seconds(batch) + self.draft_seconds
