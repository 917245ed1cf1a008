"""Drawing tokens from weights with numbers that come from outside: the draft's guesses and the target's own words alike."""

import numpy as np
import torch

BELOW_ONE = 1 - 2.0**-24  # the largest float32 below 1; times a sum it is less than the sum
WIDTH = 64  # weights of a block, where one is looked for first
MANY = 2**16  # weights from which on that is quicker than to add them all up one by one


def pick(weights: torch.Tensor, uniform: np.ndarray) -> torch.Tensor:
    """One token a row by the inverse of the cumulative weights, which need not sum to 1; never one whose weight is 0.

    weights [R, V], uniform [R] → [R]
    """
    rows, words = weights.shape
    u = torch.from_numpy(np.minimum(uniform, BELOW_ONE)).to(weights.device, weights.dtype)[:, None]  # [R, 1]
    if weights.numel() < MANY or words % WIDTH:
        total = weights.cumsum(dim=-1)  # [R, V]
        return torch.searchsorted(total, u * total[:, -1:], right=True).squeeze(-1)
    blocks = weights.reshape(-1, WIDTH)  # [R·N, 64]
    ends = torch.nn.functional.pad(blocks.sum(dim=-1).view(rows, -1).cumsum(dim=-1), (1, 0))  # [R, 1 + N]  from 0
    u = u * ends[:, -1:]
    block = torch.searchsorted(ends, u, right=True) - 1  # [R, 1]
    first = torch.arange(0, len(blocks), words // WIDTH, device=weights.device)[:, None]  # [R, 1]
    inside = blocks[(first + block).squeeze(-1)].cumsum(dim=-1) + ends.gather(-1, block)  # [R, 64]
    place = torch.searchsorted(inside, u, right=True)  # [R, 1]
    last = torch.searchsorted(inside, inside[:, -1:].contiguous())  # the two sums may differ in their last bit
    return (block * WIDTH + torch.minimum(place, last)).squeeze(-1)


def chances(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """softmax(logits / T) in float32. temperature above 0; [..., V] → [..., V]

    Fresh memory for so large a table takes as long as filling it: of logits in a short format, the one long copy is all that is taken.
    """
    scaled = logits * (1 / temperature) if logits.dtype == torch.float32 else logits.float().mul_(1 / temperature)
    return torch.softmax(scaled, dim=-1, out=scaled)


def likeliest(logits: torch.Tensor) -> torch.Tensor:
    """The first of the largest in each row. [..., V] → [...]

    On a CPU numpy finds it in a tenth of torch's time; short formats are made long for that, which is exact and still six times as quick.
    """
    if logits.device.type == "cpu":
        return torch.from_numpy(logits.float().numpy().argmax(axis=-1))
    return logits.argmax(dim=-1)
