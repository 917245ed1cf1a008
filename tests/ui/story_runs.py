"""Runs with dice and the story that is told of them."""

from pathlib import Path

from expediter.core.settings import Settings
from expediter.core.trace import StepTrace, load
from expediter.ui.story_data import payload
from tests.fakes import FakeEngine, profile

FLAT = {1: 0.01, 64: 0.01, 384: 0.01}

ROOT = Path(__file__).parents[2]


def recorded_steps(name: str) -> list[StepTrace]:
    """The run that ships under this name."""
    return load(ROOT / "assets" / "traces" / f"{name}.json")


def run(steps: int = 6, table: dict[int, float] | None = None, **settings) -> list[StepTrace]:
    engine = FakeEngine(Settings(**settings), profile(seconds=table) if table else profile())
    return [engine.step() for _ in range(steps)]


def told(quiet: StepTrace, busy: StepTrace | None) -> dict[str, dict]:
    """The scenes by name, the reveal among them."""
    data = payload(quiet, busy, title="Dice")
    return {scene["name"]: scene for scene in (*data["scenes"], data["reveal"])}


def plain(sentence: str) -> str:
    return sentence.replace("\u00a0", " ")
