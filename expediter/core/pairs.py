"""The pairs: which target, which draft, and what to tell the reader, one pair.json each.

Shipped pairs lie in models/pairs/, the reader's own in the pairs folder of their cache. A model is named by its folder in models/ or in the
cache's models folder, or by an absolute path. EXPEDITER_MODELS names another models folder.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from expediter.core import cache
from expediter.core.catalogue import CATALOGUE
from expediter.core.settings import DEFAULT_PAIR, MAX_DEPTH
from expediter.core.whole_file import whole_file

MODELS = Path(os.environ.get("EXPEDITER_MODELS") or Path(__file__).resolve().parents[2] / "models")
FILE = "pair.json"
NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")  # goes into addresses, commands and file names


class UnknownPair(KeyError):
    """No pair of that name, or one that is not all there; str() is the sentence, where a plain KeyError would put it in quotes."""

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
    missing: str = ""  # what is not there yet and how to get it, one sentence; empty when the pair can run


def user_models() -> Path:
    """Where fetched and added models lie, one folder each; it need not exist yet."""
    return cache.folder() / "models"


def user_pairs() -> Path:
    """Where the reader's own pairs lie, one folder each with all that was measured about it; it need not exist yet."""
    return cache.folder() / "pairs"


def listed(models: Path = MODELS) -> list[PairInfo]:
    """Every readable pair, also those that need something first: the default, the shipped ones with its target first,
    the reader's own.

    A damaged pair.json is left out, and so is a pair of the reader's that is called like a shipped one: the rest must go on.
    """
    shipped = _read(models / "pairs", models)
    taken = {info.name for info in shipped}
    own = [info for info in _read(user_pairs(), models) if info.name not in taken]
    big = next((info.target for info in shipped if info.name == DEFAULT_PAIR), None)
    return sorted(shipped, key=lambda info: (info.name != DEFAULT_PAIR, info.target != big)) + own


def pairs(models: Path = MODELS) -> list[PairInfo]:
    """The pairs that can run, the default first."""
    return [info for info in listed(models) if not info.missing]


def find(name: str, models: Path = MODELS) -> PairInfo:
    """The pair of this name, if it can run. Raises UnknownPair with a sentence that says what there is, or what to fetch."""
    have = listed(models)
    for info in have:
        if info.name == name:
            if info.missing:
                raise UnknownPair(info.missing)
            return info
    ready = ", ".join(info.name for info in have if not info.missing)
    raise UnknownPair(f"There is no pair called {name!r}: choose one of {ready or 'none'}.")


def write_pair(info: PairInfo) -> None:
    """Write info.folder/pair.json, whole or not at all.

    Raises ValueError with one sentence for a name that no address can carry or that a shipped pair has, and OSError.
    """
    if not NAME.fullmatch(info.name):
        raise ValueError(f"{info.name!r} is no name for a pair: use small letters, digits, dots and dashes, 40 at most.")
    if info.folder.parent != MODELS / "pairs" and (MODELS / "pairs" / info.name / FILE).exists():
        raise ValueError(f"A shipped pair is called {info.name} already: choose another name.")
    data = {
        "title": info.title,
        "about": info.about,
        "target": _spelled(info.target),
        "draft": _spelled(info.draft),
        "max_depth": info.max_depth,
    }
    with whole_file(info.folder / FILE) as part:
        part.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(folder: Path, models: Path) -> list[PairInfo]:
    """The pairs of one folder, by name."""
    found = []
    for file in sorted(folder.glob(f"*/{FILE}")):
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            target, draft = (_place(str(data[part]), models) for part in ("target", "draft"))
            found.append(
                PairInfo(
                    name=file.parent.name,
                    title=str(data["title"]),
                    about=str(data["about"]),
                    target=target,
                    draft=draft,
                    max_depth=_depth(data["max_depth"]),
                    folder=file.parent,
                    missing=_missing(file.parent, (target, draft)),
                )
            )
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError):  # the last for an infinite max_depth
            continue
    return found


def _depth(value: object) -> int:
    """γ at most, no more than the controls offer. Raises ValueError or TypeError for what is no depth."""
    depth = int(value)
    if depth < 1:
        raise ValueError("max_depth has to be at least 1")
    return min(depth, MAX_DEPTH)


def _place(named: str, models: Path) -> Path:
    """Where a model lies, or would lie once it is fetched. An absolute path stays what it is."""
    shipped, own = models / named, user_models() / named
    return own if not shipped.exists() and (own.exists() or named in CATALOGUE) else shipped


def _spelled(model: Path) -> str:
    """A model as pair.json names it: by name where that finds it again, so that the folders can be moved."""
    return model.name if model.parent in (MODELS, user_models()) else str(model.absolute())


def _missing(pair: Path, needed: tuple[Path, ...]) -> str:
    """One sentence about the first model that is not there. Of a shipped one the loader says what is wrong with its folder."""
    for model in needed:
        if model.parent == user_models() and model.name in CATALOGUE and not (model / "config.json").exists():
            wanted = CATALOGUE[model.name]
            size = f"{wanted.size / 1e6:.0f} MB"
            return (
                f"The pair {pair.name} needs {wanted.title} ({size}, {wanted.licence}), which is not on this machine yet: "
                f"fetch it in the Garage, or with python -m expediter fetch {wanted.name}."
            )
        if pair.parent == user_pairs() and not model.exists():
            return f"The pair {pair.name} needs the folder {model}, which is not there any more: put it back, or add the pair again."
    return ""
