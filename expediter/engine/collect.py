"""Blocks to learn confidence from: every draft verified, none dropped, so that nothing the scheduler likes biases the sample."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from expediter.engine.acceptance import judge
from expediter.engine.confidence import evidence
from expediter.engine.drafter import Draft
from expediter.engine.loader import Pair
from expediter.engine.requests import ROOM, Requests


@dataclass(frozen=True, slots=True)
class Blocks:
    """N drafted blocks of γ tokens."""

    features: torch.Tensor  # the probe's evidence                        [N, γ, F] float32
    chance: torch.Tensor  # c* = 1 − ½‖p_d − p_t‖₁; at temperature 0 whether both prefer the same token [N, γ]
    passed: torch.Tensor  # drafts that passed                            [N] int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of R requests that sent everything they drafted."""

    draft: Draft
    chance: torch.Tensor  # c*, as above                                  [R, γ]
    passed: np.ndarray  # drafts that passed                              [R] int
    prompt: np.ndarray  # which of the prompts each request answers       [R] int


def true_chance(draft: Draft, logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """c* = 1 − ½‖p_d − p_t‖₁ of every place of a block that was verified whole. logits [R, γ, V] → [R, γ]"""
    if temperature == 0:
        return (draft.best() == logits.argmax(dim=-1)).float()
    p_target = torch.softmax(logits.float() / temperature, dim=-1)  # [R, γ, V]
    return torch.minimum(draft.proposed(p_target), draft.distribution).sum(dim=-1)  # Σ min(p_d, p_t) = 1 − ½‖p_d − p_t‖₁


@torch.inference_mode()
def collect(pair: Pair, prompts: list[str], blocks: int, depth: int, temperature: float, seed: int, load: int = 64) -> Iterator[Blocks]:
    """What `decode` yields, kept as far as a fit needs it."""
    for step in decode(pair, prompts, blocks, depth, temperature, seed, load):
        yield Blocks(evidence(step.draft), step.chance, torch.from_numpy(step.passed))


@torch.inference_mode()
def decode(pair: Pair, prompts: list[str], blocks: int, depth: int, temperature: float, seed: int, load: int = 64) -> Iterator[Step]:
    """Decode `load` requests at a time over these prompts, round and round, until so many blocks are seen; one step a yield."""
    load = min(load, len(prompts))
    requests = Requests(load)
    store = pair.target.store(load, requests.tokens.shape[1])
    drafter = pair.drafter(load, store)
    depth = min(depth, drafter.max_depth)
    slots, lengths = np.arange(load), np.full(load, depth)
    ended, number, seen = np.ones(load, dtype=bool), 0, 0
    encoded = [pair.encode(p) for p in prompts]
    while seen < blocks:
        for slot in np.flatnonzero(ended):
            # The first requests end at scattered lengths, so that later steps mix young and old ones.
            limit = ROOM if number >= load else 40 + (ROOM - 40) * (number + 1) // load
            requests.start(int(slot), number, encoded[number % len(prompts)], limit, "", prompts[number % len(prompts)])
            number += 1
        if ended.any():
            pair.target.prefill(store, requests, np.flatnonzero(ended))
        draft = drafter.propose(requests, load, depth, temperature, seed)
        tokens = np.concatenate([requests.anchors(load)[:, None], draft.tokens], axis=1)  # [R, 1 + γ]
        start = requests.length[:load].copy()
        logits = pair.target.read(store, tokens, 1 + lengths, start - 1, slots)  # [R·(1 + γ), V]
        verdict = judge(draft, lengths, logits, temperature, seed, requests.number, start)
        chance = true_chance(draft, logits.view(load, depth + 1, -1)[:, :-1], temperature)
        yield Step(draft, chance, verdict.accepted, requests.number[:load] % len(prompts))
        seen += load
        for slot in range(load):
            ids = [*draft.tokens[slot, : verdict.accepted[slot]].tolist(), int(verdict.own[slot])]
            ended[slot] = requests.commit(slot, ids, pair.end)


def joined(parts: list[Blocks]) -> Blocks:
    """Several yields as one."""
    return Blocks(*(torch.cat([getattr(p, name) for p in parts]) for name in ("features", "chance", "passed")))
