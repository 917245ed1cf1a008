"""How uneven a batch a scheduler leaves: some requests send much, others nothing, and attention pays for the one that sends most.

Made-up crowds stand for all real ones: their chances differ about as those of real drafts do. Averages over them are smooth.
"""

from functools import lru_cache

import numpy as np

from expediter.core.survival import Pool, rank

DEEPEST = 8
CROWDS = 16
CHANCES = (0.3, 1.0)  # least and greatest confidence, all between them equally likely


@lru_cache(maxsize=64)
def crowds(requests: int) -> tuple[np.ndarray, ...]:
    """Confidences of each crowd. [R, 8] each."""
    rng = np.random.default_rng(requests)
    return tuple(rng.uniform(*CHANCES, (requests, DEEPEST)) for _ in range(CROWDS))


@lru_cache(maxsize=64)
def _pools(requests: int, depth: int) -> tuple[Pool, ...]:
    return tuple(rank(confidence[:, :depth]) for confidence in crowds(requests))


@lru_cache(maxsize=256)
def longest(requests: int, depth: int) -> np.ndarray:
    """Tokens of the request that sends most, its anchor included, after 0, 1, … R·γ admissions: the mean over crowds. [1 + R·γ]"""
    deepest = np.mean([np.maximum.accumulate(pool.position) for pool in _pools(requests, depth)], axis=0)  # [R·γ]
    return np.concatenate([[1.0], 1.0 + deepest])


def lengths(requests: int, drafts: int, crowd: int) -> np.ndarray:
    """Drafts of each request of this crowd when so many are admitted, shared out evenly beyond what it has. → [R]"""
    pool = _pools(requests, DEEPEST)[crowd % CROWDS]
    if drafts <= len(pool.request):
        return np.bincount(pool.request[:drafts], minlength=requests)
    share, more = divmod(drafts, requests)
    return share + (np.arange(requests) < more)
