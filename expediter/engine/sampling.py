"""Drawing tokens from weights with numbers that come from outside: the draft's guesses and the target's own words alike."""

import numpy as np
import torch


def pick(weights: torch.Tensor, uniform: np.ndarray) -> torch.Tensor:
    """One token a row by the inverse of the cumulative weights, which need not sum to 1. weights [R, V], uniform [R] → [R]"""
    total = weights.cumsum(dim=-1)  # [R, V]
    u = torch.from_numpy(uniform).to(total.device, total.dtype)[:, None] * total[:, -1:]  # [R, 1]
    return torch.searchsorted(total, u, right=True).squeeze(-1).clamp(max=total.shape[-1] - 1)
