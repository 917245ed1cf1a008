"""Distil one-layer drafts from a finished target, several at once; resumable, with a progress bar.

    python -m models.recipes.draft --target models/pocket --corpus C --own-text 6e5 --tokens 6e6 --work W \
        --draft 256:models/pocket-draft-good --draft 64:models/pocket-draft-cheap

The target reads the text once; every step after that needs only its head, so long trainings are cheap. Half of every batch can be
text that the target wrote itself, which is what a draft reads when it works.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer

from models.recipes.data import documents, epoch, held_out, rows
from models.recipes.distil import Student, acceptance, distil, start_embedding
from models.recipes.target import BATCH, LENGTH, build, kept_record, rate
from models.recipes.teacher import hidden_states, own_text

LEAN = 0.5  # share of the training over which the divergence gives way to the distance
TEST_DOCUMENTS = 256
OWN_TEST = 15_000  # tokens


def padded(docs: list[np.ndarray]) -> np.ndarray:
    """One document a row, cut or filled with zeros at the end. int64 [N, L]"""
    return np.stack([np.pad(doc[:LENGTH], (0, max(0, LENGTH - len(doc)))) for doc in docs]).astype(np.int64)


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


def texts(o: argparse.Namespace, tokenizer, target) -> tuple[dict[str, np.ndarray], dict[str, list[np.ndarray]]]:
    """By origin ("corpus", "own"): rows of ids to learn from, int64 [N, L], and documents to be judged on."""
    rng = np.random.default_rng(o.seed)
    learn = {"corpus": epoch(documents(tokenizer, o.corpus, "train"), LENGTH, rng)[: int(o.read / LENGTH)]}
    judge = {"corpus": documents(tokenizer, o.corpus, "test")[:TEST_DOCUMENTS]}
    if o.own_text:
        prompts = [row["prompt"].strip() for row in rows(o.corpus)]
        kept, known = [p for p in prompts if held_out(p)], [p for p in prompts if not held_out(p)]
        learn["own"] = epoch(own_text(target, tokenizer, known, int(o.own_text), o.work / "own", o.seed), LENGTH, rng)
        judge["own"] = own_text(target, tokenizer, kept, OWN_TEST, o.work / "own-test", o.seed)
    return learn, judge


def main() -> None:
    o = options()
    torch.manual_seed(o.seed)
    o.work.mkdir(parents=True, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(o.target)
    target = AutoModelForCausalLM.from_pretrained(o.target, dtype=torch.float32).eval().requires_grad_(False)
    head = target.lm_head.weight  # [V, d_t]
    answer = tokenizer.convert_tokens_to_ids("<|answer|>")

    learn, judge = texts(o, tokenizer, target)
    states = {name: hidden_states(target, ids, o.work / f"{name}.f16") for name, ids in learn.items()}
    judged = {name: (docs, hidden_states(target, padded(docs), o.work / f"{name}-test.f16")) for name, docs in judge.items()}
    batches = {name: Batches(len(ids), BATCH // len(learn), o.seed) for name, ids in learn.items()}

    steps = int(o.tokens / (BATCH * LENGTH))
    students, first = [], steps
    for spec in o.draft:
        width, out = spec.split(":", 1)
        draft = build(1, int(width), tokenizer)
        start_embedding(draft, target)
        student, step = Student.begin(draft, o.peak, o.work / Path(out).name, Path(out))
        students.append(student)
        first = min(first, step)

    loss_of = torch.compile(distil)
    losses: list[list[float]] = []
    read = {name: int(ids.size) for name, ids in learn.items()}  # tokens
    earlier = max((record["seconds"] for student in students if (record := kept_record(student.work))), default=0.0)
    started = time.time()
    bar = tqdm(total=steps, unit="step", mininterval=5)
    for step in range(steps):
        picks = {name: batches[name].take() for name in learn}
        bar.update()
        if step < first:
            continue
        ids = torch.from_numpy(np.concatenate([learn[name][pick] for name, pick in picks.items()]))  # [N, L]
        state = torch.from_numpy(np.concatenate([states[name][pick, :-1] for name, pick in picks.items()]))  # [N, L-1, d_t]
        p_target = (state.float().flatten(0, 1) @ head.T).softmax(-1)  # [N·(L-1), V]
        lean, share = max(0.0, 1 - step / (LEAN * steps)), rate(step, steps)
        losses.append([student.learn(loss_of, ids, p_target, lean, share) for student in students])
        bar.set_postfix(loss=" ".join(f"{x:.3f}" for x in np.mean(losses[-20:], axis=0)))
        last = step + 1 == steps
        if (step + 1) % 100 == 0 or last:
            for i, student in enumerate(students):
                record = {"steps": steps, "seed": o.seed, "peak": o.peak, "seconds": earlier + time.time() - started}
                record |= {"tokens": read, "train_loss": float(np.mean([row[i] for row in losses[-100:]]))}
                if (step + 1) % 500 == 0 or last:
                    record["acceptance"] = {name: acceptance(student.model, head, *part, answer) for name, part in judged.items()}
                    tqdm.write(
                        f"step {step + 1}, {student.out.name}: acceptance by text and temperature {json.dumps(record['acceptance'])}"
                    )
                student.save(step + 1, record)
    for student in students:
        student.finish()


if __name__ == "__main__":
    main()
