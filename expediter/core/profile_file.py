"""A profile as a JSON file, and clear words for a file that is damaged."""

import json
import math
from dataclasses import asdict, fields
from itertools import pairwise
from pathlib import Path

from expediter.core.costs import DraftTime, Padding, RestTime
from expediter.core.curve import Curve
from expediter.core.profile import SOURCES, Profile, Sampled
from expediter.core.step_rate import LONGEST
from expediter.core.whole_file import whole_file

VERSION = 2  # 2 knows what sampling costs; a file without a number is of version 1, and still read
MOST = 1_000_000  # tokens of a batch; requests, context and the like stay below it too


class ProfileError(ValueError):
    """The file holds no usable profile; the message says what is wrong and what to do."""


def save_profile(profile: Profile, path: Path) -> None:
    """Write it whole or not at all. Raises OSError."""
    with whole_file(path) as draft:
        draft.write_text(json.dumps({"version": VERSION, **asdict(profile)}, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def load_profile(path: Path) -> Profile:
    """Read what save_profile wrote. Raises ProfileError."""
    try:
        return profile_from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ProfileError(f"{path.name} cannot be read ({error.strerror}): profile the pair again") from None
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        reason = f"{error.args[0]} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
        raise ProfileError(f"{path.name} is no usable profile ({reason}): delete it and profile the pair again") from None


def profile_from_json(data: dict) -> Profile:
    """Check and rebuild. Raises KeyError, TypeError or ValueError."""
    if not isinstance(data, dict):
        raise TypeError("the top level is not an object")
    if (version := data.get("version", 1)) not in range(1, VERSION + 1):
        raise ValueError(f"its version is {version!r}, and this program reads {VERSION} and older")
    known = {"version", *(field.name for field in fields(Profile))}
    if unknown := set(data) - known:
        raise ValueError(f"unknown field {sorted(unknown)[0]!r}")
    if data["source"] not in SOURCES:
        raise ValueError(f"source is {data['source']!r}")
    for name in ("pair", "device", "dtype", "measured_at"):
        if not isinstance(data[name], str):
            raise TypeError(f"{name} is not text")
    sampled = data.get("sampled")
    return Profile(
        **{name: data[name] for name in ("pair", "device", "dtype", "source", "measured_at")},
        threads=_whole(data, "threads", 1),
        curves=_curves(data["curves"]),
        draft=_drafts(data["draft"]),
        rest=tuple(RestTime(_whole(t, "requests", 1), _seconds(t["seconds"])) for t in data["rest"]),
        padding=tuple(Padding(_whole(t, "requests", 1), _whole(t, "context", 0), _seconds(t["seconds"])) for t in data.get("padding", ())),
        sampled=None if sampled is None else Sampled(_curves(sampled["curves"]), _drafts(sampled["draft"])),
    )


def _curves(data: list) -> tuple[Curve, ...]:
    if not data:
        raise ValueError("curves is empty")
    return tuple(_curve(curve) for curve in data)


def _drafts(data: list) -> tuple[DraftTime, ...]:
    return tuple(
        DraftTime(
            _whole(t, "requests", 1),
            _whole(t, "depth", 0),
            _seconds(t["seconds"]),
            None if t.get("context") is None else _whole(t, "context", 0),
        )
        for t in data
    )


def _curve(data: dict) -> Curve:
    batch = tuple(data["batch"])
    if not batch or any(type(b) is not int or not 1 <= b <= MOST for b in batch) or any(a >= b for a, b in pairwise(batch)):
        raise ValueError("a curve's batch sizes are not ascending whole numbers")
    columns = {name: tuple(_seconds(value, least=1e-9) for value in data[name]) for name in ("median", "low", "high")}
    if any(len(column) != len(batch) for column in columns.values()):
        raise ValueError("a curve has not as many times as batch sizes")
    return Curve(
        requests=_whole(data, "requests", 1), context=_whole(data, "context", 0), batch=batch, **columns, repeats=_whole(data, "repeats", 1)
    )


def _whole(data: dict, name: str, least: int) -> int:
    value = data[name]
    if type(value) is not int or not least <= value <= MOST:
        raise ValueError(f"{name} is no whole number from {least} to {MOST}")
    return value


def _seconds(value: object, least: float = 0.0) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= LONGEST or not math.isfinite(value):
        raise ValueError("a time is not a sensible number of seconds")
    return float(value)
