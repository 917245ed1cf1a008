"""Runs for the stage's tests: invented words and chances, cut by the real scheduler."""

from dataclasses import replace
from pathlib import Path

from expediter.core.settings import Settings
from expediter.core.trace import StepTrace, save
from tests.fakes import FakeEngine, profile

STAIRS = {1: 0.008, 8: 0.008, 16: 0.009, 24: 0.009, 25: 0.013, 48: 0.0132, 49: 0.018, 96: 0.0185}  # the score dips where a stair begins


def run(steps: int = 4, table: dict[int, float] | None = None, **settings) -> list[StepTrace]:
    """A few steps with these settings."""
    engine = FakeEngine(Settings(**settings), profile("measured here", table) if table else profile())
    return [engine.step() for _ in range(steps)]


def runs() -> dict[str, list[StepTrace]]:
    """Every kind of step that the stage has to draw."""
    resting = [replace(step, policy="early-stop", drafting=False) for step in run(policy="off", load=4)]
    return {
        "one": run(load=1),
        "sixteen": run(load=16),
        "full": run(load=64, depth=8),
        "fixed": run(load=8, policy="fixed:2"),
        "threshold": run(load=16, policy="threshold:0.5"),
        "all": run(load=16, policy="all"),
        "dip": run(load=12, table=STAIRS),
        "off": run(load=4, policy="off"),
        "resting": resting,
    }


def write(folder: Path) -> dict[str, list[StepTrace]]:
    """Store the runs where the stage's test page finds them."""
    made = runs()
    for name, steps in made.items():
        save(folder / f"{name}.json", steps, "dice")
    return made
