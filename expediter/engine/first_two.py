"""Real samples of the first two tokens behind one prompt, and the target's own exact distribution of them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np
import torch

from expediter.core.first_two import NONE, FirstTwo
from expediter.core.goodness import LEAST
from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.engine.acceptance import Verdict, judge
from expediter.engine.kv_store import KVStore
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine
from expediter.engine.requests import Requests
from expediter.engine.target import Target


@torch.inference_mode()
def exact(model, ids: list[int], temperature: float, samples: int, end: frozenset[int]) -> FirstTwo:
    """P(t1, t2) behind a prompt, straight from a model with transformers' own attention.

    Pairs of which fewer than LEAST are expected among `samples` go into the last cell.
    """

    def softmax(logits: torch.Tensor) -> torch.Tensor:
        return torch.softmax(logits.double() / temperature, dim=-1).cpu()

    first = softmax(model(torch.tensor([ids], device=model.device)).logits[0, -1])  # [V]
    likely = torch.nonzero(first * samples >= LEAST)[:, 0].tolist()
    tokens, p = [], []
    for t in likely:
        if t in end:
            tokens.append((t, NONE))
            p.append(float(first[t]))
            continue
        joint = first[t] * softmax(model(torch.tensor([[*ids, t]], device=model.device)).logits[0, -1])  # [V]
        for second in torch.nonzero(joint * samples >= LEAST)[:, 0].tolist():
            tokens.append((t, second))
            p.append(float(joint[second]))
    order = np.argsort(-np.array(p), kind="stable")
    return FirstTwo(np.array(tokens, dtype=np.int64).reshape(-1, 2)[order], np.append(np.array(p)[order], max(0.0, 1 - sum(p))))


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one step of the engine adds. Samples come in the order of the requests' numbers: finished-first would favour quick ones."""

    samples: list[tuple[int, int]]  # (t1, t2)
    sent: list[int]  # ℓ_r of this step                                   [R]


def first_two(
    pair: Pair,
    settings: Settings,
    profile: Profile,
    prompt: str,
    samples: int,
    turns: AbstractContextManager,
    rule: Callable[..., Verdict] = judge,
) -> Iterator[Drawn]:
    """Serve one prompt again and again until `samples` answers have two tokens; every answer has its own random numbers."""
    room = len(pair.encode(prompt)) + 2
    once = replace(pair, target=ReadOnce(pair.target))
    engine = Engine(once, settings, profile, (room, room), prompts=lambda workload, seed, number: (workload, prompt), rule=rule)
    begun: dict[int, list[int]] = {}
    following = 0  # number of the next sample to give away
    while following < samples:
        with turns:
            trace = engine.step()
        for request in trace.requests:
            own = [] if request.own_token is None else [request.own_token]
            begun.setdefault(request.number, []).extend([*request.tokens[: request.accepted], *own])
        ready = []
        while following < samples and (len(begun.get(following, ())) > 1 or _ended(begun.get(following), pair.end)):
            tokens = [*begun.pop(following), NONE]
            ready.append((tokens[0], tokens[1]))
            following += 1
        yield Drawn(ready, [request.sent for request in trace.requests])


def _ended(tokens: list[int] | None, end: frozenset[int]) -> bool:
    return bool(tokens) and tokens[0] in end


class ReadOnce:
    """A target whose requests all have the same prompt: it is read once, and what the store then knows of it is copied."""

    def __init__(self, target: Target):
        self.model, self.place, self.store, self.read = target.model, target.place, target.store, target.read
        self._target = target
        self._kept: list[torch.Tensor] = []  # keys and values [layers, 1, Hkv, L, D], features if any [1, L, n·d]

    def prefill(self, store: KVStore, requests: Requests, slots: np.ndarray) -> None:
        """As Target.prefill, for prompts that are all the same."""
        if not self._kept:
            self._target.prefill(store, requests, slots[:1])
            self._kept = [part.clone() for part in _known(store, int(slots[0]), int(requests.length[slots[0]]) - 1)]
        for slot in slots:
            length = self._kept[0].shape[3]
            for part, kept in zip(_known(store, int(slot), length), self._kept, strict=True):
                part.copy_(kept)


def _known(store: KVStore, slot: int, length: int) -> list[torch.Tensor]:
    """Views of what a store knows of one slot's first `length` tokens."""
    one = slice(slot, slot + 1)
    features = [] if store.features is None else [store.features[one, :length]]
    return [store.keys[:, one, :, :length], store.values[:, one, :, :length], *features]
