"""When requests come: a crowd that never shrinks, a steady stream, or bursts."""

from dataclasses import dataclass

import numpy as np

KINDS = ("closed", "poisson", "bursts")
PEAK, SHARE = 3.0, 0.25  # bursts: three times the mean rate during a quarter of each period
QUIET = (1 - PEAK * SHARE) / (1 - SHARE)  # and so many times the mean rate during the rest


@dataclass(frozen=True, slots=True)
class Arrivals:
    """closed: each request that ends is replaced at once; poisson: independent; bursts: independent at a rate that comes and goes.

    Raises ValueError for an unknown kind, or an open kind without a positive rate and period.
    """

    kind: str = "closed"
    rate: float = 0.0  # requests per second, on average; unused when closed
    period: float = 20.0  # seconds from one burst to the next

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f'"{self.kind}" is no way to arrive: use one of {", ".join(KINDS)}')
        if self.kind != "closed" and not (0 < self.rate < np.inf and 0 < self.period < np.inf):
            raise ValueError("arrivals need a rate above 0, in requests per second, and a period above 0, in seconds")

    def at(self, expected: np.ndarray) -> np.ndarray:
        """When so many requests are expected to have come, seconds; 0 when closed: they are there from the start. [n] → [n]"""
        if self.kind == "closed":
            return np.zeros(len(expected))
        if self.kind == "poisson":
            return expected / self.rate
        periods, rest = np.divmod(expected / self.rate, self.period)  # rest: seconds at the mean rate
        burst = PEAK * SHARE * self.period
        late = SHARE * self.period + (rest - burst) / QUIET
        return periods * self.period + np.where(rest < burst, rest / PEAK, late)
