"""The decision: how many drafts of every request the target reads in this step (DSpark, arXiv:2606.19348, Algorithm 1)."""

from dataclasses import replace

import numpy as np

from expediter.core.plan import Plan
from expediter.core.policy import DEEPEST, Policy
from expediter.core.step_rate import StepRate
from expediter.core.survival import Confidence, Pool, rank, sorted_gains

ROUNDING = 8 * np.finfo(np.float64).eps
DEFAULT = Policy()


def schedule(
    confidence: Confidence,
    step_rate: StepRate,
    policy: Policy = DEFAULT,
    *,
    budget: int | None = None,
    older: Confidence | None = None,
) -> Plan:
    """Admit drafts by (−a, j, r) until the policy says stop.

    confidence: conditional c_{r,k}, [R, γ] or R ragged rows, probabilities; budget: most admissions, for any policy;
    older: confidences of an earlier step, for "stale" only (None: all 1.0, a cold start).
    Raises ValueError when a value is not a probability, there is no request, or the budget is negative.
    """
    if budget is not None and budget < 0:
        raise ValueError("the budget is negative: give the most drafts that may be admitted, 0 or more")
    whole = rank(confidence)
    pool = _within(whole, policy)
    tau, seconds = curve(pool, step_rate)  # [N + 1] each
    cold = policy.kind == "stale" and older is None
    earlier = None
    if policy.kind == "stale":
        earlier = np.ones(sum(map(len, confidence))) if cold else sorted_gains(older)
    stop, reason = stopping_point(pool, tau, seconds, step_rate, policy, budget=budget, earlier=earlier)
    tau_all, seconds_all = (tau, seconds) if pool is whole else curve(whole, step_rate)
    return Plan(
        lengths=np.bincount(pool.request[:stop], minlength=pool.requests),
        order=np.stack((pool.request, pool.position), axis=1),
        gains=pool.gains,
        path=tau / seconds,
        step_seconds=seconds,
        stop=stop,
        reason=reason,
        theta_off=pool.requests / step_rate.without_drafts(pool.requests),
        theta_all=float(tau_all[-1] / seconds_all[-1]),
        theta_none=float(tau_all[0] / seconds_all[0]),
        cold=cold,
    )


def _within(pool: Pool, policy: Policy) -> Pool:
    """Only what this policy drafts. Dropping deep positions keeps the order of the others."""
    if policy.kind not in ("fixed", "off"):
        return pool
    depth = policy.depth(DEEPEST)
    kept = pool.position <= depth
    return Pool(pool.gains[kept], pool.request[kept], pool.position[kept], pool.requests, pool.drafted and depth > 0)


def stopping_point(
    pool: Pool,
    tau: np.ndarray,
    seconds: np.ndarray,
    step_rate: StepRate,
    policy: Policy,
    *,
    budget: int | None = None,
    earlier: np.ndarray | None = None,
) -> tuple[int, str]:
    """How many of the pool are admitted, and why no more. Knows nothing of who they belong to.

    tau, seconds: the pool's `curve` [N + 1]; earlier: survivals of an earlier step, surest first, which "stale" needs [N'].
    """
    if policy.kind == "global":
        return _best(tau / seconds, budget)
    if policy.kind == "stale":
        return _capped(len(pool.gains), "exhausted", _stale_budget(pool, earlier, step_rate, budget))
    return _capped(*_stop(policy, pool, tau, seconds), budget)


def curve(pool: Pool, step_rate: StepRate) -> tuple[np.ndarray, np.ndarray]:
    """τ in tokens and the step time in seconds after 0, 1, … admissions. [N + 1] each; Θ is their quotient."""
    tau = np.empty(len(pool.gains) + 1)
    tau[0] = pool.requests
    tau[1:] = pool.gains
    batch = np.arange(pool.requests, pool.requests + len(tau))
    seconds = step_rate.step_seconds(batch) if pool.drafted else step_rate.verify_seconds(batch)
    if not pool.drafted:
        seconds[0] = step_rate.without_drafts(pool.requests)
    return np.cumsum(tau, out=tau), seconds


def _stop(policy: Policy, pool: Pool, tau: np.ndarray, seconds: np.ndarray) -> tuple[int, str]:
    """Where a policy that never looks ahead would stop, and why, before any budget."""
    candidates = len(pool.gains)
    if policy.kind == "threshold":
        return int(np.count_nonzero(pool.gains >= policy.level)), "policy"
    if policy.kind != "early-stop":
        return candidates, "policy"
    falls = ~rises(pool.gains, tau[:-1], seconds)  # [N]
    return (int(falls.argmax()), "peak") if falls.any() else (candidates, "exhausted")


def _best(theta: np.ndarray, budget: int | None) -> tuple[int, str]:
    """The highest score that the budget lets in, and why there. A budget is the reason where the peak lies beyond it."""
    reach = len(theta) if budget is None else budget + 1
    stop = int(theta[:reach].argmax())
    if theta.argmax() >= reach:
        return stop, "budget"
    return stop, "exhausted" if stop == len(theta) - 1 else "peak"


def rises(gains: np.ndarray, tau: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Whether each admission raises Θ: (τ + a)/T' > τ/T, written a·T > τ·(T' − T). [..., N], [..., N], [..., N + 1] → [..., N] bool.

    In this form a flat stretch (T' = T) rises for every a > 0, however small beside τ. Where T' > T, a rise within the
    rounding of its own terms counts as none: an equal Θ must stop.
    """
    before, slower = seconds[..., :-1], np.diff(seconds)
    return gains * before > tau * (slower + np.where(slower > 0, ROUNDING * before, 0.0))


def _capped(stop: int, reason: str, budget: int | None) -> tuple[int, str]:
    """A budget is the reason only where it took something away."""
    return (budget, "budget") if budget is not None and budget < stop else (stop, reason)


def _stale_budget(pool: Pool, older: np.ndarray, step_rate: StepRate, budget: int | None) -> int:
    """How many admissions a global search over an earlier step's survivals [N'] would make for today's R requests.

    Of scores that differ by rounding alone the first counts. A cold start has long stretches of them: where every draft is sure to
    pass and the time grows in proportion to B, Θ is level.
    """
    tau, seconds = curve(replace(pool, gains=older), step_rate)
    theta = (tau / seconds)[: None if budget is None else budget + 1]
    return int((theta >= theta.max() * (1 - ROUNDING)).argmax())
