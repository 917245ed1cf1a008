"""How deep it pays to draft. A draft that is never sent still costs its time, the more the busier the engine is.

Like a pause it looks only at earlier steps, so it stays lossless above temperature 0: some steps draft the whole depth, and what each
smaller depth would have been expected to bring there decides about the steps that follow.
"""

from collections import deque

import numpy as np

WHOLE_EVERY = 32  # steps: one of them drafts the whole depth, as when drafting pauses
REQUESTS = 64  # request-steps behind a judgement, as for a pause
LEAST = 4  # steps that drafted the whole depth
KEPT = 4  # times as many are remembered, so that a few lucky ones do not decide for long
WORTH = 1.01  # a smaller depth must promise this much more


class Depth:
    """Compares depths 1..γ on the steps that drafted all γ."""

    def __init__(self, load: int):
        self.needed = max(LEAST, REQUESTS // load)
        self.judged: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=KEPT * self.needed)  # τ and T by depth [γ] each
        self.steps = 0

    def next(self, whole: int) -> int:
        """The depth of the coming step, 1..whole."""
        self.steps += 1
        if len(self.judged) < self.needed or self.steps % WHOLE_EVERY == 0:
            return whole
        tau, seconds = (np.sum(part, axis=0) for part in zip(*self.judged, strict=True))  # [γ] each
        rates = tau / seconds
        best = int(rates.argmax())
        return best + 1 if rates[best] > WORTH * rates[-1] else whole

    def judge(self, tau: list[float], seconds: list[float]) -> None:
        """A step drafted the whole depth: what it, and every smaller depth, expected. Index 0 is depth 1. Another γ begins anew."""
        if self.judged and len(self.judged[0][0]) != len(tau):
            self.judged.clear()
        self.judged.append((np.array(tau), np.array(seconds)))
