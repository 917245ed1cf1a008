"""Muon (Jordan et al. 2024): momentum, made orthogonal by a Newton–Schulz iteration.

torch.optim.Muon does the same one matrix at a time and in bfloat16, which on a CPU without fast bfloat16 costs a quarter of a training
step; here matrices of one shape go through the iteration together, in bfloat16 only where the CPU multiplies it in hardware.
"""

import torch

from expediter.engine.device import multiplies_short

HALF = multiplies_short("cpu")  # products in half precision where the CPU has them in hardware

A, B, C = 3.4445, -4.7750, 2.0315  # the quintic's coefficients, from the reference
MOMENTUM = 0.95


def orthogonal(g: torch.Tensor, iterations: int = 5) -> torch.Tensor:
    """The nearest semi-orthogonal matrix, approximately, of each of a stack. [N, r, c] → [N, r, c]"""
    tall = g.shape[1] > g.shape[2]
    x = g.mT if tall else g
    x = (x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)).to(torch.bfloat16 if HALF else x.dtype)
    for _ in range(iterations):
        gram = x @ x.mT
        x = A * x + (B * gram + C * gram @ gram) @ x
    return (x.mT if tall else x).to(g.dtype)


class Muon(torch.optim.Optimizer):
    """For matrices only. The update's size matches AdamW's: 0.2·√max(r, c), so both share one learning rate."""

    def __init__(self, params, lr: float, weight_decay: float = 0.05):
        super().__init__(params, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            shapes: dict[torch.Size, list[torch.nn.Parameter]] = {}
            for p in group["params"]:
                shapes.setdefault(p.shape, []).append(p)
            for shape, same in shapes.items():
                for p in same:
                    self.state[p].setdefault("momentum", torch.zeros_like(p)).lerp_(p.grad, 1 - MOMENTUM)
                ahead = torch.stack([p.grad.lerp(self.state[p]["momentum"], MOMENTUM) for p in same])  # Nesterov
                size = 0.2 * max(shape) ** 0.5 * group["lr"]
                for p, update in zip(same, orthogonal(ahead), strict=True):
                    p.mul_(1 - group["lr"] * group["weight_decay"]).sub_(update, alpha=size)
