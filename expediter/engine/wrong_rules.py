"""Verdicts that look harmless and are wrong: each bends the output, and the statistical test of the first two tokens sees it.

They stand in for `acceptance.judge` and start from its verdict, so that only the one mistake differs. Above temperature 0 only.
"""

from collections.abc import Callable

import numpy as np
import torch

from expediter.engine.acceptance import Verdict, judge
from expediter.engine.sampling import pick
from expediter.engine.uniforms import OWN, uniforms


def accept_always(draft, lengths, logits, temperature, seed, number, start) -> Verdict:
    """Every draft passes: fast, and no longer the target's text."""
    honest = judge(draft, lengths, logits, temperature, seed, number, start)
    own = pick(_target(lengths, lengths, logits, temperature), uniforms(seed, number, start + lengths, OWN)).cpu().numpy()
    return Verdict(lengths.copy(), np.where(honest.accepted == lengths, honest.own, own))


def residual_from_target(draft, lengths, logits, temperature, seed, number, start) -> Verdict:
    """After a refusal the own word comes from p_t instead of (p_t − p_d)₊: words that the draft likes come too often."""
    accepted = judge(draft, lengths, logits, temperature, seed, number, start).accepted
    p = _target(lengths, accepted, logits, temperature)
    return Verdict(accepted, pick(p, uniforms(seed, number, start + accepted, OWN)).cpu().numpy())


def bonus_from_draft(draft, lengths, logits, temperature, seed, number, start) -> Verdict:
    """When all drafts pass, the next word comes from the draft's distribution instead of the target's."""
    honest = judge(draft, lengths, logits, temperature, seed, number, start)
    if draft is None:
        return honest
    depth = draft.tokens.shape[1]
    p = draft.distribution[torch.arange(len(lengths)), torch.from_numpy(np.minimum(lengths, depth - 1))]  # [R, V]
    own = pick(p, uniforms(seed, number, start + honest.accepted, OWN)).cpu().numpy()
    return Verdict(honest.accepted, np.where((honest.accepted == lengths) & (lengths < depth), own, honest.own))


RULES: dict[str, Callable[..., Verdict]] = {
    "honest": judge,
    "accept-always": accept_always,
    "residual-from-target": residual_from_target,
    "bonus-from-draft": bonus_from_draft,
}


def _target(lengths: np.ndarray, place: np.ndarray, logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """p_t behind each request's first place[r] sent drafts. [R, V]"""
    first = np.cumsum(1 + lengths) - (1 + lengths)  # [R]
    rows = torch.from_numpy(first + place).to(logits.device)
    return torch.softmax(logits[rows].float() / temperature, dim=-1)
