"""How likely each guess is to pass, computed from what the draft knew before the guess was sampled."""

from functools import partial
from typing import Protocol

import numpy as np
import torch

from expediter.core.calibration import BENDS, Calibration
from expediter.engine.drafter import Draft

SHAPE = 3  # numbers that describe a distribution: log of its best, log of its second best, entropy
PLACES = 8  # one more number for every place in the block: 1 there, 0 elsewhere


def width(hidden: int) -> int:
    """F, how many numbers the probe looks at, for a draft whose hidden state has `hidden`."""
    return hidden + SHAPE + PLACES


class Scorer(Protocol):
    """Anything that turns a draft into confidences."""

    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        """c_{r,k}, probabilities, float64. → [R, γ]"""


def evidence(draft: Draft) -> torch.Tensor:
    """What the probe may look at: hidden state, log p of the best two tokens, entropy (all at temperature 1) and the place.

    The sampled token's own probability is not among them: it would leak the token into its own admission. → [R, γ, F]
    """
    logits = draft.logits.float()  # [R, γ, V]
    p = logits.softmax(dim=-1)
    top = logits.topk(2, dim=-1)  # [R, γ, 2]
    total = top.values[..., :1] - p.gather(-1, top.indices[..., :1]).log()  # [R, γ, 1]  log Σ exp, without another pass over V
    best = top.values - total
    entropy = total - torch.linalg.vecdot(p, logits).unsqueeze(-1)  # [R, γ, 1]  −Σ p·log p
    r, depth = logits.shape[:2]
    place = torch.eye(depth, PLACES, device=logits.device).expand(r, -1, -1)  # [R, γ, 8]
    return torch.cat([draft.hidden.float(), best, entropy, place], dim=-1)


class Probe:
    """A calibrated linear probe: core.calibration's reference, batched. Between two fitted temperatures logits interpolate."""

    def __init__(self, calibration: Calibration, device: torch.device):
        self.calibration = calibration
        as_tensor = partial(torch.as_tensor, dtype=torch.float32, device=device)
        parts = (calibration.weights, calibration.bias, calibration.scale, calibration.bend)
        self.weights, self.bias, self.scale, self.bend = map(as_tensor, parts)

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        features = evidence(draft)  # [R, γ, F]
        low, high, share = self.calibration.mix(temperature)
        z = [self._logit(features, s) for s in (low, high)]  # [R, γ] each
        return torch.sigmoid(torch.lerp(*z, share).double()).cpu().numpy()

    def _logit(self, features: torch.Tensor, setting: int) -> torch.Tensor:
        """g(w·x + b)/T_k, as core.calibration has it. [R, γ, F] → [R, γ]"""
        z = features @ self.weights[setting] + self.bias[setting]  # [R, γ]
        offset, below, between, above = self.bend[setting]
        low, high = BENDS
        g = offset + below * z.clamp(max=low) + between * (z.clamp(low, high) - low) + above * (z.clamp(min=high) - high)
        return g / self.scale[setting, : g.shape[1]]


class Head:
    """DSpark's own confidence head as it was trained, c_k = σ(w·[h_k ; W1[x_{k−1}]]): not calibrated, the same at every temperature."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor):
        self.weight, self.bias = weight.float(), bias.float()  # [d + rank], []

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        return torch.sigmoid((draft.hidden.float() @ self.weight + self.bias).double()).cpu().numpy()
