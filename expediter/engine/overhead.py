"""How much of a step is spent outside the two models: sampling, scoring, deciding, judging, committing, and Python in between."""

from collections.abc import Callable
from time import perf_counter

from expediter.engine.loop import Engine

WORK = ("forward", "logits", "inject")  # what a draft model computes; the rest of its drafter is outside


class Timed:
    """A draft model that adds up the time its forwards take."""

    def __init__(self, model, clock: "Clock"):
        self._model, self._clock = model, clock

    def __getattr__(self, name: str):
        found = getattr(self._model, name)
        return self._clock.timed(found) if name in WORK else found


class Clock:
    """Seconds spent inside, device included."""

    def __init__(self, place):
        self.place, self.seconds, self.begun = place, 0.0, 0.0

    def start(self) -> None:
        """From now on."""
        self.place.synchronize()
        self.begun = perf_counter()

    def stop(self) -> None:
        """Until now."""
        self.place.synchronize()
        self.seconds += perf_counter() - self.begun

    def timed(self, work: Callable) -> Callable:
        """The same function, on the clock."""

        def run(*args, **kwargs):
            self.start()
            try:
                return work(*args, **kwargs)
            finally:
                self.stop()

        return run


def outside_share(engine: Engine, steps: int = 24) -> float:
    """The share of these steps' wall time that neither model's forward accounts for. Reading prompts is no part of a step."""
    admit, clock = engine._admit, Clock(engine.pair.target.place)

    def admitted() -> None:
        admit()
        clock.seconds = 0.0  # prompts were read by the same forwards

    target, drafter = engine.pair.target, engine.drafter
    plain, whole, inside = drafter.model, 0.0, 0.0
    target.forward, drafter.model, engine._admit = clock.timed(target.forward), Timed(plain, clock), admitted
    try:
        for _ in range(steps):
            seconds = engine.step().seconds
            whole, inside = whole + seconds.step, inside + clock.seconds
    finally:
        drafter.model = plain
        del target.forward, engine._admit
    return 1 - inside / whole
