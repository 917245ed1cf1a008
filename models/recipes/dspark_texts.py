"""Texts with the target's view of every token, kept on disk, and the blocks that are drawn from them."""

import argparse
from pathlib import Path

import numpy as np
import torch

from models.recipes.data import chats, documents, held_out, rows
from models.recipes.draft import padded
from models.recipes.dspark_loss import Batch
from models.recipes.teacher import hidden_states, log_normalisers, own_text

ANCHORS = 48  # whole blocks a text and step
TEST_TEXTS = 64


class Texts:
    """Texts with the target's view of them, mapped from disk."""

    def __init__(self, docs: list[np.ndarray], target, features: tuple[int, ...], first: list[int], file: Path):
        """first: where each answer's first anchor stands, the prompt's last token [N]."""
        ids = padded(docs)
        self.lengths = np.minimum([len(d) for d in docs], ids.shape[1])  # [N]
        self.ids = ids[:, : self.lengths.max()]  # [N, L]
        self.first = np.asarray(first)  # [N]
        self.states = hidden_states(target, self.ids, file, layers=features)  # [N, L, n·d + d]
        self.width = target.config.hidden_size
        places = np.arange(self.ids.shape[1])
        answers = (places >= self.first[:, None]) & (places < self.lengths[:, None])  # [N, L]  what a guess can stand behind
        last = self.states[..., -self.width :]
        self.log_z = log_normalisers(last, target.get_output_embeddings().weight, answers, file.with_suffix(".npy"))  # [N, L]

    def batch(self, pick: np.ndarray, anchors: np.ndarray, depth: int) -> Batch:
        """These texts with blocks at these anchors. pick [N], anchors [N, K]"""
        longest = self.lengths[pick].max()
        states = torch.from_numpy(self.states[pick, :longest]).float()  # [N, L, n·d + d]
        ids, lengths = torch.from_numpy(self.ids[pick, :longest]), torch.from_numpy(self.lengths[pick])
        features, last = states.split([states.shape[-1] - self.width, self.width], dim=-1)
        log_z = torch.from_numpy(self.log_z[pick, :longest])
        return Batch(ids, lengths, features, last, log_z, torch.from_numpy(anchors), depth)

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


def proposed(o: argparse.Namespace, tokenizer) -> torch.Tensor | None:
    """The tokens that are most common in the corpus' answers, the end mark among them, ascending; None to propose any."""
    if not o.proposes:
        return None
    docs, first = chats(tokenizer, o.corpus, "train")
    counts = np.bincount(np.concatenate([doc[at + 1 :] for doc, at in zip(docs, first, strict=True)]), minlength=len(tokenizer))
    counts[tokenizer.eos_token_id] = counts.max() + 1
    return torch.from_numpy(np.sort(np.argsort(-counts, kind="stable")[: o.proposes]))


def texts(o: argparse.Namespace, tokenizer, target, features: tuple[int, ...]) -> tuple[list[Texts], Texts]:
    """What is learnt from, by origin, and own text to held-out prompts to be judged on.

    A chat model has written the corpus itself; it needs no other text of its own.
    """
    if o.chat:
        sides = []
        for part, most in (("train", o.read), ("test", np.inf)):
            docs, first = chats(tokenizer, o.corpus, part)
            few = _few(docs, most, o.seed) if part == "train" else range(min(TEST_TEXTS, len(docs)))
            sides.append(Texts([docs[i] for i in few], target, features, [first[i] for i in few], o.work / f"{part}.f16"))
        return sides[:1], sides[1]
    answer = tokenizer.convert_tokens_to_ids("<|answer|>")
    prompts = [row["prompt"].strip() for row in rows(o.corpus)]
    kept, known = [p for p in prompts if held_out(p)], [p for p in prompts if not held_out(p)]
    learn = []
    if o.own_text:
        docs = own_text(target, tokenizer, known, int(o.own_text), o.own or o.work / "own", o.seed)
        learn.append(Texts(docs, target, features, _begins(docs, answer), o.work / "own.f16"))
    if o.read:
        docs = documents(tokenizer, o.corpus, "train")
        docs = [docs[i] for i in _few(docs, o.read, o.seed)]
        learn.append(Texts(docs, target, features, _begins(docs, answer), o.work / "corpus.f16"))
    docs = own_text(target, tokenizer, kept, 1, o.work / "own-test", o.seed)[:TEST_TEXTS]
    return learn, Texts(docs, target, features, _begins(docs, answer), o.work / "own-test.f16")


def _begins(docs: list[np.ndarray], answer: int) -> list[int]:
    """Where the token that opens the answer stands in each."""
    return [int((doc == answer).argmax()) for doc in docs]


def _few(docs: list[np.ndarray], tokens: float, seed: int) -> np.ndarray:
    """Some of these documents, of about so many tokens in all; their numbers."""
    order = np.random.default_rng(seed).permutation(len(docs))
    total = np.cumsum([len(docs[i]) for i in order])
    return order[: int(np.searchsorted(total, tokens)) + 1]
