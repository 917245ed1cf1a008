"""Texts that a target wrote, with a block of guesses at every place of them: what any policy would have met there.

A recorded block says what came of its guesses when all of them were checked. What follows a block of which only some were sent it does not
say, and it matters: stopping before a doubtful word lets the target write that word, and the next block begins behind it. Here every
place of a text has its own block, drawn together with the text, so that a replay may stop wherever it likes and go on where it stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ARRAYS = ("confidence", "passed", "text", "workload")
TEXTS = 96  # at each temperature


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """M places at one temperature, text by text and in the order of the words. A block at a place guesses the γ words from there on."""

    temperature: float
    confidence: np.ndarray  # c_k after calibration                       [M, γ] float64
    passed: np.ndarray  # guesses of the block that agree with the text, up to the first that does not or the text's last word [M] int
    text: np.ndarray  # which text the place belongs to, never falling    [M] int
    workload: np.ndarray  # index into the recording's workloads          [M] int

    @property
    def depth(self) -> int:
        """γ."""
        return self.confidence.shape[1]

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return len(np.unique(self.text))

    def __len__(self) -> int:
        return len(self.passed)

    def only(self, rows: np.ndarray) -> "Places":
        """Some of them: a mask over M that keeps or drops whole texts."""
        return Places(self.temperature, **{name: getattr(self, name)[rows] for name in ARRAYS})

    def shallow(self, depth: int) -> "Places":
        """What would have been recorded if only the first `depth` of γ words had been guessed; nearly, where a block is one pass."""
        return Places(self.temperature, self.confidence[:, :depth], np.minimum(self.passed, depth), self.text, self.workload)


def stacked(places: Sequence[Places]) -> dict[str, np.ndarray]:
    """Places at several temperatures as arrays for one file: behind each other, with how many there are of each."""
    kinds = {"confidence": np.float16, "passed": np.uint8, "text": np.uint16, "workload": np.uint8}
    parts = {f"place_{name}": np.concatenate([getattr(p, name) for p in places]).astype(kind) for name, kind in kinds.items()}
    return {"places": np.array([len(p) for p in places]), **parts}


def unstacked(parts: dict[str, np.ndarray], temperatures: Sequence[float], workloads: int) -> tuple[Places, ...]:
    """What `stacked` made, checked. Raises KeyError or ValueError for arrays that do not fit together."""
    sizes, confidence = parts["places"], parts["place_confidence"].astype(np.float64)
    whole = {name: parts[f"place_{name}"].astype(np.int64) for name in ARRAYS[1:]}
    if sizes.shape != (len(temperatures),) or (sizes < 1).any() or confidence.ndim != 2 or len(confidence) != sizes.sum():
        raise ValueError("it needs places at every temperature")
    if not ((confidence >= 0) & (confidence <= 1)).all():
        raise ValueError("a confidence of a place is no probability")
    if any(part.shape != (len(confidence),) or part.min() < 0 for part in whole.values()):
        raise ValueError("a place lacks its outcome, its text or its workload")
    if whole["passed"].max() > confidence.shape[1] or whole["workload"].max() >= workloads:
        raise ValueError("outcomes and workloads do not fit the places")
    cuts = np.cumsum(sizes)[:-1]
    rows = zip(np.split(confidence, cuts), *(np.split(whole[name], cuts) for name in ARRAYS[1:]), strict=True)
    made = tuple(Places(float(t), *row) for t, row in zip(temperatures, rows, strict=True))
    if any((np.diff(p.text) < 0).any() for p in made):
        raise ValueError("the places of a text are not together")
    return made
