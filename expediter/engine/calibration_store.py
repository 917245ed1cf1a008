"""A pair's confidence on disk: models/pairs/<pair>/calibration.safetensors, and its figures beside it as JSON."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from expediter.core import cache
from expediter.core.calibration import PARTS, Calibration
from expediter.core.whole_file import whole_file

FILE, FIGURES = "calibration.safetensors", "calibration.json"


def read_calibration(folder: Path) -> Calibration:
    """Raises OSError when there is none, ValueError when it is damaged; both say what to do."""
    again = f"calibrate the pair again: python -m expediter calibrate {folder.name}"
    if not (folder / FILE).exists():
        raise OSError(f"models/pairs/{folder.name}/{FILE} is missing: restore it, or {again}.")
    try:
        parts = load_file(folder / FILE)
        return Calibration(**{name: np.asarray(value, dtype=np.float64) for name, value in parts.items()})
    except (SafetensorError, TypeError, ValueError, OSError) as error:
        raise ValueError(f"models/pairs/{folder.name}/{FILE} is damaged ({error}): restore it, or {again}.") from error


def write_calibration(folder: Path, calibration: Calibration, figures: dict) -> None:
    """Both files, each whole or not at all; the weights in float32. Raises OSError."""
    with whole_file(folder / FILE) as draft:
        save_file({n: np.ascontiguousarray(getattr(calibration, n), dtype=np.float32) for n in PARTS}, draft)
    with whole_file(folder / FIGURES) as draft:
        draft.write_text(json.dumps(_told(figures), indent=1) + "\n", encoding="utf-8")


def _told(value):
    """The same with None for what could not be measured: JSON has no NaN."""
    if isinstance(value, dict):
        return {key: _told(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_told(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_figures(folder: Path) -> dict:
    """What was measured when the pair was calibrated; empty when there is nothing readable."""
    try:
        return json.loads((folder / FIGURES).read_text())
    except (OSError, ValueError):
        return {}


def set_aside(folder: Path) -> None:
    """Keep a shipped pair's calibration in the cache before another takes its place; one that is kept already stays. Raises OSError."""
    if kept_aside(folder) or not (folder / FILE).exists():
        return
    place = _aside(folder)
    place.mkdir(parents=True, exist_ok=True)
    for name in (FIGURES, FILE):  # the weights last: with them the copy is whole
        if (folder / name).exists():
            shutil.copyfile(folder / name, place / name)


def kept_aside(folder: Path) -> bool:
    """Whether the calibration that came with this pair was set aside."""
    return (_aside(folder) / FILE).exists()


def put_back(folder: Path) -> None:
    """The calibration that was set aside, in its place again. Raises OSError."""
    place = _aside(folder)
    for name in (FILE, FIGURES):
        if (place / name).exists():
            shutil.copyfile(place / name, folder / name)
    shutil.rmtree(place)


def _aside(folder: Path) -> Path:
    return cache.folder() / "calibrations" / folder.name
