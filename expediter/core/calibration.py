"""Honest confidences: a linear probe per sampling temperature, its logits bent to their true shape, then one scale per draft position."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from expediter.core.metrics import calibration_error

GRID = np.geomspace(0.2, 5.0, 81)  # T_k tried; 1 is one of them
PARTS = ("temperatures", "weights", "bias", "scale", "bend")
BENDS = (0.0, 2.0)  # logits, chances of one half and of .88: where g may change its slope
STRAIGHT = np.array([0.0, 1.0, 1.0, 1.0])  # g(z) = z
LEAST_SLOPE = 0.05  # g never falls, nor forgets the order of two logits
PULL = 10.0  # guesses' worth of trust in g(z) = z


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """c_k = σ(g(z)/T_k) with z = w·x + b, for S sampling temperatures, F features and γ positions; g as in `bent`.

    Between two fitted temperatures the calibrated logits g(z)/T_k of both are interpolated linearly in the temperature; outside
    of them the nearest one is used. Positions beyond γ use the last one's T. That is a choice, not something measured.
    """

    temperatures: np.ndarray  # sampling temperatures, ascending          [S]
    weights: np.ndarray  # w, the probe                                   [S, F]
    bias: np.ndarray  # b                                                 [S]
    scale: np.ndarray  # T_k, above 0                                     [S, γ]
    bend: np.ndarray | None = None  # offset and three slopes of g, above 0; None: g(z) = z  [S, 4]

    def __post_init__(self) -> None:
        if self.bend is None:
            object.__setattr__(self, "bend", np.tile(STRAIGHT, (len(self.temperatures), 1)))
        for name in PARTS:
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        settings = len(self.temperatures)
        if self.temperatures.ndim != 1 or settings == 0 or (np.diff(self.temperatures) <= 0).any():
            raise ValueError("the calibration's temperatures must ascend, at least one of them")
        if self.weights.ndim != 2 or self.scale.ndim != 2 or not settings == len(self.weights) == len(self.bias) == len(self.scale):
            raise ValueError(f"the calibration needs one row of weights, bias and scale for each of its {settings} temperatures")
        if self.bias.ndim != 1 or self.scale.shape[1] == 0 or not (self.scale > 0).all():
            raise ValueError("the calibration needs one bias a temperature and scales above 0, at least one a temperature")
        if self.bend.shape != (settings, len(STRAIGHT)) or not (self.bend[:, 1:] > 0).all():
            raise ValueError("the calibration needs an offset and three slopes above 0 a temperature")
        if not all(np.isfinite(getattr(self, name)).all() for name in PARTS):
            raise ValueError("the calibration holds a number that is not finite")

    def mix(self, temperature: float) -> tuple[int, int, float]:
        """The two neighbouring settings (indices) and the share of the second."""
        high = min(int(np.searchsorted(self.temperatures, temperature)), len(self.temperatures) - 1)
        low = max(high - 1, 0)
        if low == high or temperature >= self.temperatures[high]:
            return high, high, 0.0
        return low, high, float((temperature - self.temperatures[low]) / (self.temperatures[high] - self.temperatures[low]))

    def confidence(self, features: np.ndarray, position: int, temperature: float) -> np.ndarray:
        """c_k before token k is sampled. [..., F], k from 1 → [...], probabilities."""
        low, high, share = self.mix(temperature)
        return sigmoid((1 - share) * self._logit(features, position, low) + share * self._logit(features, position, high))

    def _logit(self, features: np.ndarray, position: int, setting: int) -> np.ndarray:
        scale = self.scale[setting, min(position, self.scale.shape[1]) - 1]
        return bent(features @ self.weights[setting] + self.bias[setting], self.bend[setting]) / scale  # [...]

    def joined(self, other: "Calibration") -> "Calibration":
        """Both sets of temperatures; where both have one, the other's. Raises ValueError when they do not fit each other."""
        if other.weights.shape[1] != self.weights.shape[1] or other.scale.shape[1] != self.scale.shape[1]:
            raise ValueError("the two calibrations belong to different drafts: calibrate again at all temperatures")
        kept = ~np.isclose(self.temperatures[:, None], other.temperatures).any(axis=1)  # a file keeps them in single precision
        order = np.argsort(np.concatenate([self.temperatures[kept], other.temperatures]))
        return Calibration(**{n: np.concatenate([getattr(self, n)[kept], getattr(other, n)])[order] for n in PARTS})

    def to_json(self) -> dict:
        """Plain lists and numbers."""
        return {name: getattr(self, name).tolist() for name in PARTS}

    @classmethod
    def from_json(cls, data: Mapping) -> "Calibration":
        """The inverse of to_json. Raises ValueError with one sentence for anything else."""
        fix = "restore the pair's folder or calibrate it again"
        try:
            parts = {name: np.array(data[name], dtype=np.float64) for name in PARTS if name != "bend" or name in data}
        except KeyError as error:
            raise ValueError(f"the calibration has no {error.args[0]}: {fix}") from None
        except (TypeError, ValueError):
            raise ValueError(f"the calibration is no object of even lists of numbers: {fix}") from None
        return cls(**parts)


def bent(z: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """g(z), a line with two bends: offset + slopes below, between and above BENDS. Any shape, the same shape back."""
    return bend[0] + _pieces(z) @ bend[1:]


def _pieces(z: np.ndarray) -> np.ndarray:
    """z as the sum of what lies below, between and above the bends. [...] → [..., 3]"""
    low, high = BENDS
    return np.stack([np.minimum(z, low), np.clip(z, low, high) - low, np.maximum(z, high) - high], axis=-1)


def fit_bend(logits: np.ndarray, accepted: np.ndarray, rounds: int = 40) -> np.ndarray:
    """Offset and slopes [4] of the g whose σ(g(z)) explains best which guesses passed, among those that were judged.

    logits: z_k of held-out blocks, NaN where nothing was drafted [N, γ]; accepted: drafts that passed [N]. A probe is straight in its
    features, the truth is not: at temperature 0 even a guess that it writes off passes now and then. Logistic regression by Newton's
    method, all positions together, pulled a little towards g(z) = z.
    """
    position = np.arange(logits.shape[1])
    judged = (accepted[:, None] >= position) & ~np.isnan(logits)  # [N, γ]
    z, passed = logits[judged], (accepted[:, None] > position)[judged]  # [n] each
    x = np.concatenate([np.ones((len(z), 1)), _pieces(z)], axis=1)  # [n, 4]
    bend = STRAIGHT.copy()
    for _ in range(rounds):
        p = sigmoid(x @ bend)
        curvature = x.T @ ((p * (1 - p))[:, None] * x) + PULL * np.eye(4)
        step = np.linalg.solve(curvature, x.T @ (p - passed) + PULL * (bend - STRAIGHT))
        bend = bend - step / max(1.0, np.abs(step).max())  # Newton leaps too far where all chances lie near 0 or 1
    return np.concatenate([bend[:1], np.maximum(bend[1:], LEAST_SLOPE)])


def sequential_temperatures(logits: np.ndarray, accepted: np.ndarray) -> np.ndarray:
    """Sequential Temperature Scaling: T_1..T_γ, each the best on a grid with the earlier ones fixed.

    logits: z_k of held-out blocks, NaN where nothing was drafted [N, γ]; accepted: drafts that passed before the first
    refusal [N]. For k = 1..γ, T_k minimises the 20-bin calibration error of Π_{i≤k} σ(z_i/T_i) against "1..k all passed";
    equal errors go to the T nearest to 1. A position that no block reached keeps T = 1.
    """
    product = np.ones(len(logits))  # [N]
    found = np.ones(logits.shape[1])
    nearest_first = GRID[np.argsort(np.abs(np.log(GRID)))]
    for k in range(logits.shape[1]):
        drafted = ~np.isnan(logits[:, k])
        if not drafted.any():
            break
        passed = accepted[drafted] > k  # [n]
        errors = [calibration_error(product[drafted] * sigmoid(logits[drafted, k] / scale), passed) for scale in nearest_first]
        found[k] = nearest_first[int(np.argmin(errors))]
        product = product * sigmoid(logits[:, k] / found[k])  # NaN where the block had ended
    return found


def sigmoid(x: np.ndarray) -> np.ndarray:
    """σ(x) without overflow. Any shape, the same shape back."""
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(x, dtype=np.float64)))
