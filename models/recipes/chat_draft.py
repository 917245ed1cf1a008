"""Distil a one-layer draft for a chat model, which reads and proposes only the tokens that are common in the answers; resumable.

    python -m models.recipes.chat_draft --target SMOLLM2 --corpus C --work W --out models/smollm2-draft

The target's texts are the corpus, which it wrote; what its last layer says of every token is read once, or taken from a folder that
dspark.py left (same --read, --features and --seed). Tokens outside of the draft's list share one row of its embedding, and have no chance
of being proposed. It learns from the answers only.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

from expediter.engine.few_words import IDS, rows_of
from models.recipes.course import Course
from models.recipes.distil import CE, TV
from models.recipes.draft import Batches
from models.recipes.dspark_texts import Texts, proposed, texts
from models.recipes.muon import HALF
from models.recipes.target import optimizers

TEXTS = 16  # a step
JUDGED = (0.0, 0.8, 1.0)  # temperatures


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=Path, required=True, help="folder of the chat model, with its tokenizer")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--read", type=float, default=8e5, help="tokens of the corpus that the target reads")
    parser.add_argument("--features", default="", help="target layers in the texts that are there already; none are used")
    parser.add_argument("--proposes", type=int, default=6144, help="how many tokens, the most common ones, may be guessed")
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--minutes", type=float, default=30, help="reading the corpus not included")
    parser.add_argument("--peak", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True, help="where the target's texts and, under the draft's name, its state are kept")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def build(o: argparse.Namespace, head: torch.Tensor, end: int) -> LlamaForCausalLM:
    """One layer with heads of 64; embedding and head are the best of this rank (see distil.py). head [V', d_t], end the end mark's row"""
    config = LlamaConfig(
        vocab_size=len(head) + 1, hidden_size=o.width, intermediate_size=3 * o.width, num_hidden_layers=1,
        num_attention_heads=o.width // 64, num_key_value_heads=min(2, o.width // 64), max_position_embeddings=512, tie_word_embeddings=True,
        bos_token_id=None, eos_token_id=end, pad_token_id=end, draft_vocab_size=len(head),
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    u, s, _ = torch.linalg.svd(head, full_matrices=False)
    rows = (u * s)[:, : o.width]  # [V', d]
    model.model.embed_tokens.weight.data = torch.cat([rows, rows.mean(dim=0, keepdim=True)])
    model.model.norm.weight.data.fill_(1 / float(rows.norm(dim=1).mean()))
    return model


def guesses(body, model: LlamaForCausalLM, part: Texts, pick: np.ndarray, row: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """What is said of every token of these texts' answers. → logits [M, V'], the target's states [M, d_t], log Σ exp [M], the token [M]"""
    longest = part.lengths[pick].max()
    ids = row[torch.from_numpy(part.ids[pick, :longest])]  # [N, L]
    log_z = torch.from_numpy(part.log_z[pick, : longest - 1])  # [N, L - 1], 0 outside of the answers
    ends = torch.arange(longest - 1) < torch.from_numpy(part.lengths[pick] - 1)[:, None]
    here = (log_z != 0) & ends  # [N, L - 1]
    hidden = body(ids).last_hidden_state[:, :-1][here]  # [M, d]
    state = torch.from_numpy(part.states[pick, : longest - 1, -part.width :]).float()[here]  # [M, d_t]
    return hidden @ model.lm_head.weight[:-1].T, state, log_z[here], ids[:, 1:][here]


def loss(logits: torch.Tensor, p_target: torch.Tensor, token: torch.Tensor, lean: torch.Tensor) -> torch.Tensor:
    """The paper's (see distil.py), nats, where the target may want what is never proposed. [M, V'], [M, V'], [M] (V' for those)"""
    log_p = logits.log_softmax(-1)  # [M, V']
    known = token < logits.shape[-1]
    ce = -(log_p.gather(1, token.clamp(max=logits.shape[-1] - 1)[:, None])[:, 0] * known).mean()
    distance = ((log_p.exp() - p_target).abs().sum(-1) + (1 - p_target.sum(-1))).mean()
    divergence = -(p_target * log_p).sum(-1).mean()  # up to a constant
    return CE * ce + TV * (lean * divergence + (1 - lean) * distance)


@torch.inference_mode()
def acceptance(model: LlamaForCausalLM, part: Texts, row: torch.Tensor, whole: torch.Tensor, ids: torch.Tensor) -> dict[str, float]:
    """Mean chance that a guess passes, teacher-forced, at each of JUDGED. whole [V, d_t] the target's head"""
    total, seen = dict.fromkeys(JUDGED, 0.0), 0
    for i in range(len(part.ids)):
        z_d, state, _, _ = guesses(model.model, model, part, np.array([i]), row)
        z_t = state @ whole.T  # [M, V]
        seen += len(z_d)
        for t in JUDGED:
            if t == 0:
                total[t] += float((ids[z_d.argmax(-1)] == z_t.argmax(-1)).sum())
            else:
                total[t] += float(torch.minimum((z_d / t).softmax(-1), (z_t / t).softmax(-1)[:, ids]).sum())
    return {f"{t:g}": round(total[t] / seen, 4) for t in JUDGED}


def main() -> None:
    o = options()
    torch.manual_seed(o.seed)
    o.work.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(o.target)
    target = AutoModelForCausalLM.from_pretrained(o.target, dtype=torch.bfloat16 if HALF else torch.float32).eval().requires_grad_(False)
    o.chat = True
    (learn,), held = texts(o, tokenizer, target, tuple(int(i) for i in o.features.split(",") if i))
    ids = proposed(o, tokenizer)  # [V']
    whole = target.lm_head.weight.float()  # [V, d_t]
    head = whole[ids]
    row = rows_of(ids, len(whole))  # [V]

    model = build(o, head * target.model.norm.weight.float(), int(row[tokenizer.eos_token_id]))
    record = {"minutes": o.minutes, "seed": o.seed, "peak": o.peak, "texts": TEXTS, "tokens": int(learn.lengths.sum())}
    record |= {"parameters": sum(p.numel() for p in model.parameters())}
    course = Course(o.work / o.out.name, model, optimizers(model, o.peak), record, o.peak, o.minutes)
    body, compiled = torch.compile(model.model, dynamic=True), torch.compile(loss, dynamic=True)
    batches = Batches(len(learn.ids), TEXTS, o.seed)
    for pick in course.run(batches.take, lambda: {"acceptance": acceptance(model, held, row, whole, ids)}):
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            logits, z, log_z, token = guesses(body, model, learn, pick, row)
            with torch.no_grad():
                p_target = ((z @ head.T).float() - log_z[:, None]).exp()  # [M, V']
        lost = compiled(logits.float(), p_target, token, torch.tensor(course.lean))
        lost.backward()
        course.learn(float(lost.detach()))
    write(model, ids, o.out)


def write(model: LlamaForCausalLM, ids: torch.Tensor, out: Path) -> None:
    """The draft folder: config.json, the weights in bfloat16, and beside them which of the target's tokens each row is."""
    out.mkdir(parents=True, exist_ok=True)
    model.config.dtype = torch.bfloat16
    model.config.architectures = [type(model).__name__]
    model.config.save_pretrained(out)
    weights = {name: value.bfloat16().contiguous() for name, value in model.state_dict().items() if name != "lm_head.weight"}
    save_file({**weights, IDS: ids}, out / "model.safetensors")


if __name__ == "__main__":
    main()
