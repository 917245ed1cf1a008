"""What a block of guesses loses, and how it is judged, teacher-forced: the text of the target stands in for the sampled tokens.

DSpark, §3.3: 0.1 · cross-entropy + 0.9 · ‖p_d − p_t‖₁ + 1.0 · binary cross-entropy of the confidence against c* = 1 − ½‖p_d − p_t‖₁, each
place weighted by exp(−(k−1)/γ). Early on the divergence stands in for the distance, as in distil.py.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from expediter.engine.few_words import IDS
from models.recipes.distil import CE, TV
from models.recipes.dspark_net import DSparkNet
from models.recipes.muon import HALF

CONFIDENCE = 1.0
JUDGED = (0.0, 0.8)  # temperatures


@dataclass(frozen=True, slots=True)
class Batch:
    """N texts, padded, with K anchors in each."""

    ids: torch.Tensor  # token ids                                        [N, L]
    lengths: torch.Tensor  # tokens of each text                          [N]
    features: torch.Tensor  # outputs of the chosen target layers         [N, L, n·d]
    states: torch.Tensor  # the target's last, normed hidden states       [N, L, d]
    log_z: torch.Tensor  # log Σ exp of the target's logits               [N, L]
    anchors: torch.Tensor  # positions                                    [N, K]
    depth: int  # γ, guesses a block

    def places(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Where each guess's own token stands, and whether there is one to learn from. → two of [N, K, γ]"""
        at = self.anchors[..., None] + 1 + torch.arange(self.depth)
        return at, at < self.lengths[:, None, None]


def terms(logits: torch.Tensor, p_target: torch.Tensor, token: torch.Tensor, z: torch.Tensor, weight: torch.Tensor, lean: torch.Tensor):
    """The loss of M guesses, weighted mean, nats.

    logits and p_target [M, V'] of the proposed tokens; token [M] the right one among them, −1 for one that is never proposed;
    z (confidence logit) and weight [M]
    """
    log_p = logits.log_softmax(-1)  # [M, V']
    ce = -log_p.gather(1, token.clamp(min=0)[:, None])[:, 0] * (token >= 0)  # [M]
    distance = (log_p.exp() - p_target).abs().sum(-1) + (1 - p_target.sum(-1))  # [M]
    divergence = -(p_target * log_p).sum(-1)  # [M]  up to a constant
    chance = 1 - 0.5 * distance.detach()
    honest = torch.nn.functional.binary_cross_entropy_with_logits(z, chance, reduction="none")
    each = CE * ce + TV * (lean * divergence + (1 - lean) * distance) + CONFIDENCE * honest
    return (each * weight).sum() / weight.sum()


def _guesses(net: DSparkNet, batch: Batch, embedding: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Everything about the M guesses that count: hidden [M, d], W1[x_{k−1}] [M, rank], token [M], k [M], row of the state behind it [M]"""
    hidden = net(batch.ids, batch.features, batch.anchors, batch.depth, embedding)  # [N, K, γ, d]
    at, real = batch.places()  # [N, K, γ]
    n, _, k = real.nonzero(as_tuple=True)  # [M] each
    at = at[real]  # [M]
    return hidden[real], net.before(batch.ids[n, at - 1]), batch.ids[n, at], k, n * batch.ids.shape[1] + at - 1


def loss_of(net: DSparkNet, batch: Batch, embedding: torch.Tensor, head: torch.Tensor, lean: float, terms=terms) -> torch.Tensor:
    """The batch's loss; head [V', d] is the target's, of the proposed tokens."""
    with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
        hidden, before, token, k, row = _guesses(net, batch, embedding)
        logits, sure = hidden @ head.T + net.bias(before), net.confidence(hidden, before)  # [M, V'], [M]
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=HALF):
        read, back = row.unique(return_inverse=True)  # states that guesses stand behind, and whose each guess is [M]
        z = batch.states.flatten(0, 1)[read] @ head.T  # [., V']
        p_target = (z.float() - batch.log_z.flatten()[read, None]).exp()[back]  # [M, V']
    if net.row is not None:
        token = torch.where(net.row[token] < net.c.proposes, net.row[token], -1)
    return terms(logits.float(), p_target, token, sure.float(), torch.exp(-k / net.c.block), torch.tensor(lean))


@torch.inference_mode()
def judge(net: DSparkNet, batches: list[Batch], embedding: torch.Tensor, head: torch.Tensor) -> dict[str, dict]:
    """Acceptance by place, given the places before, and tokens a step when all are sent; with the Markov head and without.

    At temperature 0 a place passes where the draft's and the target's best tokens agree; only texts that follow the target's best token
    would make that the served acceptance, so it is for comparing drafts with each other.
    """
    report, ids = {}, getattr(net, IDS, None)
    for name, use in (("markov", 1.0), ("plain", 0.0)):
        chance = {t: [] for t in JUDGED}
        for batch in batches:
            hidden, before, _, _, row = _guesses(net, batch, embedding)
            _, real = batch.places()
            z_d = hidden @ (head if ids is None else head[ids]).T + use * net.bias(before)  # [M, V']
            read, back = row.unique(return_inverse=True)  # [M'] states that guesses stand behind, and whose each guess is [M]
            z_t = batch.states.flatten(0, 1)[read] @ head.T  # [M', V]
            for t in JUDGED:
                best = z_d.argmax(-1) if ids is None else ids[z_d.argmax(-1)]
                if t == 0:
                    c = (best == z_t.argmax(-1)[back]).float()
                else:
                    p_t = (z_t / t).softmax(-1)  # [M', V]
                    c = torch.minimum((z_d / t).softmax(-1), (p_t if ids is None else p_t[:, ids])[back]).sum(-1)
                whole = torch.zeros(real.shape).masked_scatter(real, c)  # [N, K, γ]
                chance[t].append(whole[real.all(-1)].numpy())
        for t, parts in chance.items():
            c = np.concatenate(parts)  # [blocks, γ]
            reach = np.concatenate([np.ones((len(c), 1)), c.cumprod(axis=1)], axis=1).mean(axis=0)  # [γ + 1]
            report[f"{name}, T={t:g}"] = {
                "acceptance": [round(float(b / a), 3) if a else None for a, b in pairwise(reach)],
                "tokens_per_step": round(float(reach.sum()), 3),
            }
    return report
