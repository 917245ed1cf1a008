"""What was measured when a pair was calibrated, at one temperature, read from the parsed calibration.json beside it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figures:
    """Measured on blocks that the fit has not seen, every draft verified. NaN where nothing could be measured."""

    temperature: float
    blocks: int  # N
    acceptance: tuple[float, ...]  # share of k-th drafts that passed, given that the ones before did    [γ]
    tokens_per_step: float  # when all are sent
    ece: tuple[float, ...]  # calibration error of the survival                                          [γ]
    auc: tuple[float, ...]  # of the confidence                                                          [γ]


def nearest_figures(data: Mapping[str, Any], temperature: float) -> Figures | None:
    """The figures of the temperature nearest to this one; None where there are none that read."""
    found = []
    by_temperature = data.get("temperatures")
    for name, row in by_temperature.items() if isinstance(by_temperature, Mapping) else ():
        try:
            rows = {key: tuple(map(_number, row[key])) for key in ("acceptance", "ece", "auc")}
            found.append(Figures(float(name), int(row["blocks"]), tokens_per_step=_number(row["tokens_per_step"]), **rows))
        except (KeyError, TypeError, ValueError):
            continue
    whole = [figures for figures in found if figures.acceptance and math.isfinite(figures.temperature)]
    return min(whole, key=lambda figures: abs(figures.temperature - temperature), default=None)


def table(data: Mapping[str, Any]) -> list[str]:
    """The same for the terminal: a header, and a line for every temperature that reads, in the file's order."""
    lines = ["temperature  blocks  acceptance 1  tokens/step  worst ECE  AUC 1"]
    for name in data.get("temperatures") or ():
        f = nearest_figures({"temperatures": {name: data["temperatures"][name]}}, 0.0)
        if f is not None:
            row = (f.acceptance[0], f.tokens_per_step, max((e for e in f.ece if math.isfinite(e)), default=math.nan), f.auc[0])
            cells = ["—" if math.isnan(value) else f"{value:.{digits}f}" for value, digits in zip(row, (3, 2, 3, 3), strict=True)]
            lines.append(f"{name:>11} {f.blocks:7d} {cells[0]:>13} {cells[1]:>12} {cells[2]:>10} {cells[3]:>6}")
    return lines


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)
