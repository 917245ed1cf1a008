"""The scheduler's decision for very many requests: the same lengths as `schedule`, without the order in which they were admitted.

Nobody draws ten thousand requests, so nothing needs to know which draft came 17,203rd. Sorting the survivals alone costs a tenth
of sorting their indices; who is admitted then follows from the last admitted survival.
"""

from dataclasses import dataclass

import numpy as np

from expediter.core.policy import Policy
from expediter.core.scheduler import curve, stopping_point
from expediter.core.step_rate import StepRate
from expediter.core.survival import Pool

NOBODY = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One step's decision for R requests."""

    lengths: np.ndarray  # ℓ_r, drafts sent per request                   [R] int
    tau: float  # expected tokens of the step
    seconds: float  # expected time of the step
    gains: np.ndarray  # every survival above 0, surest first: what a later "stale" step plans with [N]


def cut(survival: np.ndarray, step_rate: StepRate, policy: Policy, *, earlier: np.ndarray | None = None) -> Cut:
    """Exactly the lengths of schedule(confidence, step_rate, policy).

    survival: a_{r,j} of what was drafted, never rising along a row [R, γ]; earlier: the `gains` of an earlier step, for "stale"
    only (None: all 1.0, a cold start).
    """
    requests, drafts = survival.shape
    flat = survival[:, : policy.depth(drafts)].T.ravel()  # [γ'·R]  position by position: its index breaks ties by position, then request
    gains = np.sort(flat[flat > 0])[::-1]  # [N]
    pool = Pool(gains, NOBODY, NOBODY, requests, drafted=flat.size > 0)
    tau, seconds = curve(pool, step_rate)  # [N + 1] each
    if policy.kind == "stale" and earlier is None:
        earlier = np.ones(survival.size)
    stop, _ = stopping_point(pool, tau, seconds, step_rate, policy, earlier=earlier)
    return Cut(_lengths(flat, gains, stop, requests), float(tau[stop]), float(seconds[stop]), gains)


def _lengths(flat: np.ndarray, gains: np.ndarray, stop: int, requests: int) -> np.ndarray:
    """Everything above the last admitted survival, and as many of those equal to it as are left, in their order. → [R]"""
    if stop == 0:
        return np.zeros(requests, dtype=np.int64)
    least = gains[stop - 1]
    sent = flat > least  # [γ'·R]
    sent[np.flatnonzero(flat == least)[: stop - np.count_nonzero(sent)]] = True
    return sent.reshape(-1, requests).sum(axis=0)  # [R]
