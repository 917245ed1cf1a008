"""Texts with the target's view of every token, kept on disk, and the blocks that are drawn from them."""

import argparse
from pathlib import Path

import numpy as np
import torch

from models.recipes.data import documents, held_out, rows
from models.recipes.draft import padded
from models.recipes.dspark_loss import Batch
from models.recipes.teacher import hidden_states, own_text

ANCHORS = 48  # whole blocks a text and step
TEST_TEXTS = 64


class Texts:
    """Texts with the target's view of them, mapped from disk."""

    def __init__(self, docs: list[np.ndarray], target, features: tuple[int, ...], answer: int, file: Path):
        """answer: id of the token behind which the answer begins."""
        ids = padded(docs)
        self.lengths = np.minimum([len(d) for d in docs], ids.shape[1])  # [N]
        self.ids = ids[:, : self.lengths.max()]  # [N, L]
        self.first = (self.ids == answer).argmax(axis=1)  # [N]  the first anchor is the prompt's last token
        self.states = hidden_states(target, self.ids, file, layers=features)  # [N, L, n·d + d]
        self.width = target.config.hidden_size

    def batch(self, pick: np.ndarray, anchors: np.ndarray, depth: int) -> Batch:
        """These texts with blocks at these anchors. pick [N], anchors [N, K]"""
        longest = self.lengths[pick].max()
        states = torch.from_numpy(self.states[pick, :longest]).float()  # [N, L, n·d + d]
        ids, lengths = torch.from_numpy(self.ids[pick, :longest]), torch.from_numpy(self.lengths[pick])
        features, last = states.split([states.shape[-1] - self.width, self.width], dim=-1)
        return Batch(ids, lengths, features, last, torch.from_numpy(anchors), depth)

    def draw(self, pick: np.ndarray, block: int, rng: np.random.Generator) -> Batch:
        """Random anchors in the answers; shorter blocks are more, so that batches are of like size."""
        depth = block if rng.random() < 0.5 else int(rng.integers(1, block + 1))
        blocks = min(2 * ANCHORS, ANCHORS * block // depth)
        room = (self.lengths - 1 - self.first)[pick, None]  # [N, 1]  anchors that have a token behind them
        return self.batch(pick, self.first[pick, None] + (rng.random((len(pick), blocks)) * room).astype(np.int64), depth)

    def test(self, block: int) -> list[Batch]:
        """One batch a text, whole blocks at every third anchor of the answer."""
        made = []
        for i in range(len(self.ids)):
            anchors = np.arange(self.first[i], self.lengths[i] - block, 3)[None]  # [1, K]
            if anchors.size:
                made.append(self.batch(np.array([i]), anchors, block))
        return made


def texts(o: argparse.Namespace, tokenizer, target, features: tuple[int, ...]) -> tuple[list[Texts], Texts]:
    """What is learnt from, by origin, and own text to held-out prompts to be judged on."""
    answer = tokenizer.convert_tokens_to_ids("<|answer|>")
    prompts = [row["prompt"].strip() for row in rows(o.corpus)]
    kept, known = [p for p in prompts if held_out(p)], [p for p in prompts if not held_out(p)]
    learn = []
    if o.own_text:
        docs = own_text(target, tokenizer, known, int(o.own_text), o.own or o.work / "own", o.seed)
        learn.append(Texts(docs, target, features, answer, o.work / "own.f16"))
    if o.read:
        docs = documents(tokenizer, o.corpus, "train")
        order = np.random.default_rng(o.seed).permutation(len(docs))
        total = np.cumsum([len(docs[i]) for i in order])
        few = int(np.searchsorted(total, o.read)) + 1
        learn.append(Texts([docs[i] for i in order[:few]], target, features, answer, o.work / "corpus.f16"))
    docs = own_text(target, tokenizer, kept, 1, o.work / "own-test", o.seed)[:TEST_TEXTS]
    return learn, Texts(docs, target, features, answer, o.work / "own-test.f16")
