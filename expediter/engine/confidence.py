"""How likely each guess is to pass, computed from what the draft knew before the guess was sampled."""

from typing import Protocol

import numpy as np
import torch

from expediter.core.calibration import Calibration
from expediter.engine.drafter import Draft

SHAPE = 3  # numbers that describe a distribution: log of its best, log of its second best, entropy


class Scorer(Protocol):
    """Anything that turns a draft into confidences."""

    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        """c_{r,k}, probabilities, float64. → [R, γ]"""


def evidence(draft: Draft) -> torch.Tensor:
    """What the probe may look at: hidden state, log p of the best two tokens and the entropy, all at temperature 1.

    The sampled token's own probability is not among them: it would leak the token into its own admission. → [R, γ, d + 3]
    """
    logits = draft.logits.float()  # [R, γ, V]
    total = logits.logsumexp(dim=-1, keepdim=True)  # [R, γ, 1]
    best = logits.topk(2, dim=-1).values - total  # [R, γ, 2]
    log_p = logits - total
    entropy = -(log_p.exp() * log_p).sum(dim=-1, keepdim=True)  # [R, γ, 1]
    return torch.cat([draft.hidden.float(), best, entropy], dim=-1)


class Probe:
    """A calibrated linear probe: core.calibration's reference, batched. Between two fitted temperatures logits interpolate."""

    def __init__(self, calibration: Calibration, device: torch.device):
        self.fitted = calibration.temperatures  # [S]
        self.weights = torch.as_tensor(calibration.weights, dtype=torch.float32, device=device)  # [S, F]
        self.bias = torch.as_tensor(calibration.bias, dtype=torch.float32, device=device)  # [S, γmax]
        self.scale = torch.as_tensor(calibration.scale, dtype=torch.float32, device=device)  # [S, γmax]

    @torch.inference_mode()
    def score(self, draft: Draft, temperature: float) -> np.ndarray:
        features = evidence(draft)  # [R, γ, F]
        depth = features.shape[1]
        above = int(np.searchsorted(self.fitted, temperature).clip(1, len(self.fitted) - 1))
        share = float(np.clip((temperature - self.fitted[above - 1]) / (self.fitted[above] - self.fitted[above - 1]), 0, 1))
        pair = slice(above - 1, above + 1)
        z = torch.einsum("rkf,sf->srk", features, self.weights[pair])  # [2, R, γ]
        z = (z + self.bias[pair, None, :depth]) / self.scale[pair, None, :depth]
        mixed = (1 - share) * z[0] + share * z[1]  # [R, γ]
        return torch.sigmoid(mixed.double()).cpu().numpy()
