"""What a wrong number costs: the same recorded drafts, scheduled by other chances, paid by what really passed."""

from dataclasses import dataclass

import numpy as np

from expediter.core.calibration import sigmoid
from expediter.core.cut import cut
from expediter.core.policy import Policy
from expediter.core.step_rate import StepRate
from expediter.core.survival import survival

EARLY_STOP = Policy()
EDGE = 2.0**-13  # half of the last step of float16 below 1: a stored 1 is no certainty


def sharpened(chance: np.ndarray, strength: float) -> np.ndarray:
    """σ(s·logit c): s above 1 pushes every chance away from ½, below 1 towards it; 1 leaves it. Any shape, the same shape back."""
    inside = np.clip(chance, EDGE, 1 - EDGE)
    return sigmoid(strength * np.log(inside / (1 - inside)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Many steps of R requests, planned by some chances and paid by the outcomes."""

    sent: float  # guesses sent per request and step
    promised: float  # Στ / ΣT, tokens/s
    came: float  # tokens that really came / ΣT, tokens/s
    error: float  # standard error of `came`, tokens/s
    tokens: np.ndarray  # that came, by step                              [steps]
    seconds: np.ndarray  # by the table, by step                          [steps]


@dataclass(frozen=True, slots=True)
class Draws:
    """Which blocks meet in which step: the same for every chance that is compared."""

    rows: np.ndarray  # indices of blocks                                 [steps, R]
    independent: int  # steps that share no block with another one


def draws(blocks: int, load: int, steps: int, seed: int) -> Draws:
    """Deal N blocks to steps of R requests, shuffled anew whenever they are used up; with fewer blocks than requests some come twice."""
    rng = np.random.default_rng(seed)
    laps = -(-steps * load // blocks)
    dealt = np.concatenate([rng.permutation(blocks) for _ in range(laps)])[: steps * load]
    return Draws(dealt.reshape(steps, load), max(1, min(steps, blocks // load)))


def play(chance: np.ndarray, passed: np.ndarray, dealt: Draws, rate: StepRate, policy: Policy = EARLY_STOP) -> Outcome:
    """Schedule every step on these chances [N, γ], by early stop unless told otherwise; a request brings min(ℓ, passed) + 1 tokens.

    Whether a draft passes does not depend on what was sent behind it, so every plan's outcome is known from blocks verified whole.
    """
    chances = survival(chance)  # [N, γ]
    tokens, seconds, tau, sent = (np.empty(len(dealt.rows)) for _ in range(4))
    for step, rows in enumerate(dealt.rows):
        plan = cut(chances[rows], rate, policy)
        tokens[step] = np.minimum(plan.lengths, passed[rows]).sum() + len(rows)
        seconds[step], tau[step], sent[step] = plan.seconds, plan.tau, plan.lengths.sum()
    return _outcome(tokens, seconds, tau, sent, dealt)


def all_or_nothing(passed: np.ndarray, depth: int, dealt: Draws, rate: StepRate) -> tuple[float, float]:
    """Tokens per second without any drafting, and with every one of `depth` drafts checked."""
    load = dealt.rows.shape[1]
    everything = np.minimum(passed[dealt.rows], depth).sum(axis=1).mean() + load
    return load / rate.without_drafts(load), float(everything / rate.step_seconds(load * (1 + depth)))


def lead(one: Outcome, other: Outcome, dealt: Draws) -> tuple[float, float]:
    """How many tokens/s `one` brings more than `other` on the same draws, and the standard error of that difference."""
    gap = (one.tokens - one.came * one.seconds) / one.seconds.mean() - (other.tokens - other.came * other.seconds) / other.seconds.mean()
    return one.came - other.came, float(gap.std() / dealt.independent**0.5)


def _outcome(tokens: np.ndarray, seconds: np.ndarray, tau: np.ndarray, sent: np.ndarray, dealt: Draws) -> Outcome:
    came = tokens.sum() / seconds.sum()
    error = (tokens - came * seconds).std() / seconds.mean() / dealt.independent**0.5  # of a quotient of two sums
    return Outcome(
        sent=float(sent.mean() / dealt.rows.shape[1]),
        promised=float(tau.sum() / seconds.sum()),
        came=float(came),
        error=float(error),
        tokens=tokens,
        seconds=seconds,
    )
