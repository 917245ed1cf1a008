"""The pairs that are there: which target, which draft, and what to tell the reader, from models/pairs/*/pair.json.

EXPEDITER_MODELS names another models folder.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(os.environ.get("EXPEDITER_MODELS") or Path(__file__).resolve().parents[2] / "models")
DEFAULT = "pocket-good"


class UnknownPair(KeyError):
    """No pair of that name; str() is the sentence, where a plain KeyError would put it in quotes."""

    def __str__(self) -> str:
        return self.args[0]


@dataclass(frozen=True, slots=True)
class PairInfo:
    """A pair on disk. Paths are absolute."""

    name: str  # folder name, as in the address bar
    title: str  # as in the control
    about: str  # one sentence
    target: Path  # folder with config.json, model.safetensors, tokenizer.json
    draft: Path  # folder with config.json, model.safetensors
    max_depth: int  # γ at most
    folder: Path  # where calibration and the recorded step-rate table lie


def pairs(models: Path = MODELS) -> list[PairInfo]:
    """Every readable pair, the default first, the others by name. A damaged pair.json is left out: the rest must go on."""
    found = []
    for file in sorted(models.glob("pairs/*/pair.json")):
        try:
            data = json.loads(file.read_text())
            found.append(
                PairInfo(
                    name=file.parent.name,
                    title=str(data["title"]),
                    about=str(data["about"]),
                    target=models / data["target"],
                    draft=models / data["draft"],
                    max_depth=int(data["max_depth"]),
                    folder=file.parent,
                )
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda info: (info.name != DEFAULT, info.name))


def find(name: str, models: Path = MODELS) -> PairInfo:
    """The pair of this name. Raises UnknownPair with a sentence that lists what there is."""
    have = pairs(models)
    for info in have:
        if info.name == name:
            return info
    raise UnknownPair(f"There is no pair called {name!r} in models/pairs: choose one of {', '.join(i.name for i in have) or 'none'}.")
