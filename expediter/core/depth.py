"""How deep it pays to draft. A draft that is never sent still costs its time, the more the busier the engine is.

Like a pause it looks only at earlier steps, so it stays lossless above temperature 0: some steps draft the whole depth, and what each
smaller depth would have been expected to bring there decides about the steps that follow.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from expediter.core.plan import Plan
from expediter.core.scheduler import rises
from expediter.core.step_rate import StepRate

WHOLE_EVERY = 32  # steps: one of them drafts the whole depth, as when drafting pauses
SELDOM = 256  # steps: as long as no look at the whole depth changes anything, the next one waits twice as long, up to this
REQUESTS = 64  # request-steps behind a judgement, as for a pause
LEAST = 4  # steps that drafted the whole depth
KEPT = 4  # times as many are remembered, so that a few lucky ones do not decide for long
THINNED = 4  # where the whole depth pays best every step drafts it: of those, one in so many is judged, for judging takes time as well
WORTH = 1.01  # a smaller depth must promise this much more


class Depth:
    """Compares depths 1..γ on the steps that drafted all γ."""

    def __init__(self, load: int):
        self.needed = max(LEAST, REQUESTS // load)
        self.judged: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=KEPT * self.needed)  # τ and T by depth [γ] each
        self.best: int | None = None  # the depth that pays best; None: the whole, or not yet known
        self.waited, self.wait = 0, WHOLE_EVERY  # steps since one drafted the whole depth, and until the next one

    def next(self, whole: int) -> int:
        """The depth of the coming step, 1..whole."""
        self.waited += 1
        if self.best is not None and self.best <= whole and self.waited < self.wait:
            return self.best
        self.waited = 0
        return whole

    def usual(self, whole: int) -> int:
        """The depth of a step that is no look at the whole one."""
        return self.best or whole

    def due(self, step: int) -> bool:
        """Whether this step, if it drafts the whole depth, is to be judged."""
        return self.best is not None or len(self.judged) < self.needed or step % THINNED == 0

    def judge(self, tau: Sequence[float], seconds: Sequence[float]) -> bool:
        """A step drafted the whole depth: what it, and every smaller depth, expected. Index 0 is depth 1. Another γ begins anew.

        → whether another depth pays best than before
        """
        if self.judged and len(self.judged[0][0]) != len(tau):
            self.judged.clear()
        self.judged.append((np.array(tau), np.array(seconds)))
        before, self.best, self.waited = self.best, self._best(), 0
        self.wait = min(2 * self.wait, SELDOM) if self.best == before else WHOLE_EVERY
        return self.best != before

    def _best(self) -> int | None:
        if len(self.judged) < self.needed:
            return None
        tau, seconds = (np.sum(part, axis=0) for part in zip(*self.judged, strict=True))  # [γ] each
        rates = tau / seconds
        best = int(rates.argmax())
        return best + 1 if rates[best] > WORTH * rates[-1] else None


def by_depth(whole: Plan, rates: Sequence[StepRate]) -> tuple[np.ndarray, np.ndarray]:
    """τ in tokens and T in seconds of the early stop, had only the first 1, 2, … γ positions been drafted. → [γ], [γ]

    whole: the plan for all γ; rates: the table for each depth. Dropping deep positions keeps the order of the others, so every smaller
    plan is the whole one with gaps.
    """
    requests, depths = len(whole.lengths), np.arange(len(rates))
    inside = whole.order[:, 1] <= depths[:, None] + 1  # [γ, N]
    gains = np.where(inside, whole.gains, 0.0)  # [γ, N]
    begin = np.full((len(rates), 1), requests)
    tau = np.cumsum(np.concatenate([begin, gains], axis=1), axis=1)  # [γ, N + 1]
    batch = np.cumsum(np.concatenate([begin, inside], axis=1), axis=1)  # [γ, N + 1]
    seconds = np.stack([rate.step_seconds(sizes) for rate, sizes in zip(rates, batch, strict=True)])  # [γ, N + 1]
    falls = inside & ~rises(gains, tau[:, :-1], seconds)  # [γ, N]
    stop = np.where(falls.any(axis=1), falls.argmax(axis=1) if falls.size else 0, falls.shape[1])  # [γ]
    return tau[depths, stop], seconds[depths, stop]
