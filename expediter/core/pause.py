"""When drafting does not pay at all: the engine stops drafting and probes again every 32 steps.

It looks only at earlier steps, so it stays lossless above temperature 0. What it compares is Στ/ΣT over those steps: a mean of
their Θ would count a short step as much as a long one.
"""

from collections import deque

PROBE_EVERY = 32  # steps
REQUESTS = 64  # request-steps behind a judgement: a single request's luck changes from step to step, a crowd's does not
LEAST = 8  # steps


class Pause:
    """Compares plain decoding's rate with what the steps that drafted were expected to bring."""

    def __init__(self, load: int):
        self.steps: deque[tuple[float, float]] = deque(maxlen=max(LEAST, REQUESTS // load))  # (τ tokens, T seconds) of each
        self.rested = 0

    def drafted(self, tau: float, seconds: float) -> None:
        """A step drafted, expecting tau tokens in so many seconds."""
        self.steps.append((tau, seconds))
        self.rested = 0

    def forget(self) -> None:
        """Steps are made otherwise from now on: those before say nothing about them."""
        self.steps.clear()
        self.rested = 0

    def rests(self, theta_off: float) -> bool:
        """Whether the coming step should not draft. theta_off: R over the time of a step without drafts, tokens/s"""
        if len(self.steps) < self.steps.maxlen:
            return False
        tokens, seconds = map(sum, zip(*self.steps, strict=True))
        if tokens / seconds >= theta_off:
            return False
        self.rested += 1
        return self.rested % PROBE_EVERY != 0
