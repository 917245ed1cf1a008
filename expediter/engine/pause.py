"""When drafting does not pay at all: the engine stops drafting and probes again every 32 steps.

It looks only at Θ of earlier steps, so it stays lossless above temperature 0.
"""

from collections import deque

PROBE_EVERY = 32  # steps
ENOUGH = 8  # drafted steps before the mean is believed


class Pause:
    """Compares plain decoding's rate with the running mean Θ of the steps that drafted."""

    def __init__(self):
        self.thetas: deque[float] = deque(maxlen=ENOUGH)
        self.rested = 0

    def drafted(self, theta: float) -> None:
        """A step drafted and expected theta tokens/s."""
        self.thetas.append(theta)
        self.rested = 0

    def rests(self, theta_off: float) -> bool:
        """Whether the coming step should not draft. theta_off: R/(T_verify(R,R) + T_rest(R)), tokens/s"""
        if len(self.thetas) < ENOUGH or sum(self.thetas) / len(self.thetas) >= theta_off:
            return False
        self.rested += 1
        return self.rested % PROBE_EVERY != 0
