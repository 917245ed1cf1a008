"""One draft in training: how it starts, what it loses, how it is judged.

The loss is the DSpark paper's: 0.1 · cross-entropy to the text + 0.9 · ‖p_d − p_t‖₁, whose second part is twice the chance of a
refusal. Early on the distance's gradient is weak (two distributions that share no mass stay apart whichever way one moves), so
the first part of the training leans on the Kullback–Leibler divergence instead.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from transformers import LlamaForCausalLM

from models.recipes.target import LENGTH, kept_record, optimizers, resume, save_state

CE, TV = 0.1, 0.9
TEMPERATURES = (0.0, 0.8, 1.0)


def start_embedding(draft: LlamaForCausalLM, target: LlamaForCausalLM) -> None:
    """The best rank-d embedding: E ≈ U S Vᵀ gives E_d = U S of the first d directions.

    The final norm starts so small that the first logits have a deviation of 1: a trained head on an untrained layer would be
    sure of nonsense. Raises ValueError for a draft that is wider than its target.
    """
    head = target.lm_head.weight * target.model.norm.weight  # [V, d_t]  what turns a normalised state into logits
    u, s, _ = torch.linalg.svd(head.detach(), full_matrices=False)
    width = draft.config.hidden_size
    if width > head.shape[1]:
        raise ValueError(f"A draft of width {width} is wider than the target's {head.shape[1]}: choose a narrower one.")
    embedding = (u * s)[:, :width].contiguous()  # [V, d]
    draft.model.embed_tokens.weight.data = embedding
    draft.model.norm.weight.data.fill_(1 / float(embedding.norm(dim=1).mean()))


def distil(logits: torch.Tensor, p_target: torch.Tensor, token: torch.Tensor, lean: float) -> torch.Tensor:
    """The loss of P positions, nats. logits and p_target [P, V], token [P]; lean is 1 for the divergence, 0 for the distance."""
    log_p = logits.log_softmax(-1)  # [P, V]
    ce = torch.nn.functional.nll_loss(log_p, token)
    distance = (log_p.exp() - p_target).abs().sum(-1).mean()
    divergence = -(p_target * log_p).sum(-1).mean()  # up to a constant
    return CE * ce + TV * (lean * divergence + (1 - lean) * distance)


@torch.inference_mode()
def acceptance(draft: LlamaForCausalLM, head: torch.Tensor, docs: list[np.ndarray], states: np.ndarray, answer: int) -> dict[str, float]:
    """Mean chance that a draft's token passes, at each of TEMPERATURES, over the answers of documents.

    head [V, d_t], states [N, L, d_t] of the documents padded to L. At temperature 0: how often the two best tokens agree.
    """
    total, count = dict.fromkeys(TEMPERATURES, 0.0), 0
    for doc, state in zip(docs, states, strict=True):
        ids = torch.from_numpy(doc[:LENGTH].astype(np.int64))
        first = int((ids == answer).nonzero()[0])
        z_d = draft(ids[None], use_cache=False).logits[0, first:-1]  # [P, V]
        z_t = torch.from_numpy(state[first : len(ids) - 1]).float() @ head.T  # [P, V]
        count += len(z_d)
        for t in TEMPERATURES:
            if t == 0:
                total[t] += float((z_d.argmax(-1) == z_t.argmax(-1)).sum())
            else:
                total[t] += float(torch.minimum((z_d / t).softmax(-1), (z_t / t).softmax(-1)).sum())
    return {f"{t:g}": round(total[t] / count, 4) for t in TEMPERATURES}


@dataclass
class Student:
    """A draft, its optimizers and where both are kept."""

    model: LlamaForCausalLM
    body: torch.nn.Module  # model.model, compiled
    opts: list[torch.optim.Optimizer]
    work: Path  # folder of the saved state
    out: Path  # folder of the finished draft

    @classmethod
    def begin(cls, model: LlamaForCausalLM, peak: float, work: Path, out: Path) -> tuple["Student", int]:
        """A student and the next step to take: 0, or where an interrupted run stopped."""
        opts = optimizers(model, peak)
        first = resume(work, model, opts) if kept_record(work) else 0
        return cls(model, torch.compile(model.model), opts, work, out), first

    def learn(self, loss_of, ids: torch.Tensor, p_target: torch.Tensor, lean: float, share: float) -> float:
        """One step at this share of the full learning rate; the loss, nats. ids [N, L], p_target [N·(L-1), V]"""
        logits = self.model.lm_head(self.body(ids).last_hidden_state[:, :-1]).flatten(0, 1)  # [N·(L-1), V]
        loss = loss_of(logits, p_target, ids[:, 1:].flatten(), torch.tensor(lean))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for opt in self.opts:
            for group in opt.param_groups:
                group["lr"] = group["peak"] * share
            opt.step()
            opt.zero_grad()
        return float(loss.detach())

    def save(self, step: int, record: dict) -> None:
        """Keep what a restart needs."""
        save_state(self.work, self.model, self.opts, step, record)

    def finish(self) -> None:
        """Write the draft in bfloat16. Its tokenizer and its way of ending are the target's, so neither is copied."""
        self.model.to(torch.bfloat16).save_pretrained(self.out)
        (self.out / "generation_config.json").unlink(missing_ok=True)
