"""Recorded blocks that no model made: honest by construction, so that every figure on them is known beforehand."""

import numpy as np

from expediter.core.calibration import sigmoid
from expediter.core.recorded_blocks import Origin, RecordedBlocks, Recording
from expediter.core.recorded_places import Places
from expediter.core.settings import DEFAULT_PAIR

ORIGIN = Origin(DEFAULT_PAIR, "0123456789ab", "dice", 1, "2026-01-01T00:00:00+00:00", 8, ("stories", "explanations", "arithmetic", "code"))


def some_blocks(temperature: float, count: int = 200, depth: int = 5, seed: int = 0) -> RecordedBlocks:
    """The calibrated confidence is the very chance by which the dice decide; before calibration it was boastful."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(1.0, 1.5, (count, depth))
    confidence = sigmoid(logit)
    passed = np.cumprod(rng.random((count, depth)) < confidence, axis=1).sum(axis=1)
    draft_probability = sigmoid(logit + rng.normal(-1.0, 1.0, (count, depth)))
    workload = rng.integers(0, len(ORIGIN.workloads), count)
    return RecordedBlocks(temperature, sigmoid(2 * logit), confidence, draft_probability, confidence, passed, workload)


def some_places(temperature: float, texts: int = 8, words: int = 25, depth: int = 5, seed: int = 0) -> Places:
    """Texts of equally many words, the workloads in turn, with a block of `some_blocks` at every place."""
    blocks, text = some_blocks(temperature, texts * words, depth, seed), np.arange(texts * words) // words
    return Places(temperature, blocks.confidence, blocks.passed, text, text % len(ORIGIN.workloads))


def some_recording(count: int = 200, depth: int = 5) -> Recording:
    """Blocks and texts at five temperatures."""
    temperatures = (0.0, 0.4, 0.8, 1.0, 1.5)
    blocks = tuple(some_blocks(t, count, depth, seed) for seed, t in enumerate(temperatures))
    return Recording(ORIGIN, blocks, tuple(some_places(t, depth=depth, seed=seed) for seed, t in enumerate(temperatures)))
