"""Honest confidences: a linear probe per sampling temperature, then one scale per draft position."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from expediter.core.metrics import calibration_error

GRID = np.geomspace(0.2, 5.0, 81)  # T_k tried; 1 is one of them


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """c_k = σ(z/T_k) with z = w·x + b, for S sampling temperatures, F features and γ positions.

    Between two fitted temperatures the calibrated logits z/T_k of both are interpolated linearly in the temperature; outside
    of them the nearest one is used. Positions beyond γ use the last one's T. That is a choice, not something measured.
    """

    temperatures: np.ndarray  # sampling temperatures, ascending          [S]
    weights: np.ndarray  # w, the probe                                   [S, F]
    bias: np.ndarray  # b                                                 [S]
    scale: np.ndarray  # T_k, above 0                                     [S, γ]

    def __post_init__(self) -> None:
        for name in ("temperatures", "weights", "bias", "scale"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        settings = len(self.temperatures)
        if self.temperatures.ndim != 1 or settings == 0 or (np.diff(self.temperatures) <= 0).any():
            raise ValueError("the calibration's temperatures must ascend, at least one of them")
        if self.weights.ndim != 2 or self.scale.ndim != 2 or not settings == len(self.weights) == len(self.bias) == len(self.scale):
            raise ValueError(f"the calibration needs one row of weights, bias and scale for each of its {settings} temperatures")
        if self.bias.ndim != 1 or self.scale.shape[1] == 0 or not (self.scale > 0).all():
            raise ValueError("the calibration needs one bias a temperature and scales above 0, at least one a temperature")
        if not all(np.isfinite(values).all() for values in (self.temperatures, self.weights, self.bias, self.scale)):
            raise ValueError("the calibration holds a number that is not finite")

    def mix(self, temperature: float) -> tuple[int, int, float]:
        """The two neighbouring settings (indices) and the share of the second."""
        high = int(np.clip(np.searchsorted(self.temperatures, temperature), 0, len(self.temperatures) - 1))
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
        return (features @ self.weights[setting] + self.bias[setting]) / scale  # [...]

    def to_json(self) -> dict:
        """Plain lists and numbers."""
        return {name: getattr(self, name).tolist() for name in ("temperatures", "weights", "bias", "scale")}

    @classmethod
    def from_json(cls, data: Mapping) -> "Calibration":
        """The inverse of to_json. Raises ValueError with one sentence for anything else."""
        fix = "restore the pair's folder or calibrate it again"
        try:
            parts = {name: np.array(data[name], dtype=np.float64) for name in ("temperatures", "weights", "bias", "scale")}
        except KeyError as error:
            raise ValueError(f"the calibration has no {error.args[0]}: {fix}") from None
        except (TypeError, ValueError):
            raise ValueError(f"the calibration is no object of even lists of numbers: {fix}") from None
        return cls(**parts)


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
