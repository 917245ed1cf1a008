"""Drafted blocks that were verified whole, with every confidence that could have been used and what came of them, as one small file.

A scheduler and a reliability diagram can be run on them again without a model, and a fleet on the texts beside them (recorded_places.py).
The file is numpy's .npz, read without pickle; probabilities are kept in float16. Format 1 had no texts.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from expediter.core.recorded_places import Places, stacked, unstacked
from expediter.core.whole_file import whole_file

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "blocks"
FORMAT = 2
BLOCKS = 1600  # at each temperature, where nobody asks for another number
CHANCES = ("before", "confidence", "draft_probability", "chance")
WHOLE = ("passed", "workload")
ARRAYS = (*CHANCES, *WHOLE)


class RecordingError(ValueError):
    """The file holds no usable blocks; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedBlocks:
    """N blocks of γ drafts at one temperature, none of them dropped. All but `passed` and `workload` are conditional probabilities."""

    temperature: float
    before: np.ndarray  # c_k of the probe as it was trained              [N, γ] float64
    confidence: np.ndarray  # c_k after calibration, what is scheduled by [N, γ] float64
    draft_probability: np.ndarray  # p_d(x_k) of the very token; at temperature 0 of the likeliest, as the draft's softmax has it [N, γ]
    chance: np.ndarray  # c* = 1 − ½‖p_d − p_t‖₁; at temperature 0 whether both prefer the same token [N, γ]
    passed: np.ndarray  # drafts before the first refusal                 [N] int
    workload: np.ndarray  # index into the recording's workloads          [N] int

    @property
    def depth(self) -> int:
        """γ."""
        return self.before.shape[1]

    def __len__(self) -> int:
        return len(self.passed)

    def only(self, rows: slice | np.ndarray) -> "RecordedBlocks":
        """Some of the blocks: a slice, indices or a mask over N."""
        return RecordedBlocks(self.temperature, **{name: getattr(self, name)[rows] for name in ARRAYS})

    def shallow(self, depth: int) -> "RecordedBlocks":
        """What would have been recorded if only the first `depth` of γ tokens had been drafted."""
        chances = {name: getattr(self, name)[:, :depth] for name in CHANCES}
        return RecordedBlocks(self.temperature, **chances, passed=np.minimum(self.passed, depth), workload=self.workload)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where blocks come from."""

    pair: str
    weights: str  # fingerprint of both models and the calibration
    machine: str
    seed: int
    recorded_at: str  # ISO 8601
    prompts: int  # different prompts, none of them used to fit the confidence
    workloads: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """Blocks at several temperatures, ascending, equally many at each; and texts at the same temperatures, or none."""

    origin: Origin
    blocks: tuple[RecordedBlocks, ...]
    places: tuple[Places, ...] = ()

    def nearest(self, temperature: float) -> RecordedBlocks:
        """The blocks recorded nearest to this temperature; of two equally near ones the cooler."""
        return min(self.blocks, key=lambda blocks: abs(blocks.temperature - temperature))

    def nearest_places(self, temperature: float) -> Places | None:
        """The texts recorded nearest to this temperature, likewise; None where there are none."""
        return min(self.places, key=lambda places: abs(places.temperature - temperature), default=None)


def path_of(pair: str, folder: Path = FOLDER) -> Path:
    """The file of this pair's blocks."""
    return folder / f"{pair}.npz"


def joined(parts: Sequence[RecordedBlocks]) -> RecordedBlocks:
    """Blocks of one temperature, one part after the other."""
    return RecordedBlocks(parts[0].temperature, **{name: np.concatenate([getattr(p, name) for p in parts]) for name in ARRAYS})


def save_blocks(path: Path, recording: Recording) -> None:
    """Write it whole or not at all. Raises OSError."""
    chances = {name: np.stack([getattr(b, name) for b in recording.blocks]).astype(np.float16) for name in CHANCES}  # [S, N, γ] each
    whole = {name: np.stack([getattr(b, name) for b in recording.blocks]).astype(np.uint8) for name in WHOLE}  # [S, N]
    about = {"format": np.array(FORMAT), "origin": np.array(json.dumps(asdict(recording.origin)))}
    temperature = np.array([b.temperature for b in recording.blocks])  # [S]
    texts = stacked(recording.places) if recording.places else {}
    with whole_file(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, **about, temperature=temperature, **chances, **whole, **texts)


def load_blocks(path: Path) -> Recording:
    """Read what save_blocks wrote. Raises FileNotFoundError where there is nothing, RecordingError for a damaged file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            parts = {name: file[name] for name in file.files}
        origin = json.loads(str(parts["origin"]))
        return _checked(Origin(**{**origin, "workloads": tuple(origin["workloads"])}), parts)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
        again = f"record it again: python -m expediter blocks {path.stem}"
        raise RecordingError(f"{path.name} holds no usable blocks ({reason}): {again}.") from None


def _checked(origin: Origin, parts: dict[str, np.ndarray]) -> Recording:
    """Raises KeyError, TypeError or ValueError for parts that do not fit together."""
    if parts.get("format", 1) > FORMAT:
        raise ValueError("a newer version of this program wrote it")
    temperatures, shape = parts["temperature"], parts["before"].shape
    if len(shape) != 3 or 0 in shape or len(temperatures) != shape[0] or (np.diff(temperatures) <= 0).any():
        raise ValueError("it needs blocks at ascending temperatures")
    chances = {name: parts[name].astype(np.float64) for name in CHANCES}
    if any(part.shape != shape or not ((part >= 0) & (part <= 1)).all() for part in chances.values()):
        raise ValueError("a chance is no probability, or one is missing")
    passed, workload = parts["passed"].astype(np.int64), parts["workload"].astype(np.int64)
    if not passed.shape == workload.shape == shape[:2] or passed.max() > shape[2] or workload.max() >= len(origin.workloads):
        raise ValueError("outcomes and workloads do not fit the blocks")
    rows = [RecordedBlocks(float(t), *(chances[n][s] for n in CHANCES), passed[s], workload[s]) for s, t in enumerate(temperatures)]
    places = unstacked(parts, temperatures, len(origin.workloads)) if "places" in parts else ()
    return Recording(origin, tuple(rows), places)
