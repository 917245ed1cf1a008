"""Which drafts pass, and the target's own word behind them: the rule that makes speculation exact.

Speculative sampling (Leviathan et al. 2023, arXiv:2211.17192; Chen et al. 2023, arXiv:2302.01318): x_k ~ p_d passes with
probability min(1, p_t(x_k)/p_d(x_k)); after a refusal the own word comes from the normalised (p_t − p_d)₊, after none from p_t.
At temperature 0 a draft passes when it is the target's most likely token.
"""

from dataclasses import dataclass

import numpy as np
import torch

from expediter.engine.drafter import Draft
from expediter.engine.sampling import chances, likeliest, pick
from expediter.engine.uniforms import ACCEPT, OWN, uniforms


@dataclass(frozen=True, slots=True)
class Verdict:
    """The target's answer to a verification batch."""

    accepted: np.ndarray  # drafts that passed                            [R]
    own: np.ndarray  # the target's own token behind them                 [R]


def pass_chance(p_target: torch.Tensor, p_draft: torch.Tensor) -> torch.Tensor:
    """min(1, p_t(x)/p_d(x)), any shape. A token was drawn from p_d, so p_d(x) > 0."""
    return (p_target / p_draft).clamp(max=1)


def own_distribution(p_target: torch.Tensor, p_draft: torch.Tensor, refused: torch.Tensor, ids: torch.Tensor | None = None) -> torch.Tensor:
    """(p_t − p_d)₊ where a draft was refused, p_t elsewhere; not normalised.

    p_target [R, V]; p_draft [R, V'] over the tokens `ids` [V'], 0 for all others (None: over all); refused [R] → [R, V]
    """
    p_draft = p_draft * refused[:, None]  # [R, V']
    residual = p_target - p_draft if ids is None else p_target.index_add(-1, ids, p_draft, alpha=-1)  # [R, V]
    residual.clamp_(min=0)
    # Equal distributions never refuse in exact arithmetic; a rounding error may leave nothing to draw from.
    nothing = residual.sum(dim=-1, keepdim=True) == 0  # [R, 1]
    return torch.where(nothing, p_target, residual) if bool(nothing.any()) else residual


def _greedy(draft: Draft | None, first: np.ndarray, lengths: np.ndarray, logits: torch.Tensor) -> Verdict:
    best = likeliest(logits).cpu().numpy()  # [B]
    wide = int(lengths.max(initial=0))
    if not wide:
        return Verdict(np.zeros_like(lengths), best[first])
    place = np.arange(wide)
    behind = np.minimum(first[:, None] + place, len(best) - 1)  # [R, ℓmax]
    passed = (draft.tokens[:, :wide] == best[behind]) & (place < lengths[:, None])
    accepted = np.cumprod(passed, axis=1).sum(axis=1)  # [R]
    return Verdict(accepted, best[first + accepted])


@torch.inference_mode()
def judge(
    draft: Draft | None, lengths: np.ndarray, logits: torch.Tensor, temperature: float, seed: int, number: np.ndarray, start: np.ndarray
) -> Verdict:
    """Accept or refuse what was sent.

    draft: None when nothing was drafted; lengths ℓ [R]; logits of the packed batch [B, V], each request's anchor first; number [R]
    request numbers; start [R] position of the first drafted token, which keys the uniforms.
    """
    first = np.cumsum(1 + lengths) - (1 + lengths)  # [R]  row of each request's anchor
    if temperature == 0:
        return _greedy(draft, first, lengths, logits)
    device = logits.device
    p_target = chances(logits, temperature)  # [B, V]
    r, wide = len(lengths), int(lengths.max(initial=0))
    accepted = np.zeros(r, dtype=np.int64)
    if wide:
        place = np.arange(wide)
        sent = place < lengths[:, None]  # [R, ℓmax]
        behind = torch.from_numpy(np.where(sent, first[:, None] + place, 0)).to(device)  # [R, ℓmax]
        x = torch.from_numpy(draft.tokens[:, :wide]).to(device)  # [R, ℓmax]
        chance = pass_chance(p_target[behind, x], draft.drawn()[:, :wide])
        u = uniforms(seed, number[:, None], start[:, None] + place, ACCEPT, place)  # [R, ℓmax]
        passed = (u < chance.cpu().numpy()) & sent
        accepted = np.cumprod(passed, axis=1).sum(axis=1)  # [R]
    p_own = p_target.index_select(0, torch.from_numpy(first + accepted).to(device))  # [R, V]
    refused = accepted < lengths  # [R]
    if refused.any():
        depth = draft.distribution.shape[1]
        at = torch.from_numpy(np.arange(r) * depth + np.minimum(accepted, depth - 1)).to(device)  # [R]
        p_draft = draft.distribution.flatten(0, 1).index_select(0, at)  # [R, V']
        p_own = own_distribution(p_own, p_draft, torch.from_numpy(refused).to(device), draft.ids)
    return Verdict(accepted, pick(p_own, uniforms(seed, number, start + accepted, OWN)).cpu().numpy())
