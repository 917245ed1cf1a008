"""What a sweep over the load found: every policy at every load, on one machine, with what it was measured on."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from expediter.core.whole_file import whole_file


class SweepError(ValueError):
    """The file holds no usable sweep; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Point:
    """One policy at one load."""

    load: int  # R, requests at once
    policy: str  # as the scheduler spells it
    steps: int  # behind these numbers
    words_per_second: float  # tokens a step over the median time of a step
    low: float  # the slowest of the interleaved rounds, tokens/s
    high: float  # the fastest
    on_table: float  # the same tokens over the step-rate table's times, tokens/s
    words_per_step: float  # tokens committed per request and step
    sent: float  # drafts checked per request and step
    wasted: float  # share of the checked drafts that did not pass; 0 when none was checked
    drafting: float  # share of the steps in which anything was drafted

    @property
    def felt(self) -> float:
        """Tokens per second that one request gets."""
        return self.words_per_second / self.load

    @property
    def batch(self) -> float:
        """B, tokens the target reads in a mean step."""
        return self.load * (1 + self.sent)


@dataclass(frozen=True, slots=True)
class Sweep:
    """All points of one sweep, and what they were measured on."""

    pair: str
    weights: str  # fingerprint of both models and the calibration
    machine: str  # "float32 · CPU, 2 threads"
    device: str
    dtype: str
    threads: int
    table: str  # fingerprint of the step-rate table that the expediter planned on
    depth: int  # γ
    temperature: float
    workload: str
    seed: int
    measured_at: str  # ISO 8601
    points: tuple[Point, ...]

    @property
    def loads(self) -> tuple[int, ...]:
        """Every load, ascending."""
        return tuple(sorted({point.load for point in self.points}))

    @property
    def policies(self) -> tuple[str, ...]:
        """Every policy, in the order of measuring."""
        return tuple(dict.fromkeys(point.policy for point in self.points))

    def at(self, policy: str, load: int) -> Point | None:
        """One point; None where it was not measured."""
        return next((point for point in self.points if (point.policy, point.load) == (policy, load)), None)

    def line(self, policy: str) -> tuple[Point, ...]:
        """One policy's points by load."""
        return tuple(sorted((point for point in self.points if point.policy == policy), key=lambda point: point.load))

    def best_fixed(self) -> tuple[Point, ...]:
        """At each load the limit by hand that turned out fastest. Chosen afterwards, so noise is on its side."""
        fixed = [point for point in self.points if point.policy.startswith("fixed:")]
        return tuple(
            max((p for p in fixed if p.load == load), key=lambda p: p.words_per_second) for load in sorted({p.load for p in fixed})
        )


def save_sweep(path: Path, sweep: Sweep) -> None:
    """Write it whole or not at all. Raises OSError."""
    with whole_file(path) as draft:
        draft.write_text(json.dumps(asdict(sweep), ensure_ascii=False, indent=1), encoding="utf-8")


def load_sweep(path: Path) -> Sweep:
    """Read what save_sweep wrote. Raises FileNotFoundError where there is nothing, SweepError for a damaged file."""
    try:
        return sweep_from_json(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
        raise SweepError(f"{path.name} holds no usable sweep ({reason}): delete it and sweep again.") from None


def sweep_from_json(data: Mapping) -> Sweep:
    """Check and rebuild. Raises KeyError, TypeError or ValueError."""
    if not isinstance(data, Mapping):
        raise TypeError("the top level is no object")
    points = tuple(_point(point) for point in data["points"])
    if not points:
        raise ValueError("there are no points")
    return _made(Sweep, {**data, "points": points})


def _point(data: Mapping) -> Point:
    point = _made(Point, data)
    if point.load < 1 or point.steps < 1 or not all(math.isfinite(v) and v >= 0 for v in asdict(point).values() if not isinstance(v, str)):
        raise ValueError("a point has a number that no measurement gives")
    return point


def _made(kind: type, data: Mapping):
    """A dataclass whose plain fields have the type they say. Whole numbers will do for real ones."""
    plain = {"str": str, "int": int, "float": int | float}
    values = {}
    for field in fields(kind):
        value = data[field.name]
        wanted = plain.get(getattr(field.type, "__name__", str(field.type)), object)
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise TypeError(f"{field.name} is no {field.type.__name__}")
        values[field.name] = value
    if unknown := set(data) - set(values):
        raise ValueError(f"unknown field {sorted(unknown)[0]!r}")
    return kind(**values)
