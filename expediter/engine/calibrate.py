"""Make a pair's confidence honest: fit the probe, scale it, and measure on prompts that neither has seen.

The probe is a logistic regression on c* (DSpark, §3.3: binary cross-entropy on the expected pass, weights exp(−(k−1)/γ)), here
also weighted by the chance that the places before were passed, because c_k is conditional on that. Then the bend that
takes a line in the features to the true shape, and Sequential Temperature Scaling. Everything once for each temperature.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch

from expediter.core.calibration import Calibration, bent, fit_bend, sequential_temperatures, sigmoid
from expediter.core.metrics import calibration_error, roc_auc
from expediter.engine.collect import Blocks, collect, joined
from expediter.engine.loader import Pair

TEMPERATURES = (0.0, 0.4, 0.6, 0.8, 1.0, 1.5)  # the usual one among them
RIDGE = 3e-4  # pull towards zero, per sample, on standardised features
ITERATIONS = 12


def fit_probe(blocks: Blocks, ridge: float = RIDGE) -> tuple[np.ndarray, float]:
    """Weights [F] and bias, by Newton's method on the weighted cross-entropy."""
    n, depth, width = blocks.features.shape
    before = torch.cat([torch.ones(n, 1), blocks.chance[:, :-1].cumprod(dim=1)], dim=1)  # [N, γ]  Π_{i<k} c*_i
    weight = (before * torch.exp(-torch.arange(depth) / depth)).double().flatten()  # [N·γ]
    y = blocks.chance.double().flatten()  # [N·γ]
    x = blocks.features.double().flatten(0, 1)  # [N·γ, F]
    mean, spread = x.mean(dim=0), x.std(dim=0).clamp(min=1e-6)  # [F]
    x = torch.cat([(x - mean) / spread, torch.ones(n * depth, 1, dtype=torch.float64)], dim=1)  # [N·γ, F + 1]
    beta = torch.zeros(width + 1, dtype=torch.float64)
    pull = torch.full_like(beta, ridge * float(weight.sum()))
    for _ in range(ITERATIONS):
        p = torch.sigmoid(x @ beta)
        gradient = x.T @ (weight * (p - y)) + pull * beta
        curvature = x.T @ ((weight * p * (1 - p)).clamp(min=1e-9)[:, None] * x) + torch.diag(pull)
        beta = beta - torch.linalg.solve(curvature, gradient)
    slope = beta[:width] / spread
    return slope.numpy(), float(beta[width] - slope @ mean)


def _logits(parts: Iterable[Blocks], weights: np.ndarray, bias: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The probe's logits, c* and passed drafts of every block of an iterator, features dropped. → [N, γ], [N, γ], [N]"""
    w = torch.from_numpy(weights).float()
    rows = [(p.features @ w + bias, p.chance, p.passed) for p in parts]
    return tuple(torch.cat(column).double().numpy() for column in zip(*rows, strict=True))


def measure(z: np.ndarray, bend: np.ndarray, scale: np.ndarray, chance: np.ndarray, passed: np.ndarray) -> dict:
    """Figures on held-out blocks: ECE of the survival by place, AUC of the confidence and of c* itself, acceptance."""
    depth = z.shape[1]
    alive = passed[:, None] > np.arange(depth)  # [N, γ]  1..k all passed
    reached = passed[:, None] >= np.arange(depth)  # [N, γ]  1..k-1 passed: k was judged
    c, raw = sigmoid(bent(z, bend) / scale), sigmoid(z)
    places = range(depth)
    return {
        "blocks": len(z),
        "acceptance": [float(alive[:, k].sum() / max(reached[:, k].sum(), 1)) for k in places],
        "tokens_per_step": float(1 + passed.mean()),
        "ece": [calibration_error(c[:, : k + 1].prod(axis=1), alive[:, k]) for k in places],
        "ece_before_scaling": [calibration_error(raw[:, : k + 1].prod(axis=1), alive[:, k]) for k in places],
        "auc": [roc_auc(c[reached[:, k], k], alive[reached[:, k], k]) for k in places],
        "auc_of_true_chance": [roc_auc(chance[reached[:, k], k], alive[reached[:, k], k]) for k in places],
    }


def calibrate(
    pair: Pair,
    prompts: list[str],
    blocks: tuple[int, int, int],
    seed: int = 7,
    progress: Callable[[float, str], None] = lambda share, what: None,
    temperatures: Sequence[float] = TEMPERATURES,
) -> tuple[Calibration, dict]:
    """Fit and measure at every one of these temperatures, ascending.

    prompts are dealt into three splits (probe, scaling, test); blocks: how many drafted blocks each split collects at each
    temperature. progress gets a share 0..1 and what is being done. Raises ValueError for fewer than three prompts or no blocks.
    """
    if len(prompts) < 3 or min(blocks) < 1:
        raise ValueError(
            f"{len(prompts)} prompts and {min(blocks)} blocks are too few: give at least 3 different prompts and 1 block a split."
        )
    splits = [prompts[i::3] for i in range(3)]
    depth = pair.drafter(1).max_depth
    rows, figures = [], {}
    total = sum(blocks) * len(temperatures)
    done = 0

    def gather(split: int, temperature: float) -> Iterator[Blocks]:
        nonlocal done
        for part in collect(pair, splits[split], blocks[split], depth, temperature, seed + split):
            done += len(part.passed)
            progress(min(done / total, 1.0), f"temperature {temperature:g}, {('probe', 'scaling', 'test')[split]}")
            yield part

    for temperature in temperatures:
        weights, bias = fit_probe(joined(list(gather(0, temperature))))
        z, _, passed = _logits(gather(1, temperature), weights, bias)
        bend = fit_bend(z, passed)
        scale = sequential_temperatures(bent(z, bend), passed)
        rows.append((weights, bias, scale, bend))
        z, chance, passed = _logits(gather(2, temperature), weights, bias)
        figures[f"{temperature:g}"] = measure(z, bend, scale, chance, passed)
    weights, bias, scale, bend = (np.stack(column) for column in zip(*rows, strict=True))
    return Calibration(np.array(temperatures, dtype=float), weights, bias, scale, bend), {"temperatures": figures}
