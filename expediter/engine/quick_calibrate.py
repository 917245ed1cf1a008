"""The quick form of `calibrate`, for a pair that was just added: the same probe and the same scaling, from as many blocks as a time allows.

With few blocks a probe over every number of a hidden state learns chance. So it looks at the state's main directions, and how
much it is pulled towards zero is chosen on blocks that it was not fitted on. Fewer temperatures; those between are interpolated.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter

import numpy as np
import torch

from expediter.core.calibration import Calibration, bent, fit_bend, sequential_temperatures
from expediter.core.settings import TEMPERATURE
from expediter.engine.calibrate import fit_probe, measure
from expediter.engine.collect import Blocks, collect, joined
from expediter.engine.confidence import PLACES, SHAPE
from expediter.engine.loader import Pair

TEMPERATURES = (0.0, TEMPERATURE, 1.2)
SHARES = {"probe": 0.5, "scaling": 0.3, "test": 0.2}  # of the time
FOR = {"probe": "to learn from", "scaling": "to adjust by", "test": "to test on"}
SECONDS = 80.0  # of decoding in all; fitting and finding the load come on top
LEAST = 96  # blocks of each split, however long they take
LOADS = (4, 8, 16, 32)  # tried
STEPS = 20  # at least, of every split: an answer's later words count as much as its first
DIRECTIONS = 32  # of the hidden state
RIDGES = (1e-3, 1e-2, 1e-1)
SEED = 7

Report = Callable[[float, str], None]


def quick_calibrate(
    pair: Pair,
    prompts: list[str],
    report: Report = lambda share, what: None,
    lock: AbstractContextManager | None = None,
    seconds: float = SECONDS,
) -> tuple[Calibration, dict]:
    """Fit and measure at TEMPERATURES, in about `seconds` where the machine brings LEAST blocks a split in that time.

    prompts are dealt into three splits; report gets a share 0..1 and a sentence and may raise to stop; lock is taken for one step at a
    time. Raises ValueError for fewer than three prompts.
    """
    if len(prompts) < 3:
        raise ValueError(f"{len(prompts)} prompts are too few: give at least 3 different ones.")
    lock = lock or nullcontext()
    depth = pair.drafter(1).max_depth
    splits = {name: prompts[i::3] for i, name in enumerate(SHARES)}
    report(0.0, "finding out how many requests at once are read fastest")
    load, pace = _fastest(pair, splits["probe"], depth, lock, seconds * max(SHARES.values()) / len(TEMPERATURES))
    rows, figures = [], {}

    def gather(temperature: float, split: str, done: float) -> Blocks:
        allowed = seconds * SHARES[split] / len(TEMPERATURES)
        few = max(min(load, max(int(pace * allowed), LEAST) // STEPS), 1)
        parts, begun, seen = [], perf_counter(), 0
        for part in _turns(collect(pair, splits[split], 10**9, depth, temperature, SEED, few), lock):
            parts.append(part)
            seen += len(part.passed)
            spent = perf_counter() - begun
            share = min(spent / allowed, seen / LEAST, 1.0)
            report((done + share * SHARES[split]) / len(TEMPERATURES), f"blocks {FOR[split]} at temperature {temperature:g}, {seen} so far")
            if spent >= allowed and seen >= LEAST:
                break
        return joined(parts)

    for turn, temperature in enumerate(TEMPERATURES):
        probe = gather(temperature, "probe", turn)
        scaling = gather(temperature, "scaling", turn + SHARES["probe"])
        weights, bias = fit_directions(probe, scaling)
        z, passed = _logits(scaling, weights, bias), scaling.passed.numpy()
        bend = fit_bend(z, passed)
        scale = sequential_temperatures(bent(z, bend), passed)
        rows.append((weights, bias, scale, bend))
        test = gather(temperature, "test", turn + SHARES["probe"] + SHARES["scaling"])
        z = _logits(test, weights, bias)
        figures[f"{temperature:g}"] = measure(z, bend, scale, test.chance.double().numpy(), test.passed.numpy())
    report(1.0, "done")
    weights, bias, scale, bend = (np.stack(column) for column in zip(*rows, strict=True))
    about = {"seed": SEED, "prompts": len(prompts), "machine": str(pair.target.place), "quick": True}
    return Calibration(np.array(TEMPERATURES), weights, bias, scale, bend), {**about, "temperatures": figures}


def fit_directions(probe: Blocks, held_out: Blocks) -> tuple[np.ndarray, float]:
    """Weights [F] and bias of a probe along the main directions of the hidden state, pulled as suits the held-out blocks best."""
    basis = _basis(probe.features.flatten(0, 1))  # [F, q]
    small, other = (Blocks(b.features @ basis, b.chance, b.passed) for b in (probe, held_out))
    fits = [fit_probe(small, ridge) for ridge in RIDGES]
    weights, bias = min(fits, key=lambda fit: _surprise(other, *fit))
    return basis.double().numpy() @ weights, bias


def _basis(features: torch.Tensor) -> torch.Tensor:
    """From the probe's evidence to its main directions: those of the hidden state, and all else as it is. features [M, F] → [F, q]"""
    hidden = features[:, : -SHAPE - PLACES].double()  # [M, d]
    spread = hidden.std(dim=0).clamp(min=1e-6)
    x = (hidden - hidden.mean(dim=0)) / spread
    q = min(DIRECTIONS, *x.shape)
    found = torch.randn(x.shape[1], q, generator=torch.Generator().manual_seed(SEED), dtype=torch.float64)
    for _ in range(6):  # subspace iteration: enough for directions that only serve to describe
        found = torch.linalg.qr(x.T @ (x @ found)).Q  # [d, q]
    return torch.block_diag(found / spread[:, None], torch.eye(SHAPE + PLACES)).float()  # [F, q + 11]


def _logits(blocks: Blocks, weights: np.ndarray, bias: float) -> np.ndarray:
    """[N, γ]"""
    return (blocks.features.double() @ torch.from_numpy(weights) + bias).numpy()


def _surprise(blocks: Blocks, weights: np.ndarray, bias: float) -> float:
    """Mean cross-entropy of c* under the probe, over the places that were reached."""
    z = torch.from_numpy(_logits(blocks, weights, bias))  # [N, γ]
    loss = torch.nn.functional.binary_cross_entropy_with_logits(z, blocks.chance.double(), reduction="none")
    reached = blocks.passed[:, None] >= torch.arange(z.shape[1])  # [N, γ]
    return float(loss[reached].mean())


def _fastest(pair: Pair, prompts: list[str], depth: int, lock: AbstractContextManager, allowed: float) -> tuple[int, float]:
    """The load that brings the most blocks a second, as far as trying more pays, and how many these are. allowed: seconds of a split"""
    best = (LOADS[0], 0.0)
    for load in LOADS:
        steps = _turns(collect(pair, prompts, 10**9, depth, max(TEMPERATURES), SEED, load), lock)
        next(steps)  # also reads the prompts
        begun = perf_counter()
        seen = sum(len(part.passed) for part in (next(steps), next(steps)))
        pace = seen / (perf_counter() - begun)
        if pace < 1.1 * best[1]:
            break
        best = (load, pace)
        if pace * allowed < STEPS * load:  # more at once would be done after too few steps
            break
    return best


def _turns(parts: Iterable[Blocks], lock: AbstractContextManager) -> Iterator[Blocks]:
    """The same, with the lock held while each is made."""
    parts = iter(parts)
    while True:
        with lock:
            part = next(parts, None)
        if part is None:
            return
        yield part
