"""How likely each guess is to pass, computed from what the draft knew before the guess was sampled."""

from typing import Protocol

import numpy as np
import torch

from expediter.core.calibration import Calibration, bent, sigmoid
from expediter.engine.drafter import Draft

SHAPE = 3  # numbers that describe a distribution: log of its best, log of its second best, entropy
BLOCK = 64  # words looked at together
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
    best = best_two(logits)  # [R, γ, 2]
    total = best[..., :1] - p.amax(dim=-1, keepdim=True).log()  # [R, γ, 1]  log Σ exp, without another pass of exponentials
    entropy = total - torch.linalg.vecdot(p, logits).unsqueeze(-1)  # [R, γ, 1]  −Σ p·log p
    r, depth = logits.shape[:2]
    place = torch.eye(depth, PLACES, device=logits.device).expand(r, -1, -1)  # [R, γ, 8]
    return torch.cat([draft.hidden.float(), best - total, entropy, place], dim=-1)


def best_two(logits: torch.Tensor) -> torch.Tensor:
    """The two largest numbers of every row, the larger first. [..., V] → [..., 2]

    The largest of each block are looked at first: finding both among all words takes a CPU five times as long.
    """
    words = logits.shape[-1]
    if words % BLOCK or words < 4 * BLOCK:
        return logits.topk(2, dim=-1).values
    blocks = logits.unflatten(-1, (-1, BLOCK))  # [..., N, 64]
    high = blocks.amax(dim=-1).topk(2, dim=-1)  # [..., 2]
    at = high.indices[..., :1, None].expand(*high.indices.shape[:-1], 1, BLOCK)  # [..., 1, 64]
    within = blocks.gather(-2, at).squeeze(-2).topk(2, dim=-1).values  # [..., 2]  of the block that has the largest
    return torch.stack([high.values[..., 0], torch.maximum(high.values[..., 1], within[..., 1])], dim=-1)


class Probe:
    """A calibrated linear probe: core.calibration's reference, batched. Between two fitted temperatures logits interpolate."""

    def __init__(self, calibration: Calibration, device: torch.device):
        self.calibration = calibration
        self.weights = torch.as_tensor(calibration.weights, dtype=torch.float32, device=device)  # [settings, F]

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        features = evidence(draft)  # [R, γ, F]
        low, high, share = self.calibration.mix(temperature)
        z = (features @ self.weights[[low, high]].T).double().cpu().numpy()  # [R, γ, 2]
        return sigmoid((1 - share) * self._logit(z[..., 0], low) + share * self._logit(z[..., 1], high))

    def _logit(self, z: np.ndarray, setting: int) -> np.ndarray:
        """g(w·x + b)/T_k from w·x, as core.calibration has it. [R, γ] → [R, γ]"""
        c = self.calibration
        return bent(z + c.bias[setting], c.bend[setting]) / c.scale[setting, : z.shape[1]]


class Head:
    """DSpark's own confidence head as it was trained, c_k = σ(w·[h_k ; W1[x_{k−1}]]): not calibrated, the same at every temperature."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor):
        self.weight, self.bias = weight.float(), bias.float()  # [d + rank], []

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        return torch.sigmoid((draft.hidden.float() @ self.weight + self.bias).double()).cpu().numpy()
