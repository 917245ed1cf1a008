"""Train a DSpark drafter for a finished target: a whole block of guesses from the target's own hidden states; resumable.

    python -m models.recipes.dspark --target models/pocket --corpus C --work W --out models/pocket-dspark

The target writes and reads once: what its chosen layers and its last one say of every token is kept on disk in half precision, so a
training step needs nothing of the target but its head. One text a row, from its first token on, as when it serves; anchors anywhere
in the answer. Half of the batches have whole blocks, the others blocks of any size, because a reader may ask for fewer guesses.
--start goes on from a finished draft, at once with the distance that acceptance is made of.
With --minutes the learning rate follows the clock instead of the steps, so that the training ends in time on a busy machine.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from expediter.engine.dspark_config import DSparkConfig
from expediter.engine.lean import rope_theta
from models.recipes.course import Course
from models.recipes.draft import Batches
from models.recipes.dspark_loss import Batch, judge, loss_of, terms
from models.recipes.dspark_net import DSparkNet
from models.recipes.dspark_texts import ANCHORS, proposed, texts
from models.recipes.muon import HALF, Muon
from models.recipes.target import LENGTH


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=Path, required=True, help="folder of the finished target, with its tokenizer")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--own", type=Path, help="folder of text the target wrote, as draft.py leaves it in its own work folder")
    parser.add_argument("--own-text", type=float, default=3e5, help="tokens the target writes itself")
    parser.add_argument("--read", type=float, default=1e5, help="tokens of the corpus that the target reads")
    parser.add_argument(
        "--chat", action="store_true", help="the target is a chat model that wrote the corpus: no own text, its own chat template"
    )
    parser.add_argument("--proposes", type=int, help="how many tokens, the most common ones, may be guessed (default: all)")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--minutes", type=float, help="end by the clock instead of --steps; reading and writing text not included")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--inner", type=int, default=640, help="width of the gated layer")
    parser.add_argument("--rank", type=int, default=64, help="of the Markov head")
    parser.add_argument("--block", type=int, default=8, help="guesses a block")
    parser.add_argument("--features", default="1,5,9", help="target layers that are read, the first is 0")
    parser.add_argument("--texts", type=int, default=8, help="a step")
    parser.add_argument("--peak", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="finished draft folder of the same shape to go on from")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def shape(o: argparse.Namespace, target) -> DSparkConfig:
    """The target's width and heads. The end mark serves as the mask: an anchor is never one."""
    c = target.config
    features = tuple(int(i) for i in o.features.split(","))
    return DSparkConfig(
        c.hidden_size, o.layers, c.num_attention_heads, c.num_key_value_heads, c.head_dim, o.inner, c.rms_norm_eps,
        rope_theta(c), c.vocab_size, o.proposes or c.vocab_size, o.block, c.eos_token_id, features, o.rank,
    )  # fmt: skip


def optimizers(net: DSparkNet, peak: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices between hidden states, AdamW for the Markov head, the confidence and the norms."""
    inside = [p for n, p in net.named_parameters() if p.ndim == 2 and n.startswith(("layers", "fc"))]
    rest = [p for n, p in net.named_parameters() if not (p.ndim == 2 and n.startswith(("layers", "fc")))]
    return [Muon(inside, lr=peak), torch.optim.AdamW(rest, lr=peak, betas=(0.9, 0.95), weight_decay=0.0)]


def main() -> None:
    o = options()
    torch.manual_seed(o.seed)
    o.work.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(o.target)
    dtype = torch.bfloat16 if o.chat and HALF else torch.float32
    target = AutoModelForCausalLM.from_pretrained(o.target, dtype=dtype).eval().requires_grad_(False)
    config = shape(o, target)
    learn, held = texts(o, tokenizer, target, config.features)
    test = held.test(config.block)

    whole, embedding = target.lm_head.weight.float(), target.model.embed_tokens.weight.float()  # [V, d] each
    ids = proposed(o, tokenizer)
    head = whole if ids is None else whole[ids]  # [V', d]
    net = DSparkNet(config, LENGTH + config.block, ids)
    net.norm.weight.data.copy_(target.model.norm.weight)
    if o.start:
        net.load_state_dict(load_file(o.start / "model.safetensors"))
    opts = optimizers(net, o.peak)
    record = {"minutes": o.minutes, "seed": o.seed, "peak": o.peak, "texts": o.texts, "anchors": ANCHORS}
    record |= {"started_from": o.start.name} if o.start else {}
    record |= {"tokens": [int(t.lengths.sum()) for t in learn], "parameters": sum(p.numel() for p in net.parameters())}
    course = Course(o.work, net, opts, record, o.peak, o.minutes, o.steps)

    tokens = np.array([t.lengths.sum() for t in learn])
    shares = np.maximum(1, np.round(o.texts * tokens / tokens.sum())).astype(int)  # texts of each origin in a step
    again = int(bool(o.start))  # a second run over the same texts sees them in another order, with other anchors
    order = [Batches(len(t.ids), share, o.seed + i + 100 * again) for i, (t, share) in enumerate(zip(learn, shares, strict=True))]
    compiled = torch.compile(terms, dynamic=True)
    for picks in course.run(lambda: [batches.take() for batches in order], lambda: {"test": judge(net, test, embedding, whole)}):
        drawn = [
            part.draw(pick, config.block, np.random.default_rng((o.seed, course.step, i, again)))
            for i, (part, pick) in enumerate(zip(learn, picks, strict=True))
        ]
        lean = 0.0 if o.start else course.lean
        course.learn(gradients(drawn, partial(loss_of, net, embedding=embedding, head=head, lean=lean, terms=compiled)))
    net.write(o.out)


def gradients(batches: list[Batch], loss: Callable[[Batch], torch.Tensor]) -> float:
    """Add those of one step, every batch weighted by its number of texts; the loss."""
    count, total = sum(len(b.ids) for b in batches), 0.0
    for batch in batches:
        part = loss(batch) * (len(batch.ids) / count)
        part.backward()
        total += float(part.detach())
    return total


if __name__ == "__main__":
    main()
