"""Distil one-layer drafts from a finished target, several at once; resumable, with a progress bar.

    python -m models.recipes.draft --target models/pocket --corpus C --own-text 6e5 --tokens 6e6 --work W \
        --draft 256:models/pocket-draft-good --draft 64:models/pocket-draft-cheap

The loss is the DSpark paper's: 0.1 · cross-entropy to the text + 0.9 · ‖p_d − p_t‖₁, whose second part is twice the chance of a
refusal. Early on the distance's gradient is weak (two distributions that share no mass stay apart whichever way one moves), so
the first part of the training leans on the Kullback–Leibler divergence instead. The embedding, which is also the
head, starts as the closest one of its width to the target's, by singular values.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from models.recipes.data import documents, epoch
from models.recipes.target import BATCH, LENGTH, build, optimizers, rate, resume, save_state
from models.recipes.teacher import hidden_states, own_text

CE, TV = 0.1, 0.9
LEAN = 0.5  # share of the training over which the divergence gives way to the distance
TEST_DOCUMENTS = 256
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
def acceptance(draft: LlamaForCausalLM, head: torch.Tensor, test: list[np.ndarray], states: np.ndarray, answer: int) -> dict[str, float]:
    """Mean chance that a draft's token passes, at each of TEMPERATURES, over the answers of held-out documents.

    head [V, d_t], states [N, L, d_t] of the documents padded to L. At temperature 0: how often the two best tokens agree.
    """
    total, count = dict.fromkeys(TEMPERATURES, 0.0), 0
    for doc, state in zip(test, states, strict=True):
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
    return {f"{t:g}": total[t] / count for t in TEMPERATURES}


class Batches:
    """Row numbers in endless reshuffled order, the same after a restart."""

    def __init__(self, count: int, size: int, seed: int):
        self.count, self.size, self.rng, self.left = count, size, np.random.default_rng(seed), np.empty(0, dtype=int)

    def take(self) -> np.ndarray:
        """The next `size` rows."""
        while len(self.left) < self.size:
            self.left = np.concatenate([self.left, self.rng.permutation(self.count)])
        taken, self.left = self.left[: self.size], self.left[self.size :]
        return np.sort(taken)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=Path, required=True, help="folder of the finished target, with its tokenizer")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--draft", action="append", required=True, metavar="WIDTH:FOLDER")
    parser.add_argument("--tokens", type=float, default=6e6, help="tokens that every draft is trained on")
    parser.add_argument("--own-text", type=float, default=0, help="tokens the target writes itself; half of every batch")
    parser.add_argument("--read", type=float, default=1e6, help="tokens of the corpus that the target reads")
    parser.add_argument("--peak", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    o = options()
    torch.manual_seed(o.seed)
    o.work.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(o.target)
    target = AutoModelForCausalLM.from_pretrained(o.target, dtype=torch.float32).eval().requires_grad_(False)
    head = target.lm_head.weight

    rng = np.random.default_rng(o.seed)
    parts = {"corpus": epoch(documents(tokenizer, o.corpus, "train"), LENGTH, rng)[: int(o.read / LENGTH)]}
    if o.own_text:
        parts["own"] = epoch(own_text(target, tokenizer, o.corpus, int(o.own_text), o.work, o.seed), LENGTH, rng)
    sources = [
        (ids, hidden_states(target, ids, o.work / f"{name}.f16"), Batches(len(ids), BATCH // len(parts), o.seed))
        for name, ids in parts.items()
    ]
    test = documents(tokenizer, o.corpus, "test")[:TEST_DOCUMENTS]
    padded = np.stack([np.pad(doc[:LENGTH], (0, max(0, LENGTH - len(doc)))) for doc in test]).astype(np.int64)
    test_states = hidden_states(target, padded, o.work / "test.f16")
    answer = tokenizer.convert_tokens_to_ids("<|answer|>")

    steps = int(o.tokens / (BATCH * LENGTH))
    drafts, outs, works, opts, bodies, first = [], [], [], [], [], steps
    for spec in o.draft:
        width, folder = spec.split(":", 1)
        draft = build(1, int(width), tokenizer)
        start_embedding(draft, target)
        work = o.work / Path(folder).name
        opt = optimizers(draft, o.peak)
        first = min(first, resume(work, draft, opt) if (work / "state.safetensors").exists() else 0)
        for many, one in zip(
            (drafts, outs, works, opts, bodies), (draft, Path(folder), work, opt, torch.compile(draft.model)), strict=True
        ):
            many.append(one)
    loss_of = torch.compile(distil)

    losses: list[list[float]] = []
    started = time.time()
    bar = tqdm(total=steps, unit="step", mininterval=5)
    for step in range(steps):
        picks = [batches.take() for _, _, batches in sources]
        bar.update()
        if step < first:
            continue
        ids = torch.from_numpy(np.concatenate([rows[pick] for (rows, _, _), pick in zip(sources, picks, strict=True)]))  # [N, L]
        state = torch.from_numpy(np.concatenate([s[pick, :-1] for (_, s, _), pick in zip(sources, picks, strict=True)]))  # [N, L-1, d_t]
        p_target = (state.float().flatten(0, 1) @ head.T).softmax(-1)  # [P, V]
        lean = torch.tensor(max(0.0, 1 - step / (LEAN * steps)))
        now = []
        for draft, body, opt in zip(drafts, bodies, opts, strict=True):
            logits = draft.lm_head(body(ids).last_hidden_state[:, :-1]).flatten(0, 1)  # [P, V]
            loss = loss_of(logits, p_target, ids[:, 1:].flatten(), lean)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(draft.parameters(), 1.0)
            for each in opt:
                for group in each.param_groups:
                    group["lr"] = group["peak"] * rate(step, steps)
                each.step()
                each.zero_grad()
            now.append(float(loss.detach()))
        losses.append(now)
        bar.set_postfix(loss=" ".join(f"{x:.3f}" for x in np.mean(losses[-20:], axis=0)))
        last = step + 1 == steps
        if (step + 1) % 100 == 0 or last:
            for draft, work, opt, out in zip(drafts, works, opts, outs, strict=True):
                record = {"width": draft.config.hidden_size, "steps": steps, "peak": o.peak, "seconds": time.time() - started}
                if (step + 1) % 500 == 0 or last:
                    record["acceptance"] = acceptance(draft, head, test, test_states, answer)
                    print(f"\nstep {step + 1}, {out.name}: acceptance by temperature {json.dumps(record['acceptance'])}", flush=True)
                save_state(work, draft, opt, step + 1, record)
    for draft, out in zip(drafts, outs, strict=True):
        draft.to(torch.bfloat16).save_pretrained(out)
        (out / "generation_config.json").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
