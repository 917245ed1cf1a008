"""The ways to decide how many drafts are sent, and how each is spelled on the command line and in the address bar."""

import json
import math
from dataclasses import dataclass

PLAIN = ("early-stop", "global", "stale", "all", "off")
SPELLINGS = "early-stop, global, stale, fixed:ℓ, threshold:x, all, off"
DEEPEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy. `level` is ℓ (drafts per request) for "fixed", x (a survival) for "threshold", unused otherwise."""

    kind: str = "early-stop"
    level: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Policy":
        """Read "early-stop", "fixed:2", "threshold:0.5" and so on. Raises ValueError with one sentence for anything else."""
        kind, colon, level = text.partition(":")
        if kind in PLAIN and not colon:
            return cls(kind)
        if kind == "fixed":
            if not (level.isascii() and level.isdigit() and len(level) <= 7 and int(level) <= DEEPEST):
                raise ValueError(f'policy "fixed" needs a whole number of drafts up to {DEEPEST}: write for example fixed:2')
            return cls(kind, int(level))
        if kind == "threshold":
            return cls(kind, _probability(level))
        raise ValueError(f"{json.dumps(text[:40])} is no policy: use one of {SPELLINGS}")

    def __str__(self) -> str:
        return f"{self.kind}:{self.level!r}" if self.kind in ("fixed", "threshold") else self.kind

    @property
    def lossless(self) -> bool:
        """Whether the words keep the target's distribution above temperature 0.

        A global search over the current confidences peeks: c_{r,k+1} was computed from the sampled x_{r,k} (DSpark, App. A).
        """
        return self.kind != "global"

    @property
    def watches_theta(self) -> bool:
        """Whether Θ has a say in where loading stops."""
        return self.kind in ("early-stop", "global", "stale")

    def depth(self, drafts: int) -> int:
        """How many of `drafts` positions this policy drafts at all."""
        if self.kind == "off":
            return 0
        return min(int(self.level), drafts) if self.kind == "fixed" else drafts


def _probability(text: str) -> float:
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise ValueError('policy "threshold" needs a survival from 0 to 1: write for example threshold:0.5')
    return value
