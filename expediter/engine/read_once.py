"""A pair whose prompts are read once, however many engines serve the same requests: what a benchmark does not time, it need not repeat."""

from functools import cached_property

import numpy as np
import torch

from expediter.engine.kv_store import KVStore
from expediter.engine.loader import Pair
from expediter.engine.requests import Requests
from expediter.engine.target import Target


class Unread(Pair):
    """A pair whose steps nobody looks at: the words in their traces stay empty."""

    @cached_property
    def pieces(self) -> list[str]:
        return [""] * self.target.model.config.vocab_size

    def texts(self, rows: list) -> list[str]:
        return [""] * len(rows)


class ReadOnce:
    """A target that remembers what reading a request's prompt left in the store, until so many engines have had it."""

    def __init__(self, target: Target, engines: int):
        """engines: how many serve the same requests, each with its own store. Requests of one number must have the same prompt in all."""
        self._target, self._engines = target, engines
        self._kept: dict[int, tuple[int, torch.Tensor, torch.Tensor | None]] = {}  # by request: who still wants it, its rows of the store

    def __getattr__(self, name: str):
        return getattr(self._target, name)

    @torch.inference_mode()
    def prefill(self, store: KVStore, requests: Requests, slots: np.ndarray) -> None:
        """As Target.prefill."""
        fresh = np.array([slot for slot in slots if int(requests.number[slot]) not in self._kept], dtype=np.int64)
        if len(fresh):
            self._target.prefill(store, requests, fresh)
        for slot in map(int, slots):
            number, end = int(requests.number[slot]), int(requests.length[slot]) - 1
            if slot in fresh:
                rows = store.table[:, slot, :end].clone()  # [layers, L, 2, Hkv, D]
                wanted, features = self._engines, None if store.features is None else store.features[slot, :end].clone()  # [L, n·d]
            else:
                wanted, rows, features = self._kept[number]
                store.table[:, slot, :end] = rows
                if features is not None:
                    store.features[slot, :end] = features
            self._kept.pop(number, None)
            if wanted > 1:
                self._kept[number] = wanted - 1, rows, features


def read_once(pair: Pair, engines: int) -> Pair:
    """The same pair for so many engines that serve the same requests without showing them."""
    parts = {name: getattr(pair, name) for name in ("name", "drafter", "scorer", "tokenizer", "plain")}
    return Unread(target=ReadOnce(pair.target, engines), **parts)
