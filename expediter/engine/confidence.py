"""How likely each guess is to pass, computed from what the draft knew before the guess was sampled."""

from typing import Protocol

import numpy as np
import torch

from expediter.core.calibration import Calibration, bent, sigmoid
from expediter.engine.drafter import Draft

SHAPE = 3  # numbers that describe a distribution: log of its best, log of its second best, entropy
BLOCK = 64  # words looked at together
TOGETHER = 2**17  # numbers of a table that fit into a core's cache beside their exponentials
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
    r, depth, words = draft.logits.shape
    rows = draft.logits.flatten(0, 1)  # [R·γ, V]
    # A CPU takes some rows at a time, which stay in its cache: of a large load's whole table every pass is paid in fresh memory. In even
    # parts: a few rows left over would take as long as many.
    few = max(TOGETHER // words, 8) if rows.device.type == "cpu" else len(rows)
    parts = rows.tensor_split(max(round(len(rows) / few), 1))
    shapes = torch.cat([_shape(part.float()) for part in parts]).view(r, depth, SHAPE)
    place = torch.eye(depth, PLACES, device=rows.device).expand(r, -1, -1)  # [R, γ, 8]
    return torch.cat([draft.hidden.float(), shapes, place], dim=-1)


def _shape(logits: torch.Tensor) -> torch.Tensor:
    """Log p of the best two tokens, entropy. [N, V] → [N, 3]"""
    p = logits.softmax(dim=-1)
    best = best_two(logits)  # [N, 2]
    total = best[:, :1] - p.amax(dim=-1, keepdim=True).log()  # [N, 1]  log Σ exp, without another pass of exponentials
    entropy = total - torch.linalg.vecdot(p, logits).unsqueeze(-1)  # [N, 1]  −Σ p·log p
    return torch.cat([best - total, entropy], dim=-1)


def best_two(logits: torch.Tensor) -> torch.Tensor:
    """The two largest numbers of every row, the larger first. [..., V] → [..., 2]

    The largest of every column of 64 are looked at first: finding both among all words takes a CPU five times as long.
    """
    words = logits.shape[-1]
    if words % BLOCK or words < 4 * BLOCK:
        return logits.topk(2, dim=-1).values
    table = logits.unflatten(-1, (BLOCK, -1))  # [..., 64, N]
    high = table.amax(dim=-2).topk(2, dim=-1)  # [..., 2]
    column = high.indices[..., None, :1].expand(*high.indices.shape[:-1], BLOCK, 1)  # [..., 64, 1]
    within = table.gather(-1, column).squeeze(-1).topk(2, dim=-1).values  # [..., 2]  of the column that has the largest
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
        z = self._logit(features, high)  # [R, γ]
        return sigmoid(z if low == high else (1 - share) * self._logit(features, low) + share * z)

    def _logit(self, features: torch.Tensor, setting: int) -> np.ndarray:
        """g(w·x + b)/T_k, as core.calibration has it. [R, γ, F] → [R, γ]"""
        c, z = self.calibration, (features @ self.weights[setting]).double().cpu().numpy()  # [R, γ]
        return bent(z + c.bias[setting], c.bend[setting]) / c.scale[setting, : z.shape[1]]


class Head:
    """DSpark's own confidence head as it was trained, c_k = σ(w·[h_k ; W1[x_{k−1}]]): not calibrated, the same at every temperature."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor):
        self.weight, self.bias = weight.float(), bias.float()  # [d + rank], []

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        return torch.sigmoid((draft.hidden.float() @ self.weight + self.bias).double()).cpu().numpy()
