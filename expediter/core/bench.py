"""A benchmark's result as a value: words per second of policies and peers at several loads, with the spread that belongs to them.

Every policy decodes the same words in the same blocks, in shuffled order, so block b of one policy is compared with block b of another.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

NOISY = 0.08  # quartile distance over median of a load's steadiest policy, from which on its rows count as noisy


@dataclass(frozen=True, slots=True)
class Row:
    """One policy at one load."""

    load: int  # R, requests
    policy: str  # as the scheduler spells it, or "oracle" or "best-plan" (engine.clairvoyant)
    tokens_per_s: float  # median of the blocks
    spread: float  # quartile distance of the blocks over their median
    tokens_per_step: float  # of all requests together
    batch_mean: float  # B, tokens the target read per step
    wasted_share: float  # of those, drafts that did not pass
    blocks: tuple[float, ...]  # tokens/s of every block, in order


@dataclass(frozen=True, slots=True)
class Peer:
    """What people would use instead, at one load."""

    load: int
    name: str
    tokens_per_s: float  # median of the blocks
    spread: float
    blocks: tuple[float, ...]  # tokens/s of every block, in order


@dataclass(frozen=True, slots=True)
class Prediction:
    """Predicted over realised Θ, minus 1, over early-stop's blocks at all loads."""

    bias: float  # mean
    p90_abs_error: float  # nine in ten blocks are off by at most this
    by_load: dict[str, float]  # mean at each load
    words: float | None = None  # of it, mean error of the words of a step: are the chances honest?
    seconds: float | None = None  # mean error of its time; below 0 where steps took longer than the table says
    plain: float | None = None  # the same without any drafts: how much the machine has changed since its table was measured


@dataclass(frozen=True, slots=True)
class Bench:
    """A whole run."""

    pair: str
    weights: str  # fingerprint of the pair's files
    machine: str
    dtype: str
    threads: int
    temperature: float
    depth: int  # γ
    measured_at: str  # ISO 8601
    profile: str  # the step-rate table that decided: fingerprint and origin
    seconds: float  # of the whole run
    rows: tuple[Row, ...]
    peers: tuple[Peer, ...]
    overhead_share: float  # of a step's wall time outside both models' forwards, mean of loads 8 and above
    overhead: dict[str, float]  # the same by load
    prediction: Prediction | None
    notes: tuple[str, ...]  # what was left out, and why

    @property
    def loads(self) -> list[int]:
        """Every load that was run, ascending."""
        return sorted({row.load for row in self.rows})

    @property
    def noisy(self) -> list[int]:
        """Loads at which even the steadiest policy varied: something else was running."""
        return [load for load in self.loads if min(row.spread for row in self.rows if row.load == load) > NOISY]

    def row(self, load: int, policy: str) -> Row | None:
        """That policy at that load; None when it was not run."""
        return next((row for row in self.rows if (row.load, row.policy) == (load, policy)), None)

    def peer(self, load: int, name: str) -> Peer | None:
        """That peer at that load; None when it was not run."""
        return next((peer for peer in self.peers if (peer.load, peer.name) == (load, name)), None)


def summary(rates: list[float]) -> tuple[float, float]:
    """Median and spread of block rates."""
    low, median, high = np.percentile(rates, (25, 50, 75))
    return float(median), float((high - low) / median)


def prediction(
    errors: dict[int, list[float]], words: Sequence[float] = (), seconds: Sequence[float] = (), plain: Sequence[float] = ()
) -> Prediction | None:
    """From predicted over realised Θ, minus 1, of every block by load; None without any. words, seconds, plain: its parts, by block."""
    whole = np.array([error for part in errors.values() for error in part])
    if not whole.size:
        return None
    by_load = {str(load): float(np.mean(part)) for load, part in errors.items() if part}
    parts = (float(np.mean(part)) if len(part) else None for part in (words, seconds, plain))
    return Prediction(float(whole.mean()), float(np.percentile(np.abs(whole), 90)), by_load, *parts)


def to_json(bench: Bench) -> str:
    """One JSON object, ready to be written."""
    return json.dumps(asdict(bench), ensure_ascii=False, indent=1) + "\n"


def from_json(text: str) -> Bench:
    """The inverse of to_json. Raises ValueError, KeyError or TypeError for anything else."""
    data = json.loads(text)
    rows = tuple(Row(**{**row, "blocks": tuple(row["blocks"])}) for row in data.pop("rows"))
    peers = tuple(Peer(**{**peer, "blocks": tuple(peer["blocks"])}) for peer in data.pop("peers"))
    guess = data.pop("prediction")
    return Bench(**{**data, "notes": tuple(data["notes"])}, rows=rows, peers=peers, prediction=Prediction(**guess) if guess else None)


def load_bench(path: Path) -> Bench:
    """Read what to_json wrote. Raises OSError, or ValueError with one sentence for a damaged file."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path.name} is no benchmark's result ({type(error).__name__}): run the benchmark again.") from None
