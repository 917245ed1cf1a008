"""The small model guesses: up to γ tokens a request, with all that acceptance and the scheduler need to know about them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch

from expediter.engine.kv_store import KVStore
from expediter.engine.lean import LeanLlama
from expediter.engine.requests import Requests
from expediter.engine.sampling import chances, likeliest, pick
from expediter.engine.uniforms import DRAFT, uniforms


@dataclass(frozen=True, slots=True)
class Draft:
    """Guesses for R requests. Nothing in `hidden` or `logits` at place k has seen the token sampled at k.

    A drafter may propose from V' of the target's V tokens only: p_d is 0 elsewhere, and acceptance stays exact.
    """

    tokens: np.ndarray  # x_{r,k}, as the target numbers them             [R, γ]
    distribution: torch.Tensor | None  # p_d that x_{r,k} was sampled from [R, γ, V']; None at temperature 0 (all mass on x)
    hidden: torch.Tensor  # last hidden state before x_{r,k}              [R, γ, d]
    logits: torch.Tensor  # at temperature 1                              [R, γ, V']
    ids: torch.Tensor | None = None  # the target's number of each proposed token, ascending [V']; None: all of them, V' = V

    def columns(self) -> torch.Tensor:
        """Where each x_{r,k} stands among the proposed tokens. → [R, γ]"""
        x = torch.from_numpy(self.tokens).to(self.logits.device)
        return x if self.ids is None else torch.searchsorted(self.ids, x)

    def drawn(self) -> torch.Tensor:
        """p_d(x_{r,k}); only above temperature 0. → [R, γ]"""
        return self.distribution.gather(-1, self.columns().unsqueeze(-1)).squeeze(-1)

    def proposed(self, p: torch.Tensor) -> torch.Tensor:
        """Of the target's distributions what falls on proposed tokens. [..., V] → [..., V']"""
        return p if self.ids is None else p[..., self.ids]

    def best(self) -> torch.Tensor:
        """The most likely token of every place, as the target numbers them. → [R, γ]"""
        column = likeliest(self.logits)
        return column if self.ids is None else self.ids[column]


def draw(logits: torch.Tensor, temperature: float, uniform: np.ndarray) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Sample by the inverse of the cumulative distribution. logits [R, V], uniform [R] → tokens [R], p [R, V] or None at 0"""
    if temperature == 0:
        return likeliest(logits), None
    p = chances(logits, temperature)  # [R, V]
    return pick(p, uniform), p


def draft_uniforms(seed: int, number: np.ndarray, length: np.ndarray, depth: int, temperature: float) -> np.ndarray:
    """The numbers that guesses are drawn with; at temperature 0 nothing is drawn. Requests' numbers and tokens [R] each → [R, γ]"""
    if temperature == 0:
        return np.zeros((len(number), depth))
    places = np.arange(depth)
    return uniforms(seed, number[:, None], length[:, None] + places, DRAFT, places)


Draw = Callable[[torch.Tensor, float, np.ndarray], tuple[torch.Tensor, torch.Tensor | None]]  # like draw


class Drafter(Protocol):
    """Anything that guesses. γ is clamped to max_depth."""

    max_depth: int

    def read(self, requests: Requests, slots: np.ndarray) -> None:
        """Read the prompts of fresh requests, as far as that can be done before anything is guessed. slots [n]"""

    def propose(self, requests: Requests, load: int, depth: int, temperature: float, seed: int, draw: Draw = draw) -> Draft:
        """Guess `depth` tokens behind each of the first `load` requests' anchors, each by one call of `draw`, in order."""


class Slots:
    """What any drafter keeps of its requests: keys and values by slot, how many of them are true, and whose they are."""

    lag: int  # tokens at the end of a text that it does not know yet after an ordinary step

    def __init__(self, store: KVStore, slots: int):
        self.store = store
        self.known = np.zeros(slots, dtype=np.int64)  # [S]  tokens whose keys are stored and still true
        self.owner = np.full(slots, -1, dtype=np.int64)  # [S]  request number that they belong to

    def grow(self, slots: int) -> None:
        """Make room for more requests; what is stored stays."""
        more = slots - len(self.known)
        if more > 0:
            self.store.grow(slots)
            self.known = np.pad(self.known, (0, more))
            self.owner = np.pad(self.owner, (0, more), constant_values=-1)

    def _known(self, requests: Requests, slots: np.ndarray) -> np.ndarray:
        """How many of each request's committed tokens are known, its anchor left out; these slots are theirs from now on. [n] → [n]"""
        self.grow(requests.slots)
        fresh = self.owner[slots] != requests.number[slots]
        self.owner[slots] = requests.number[slots]
        return np.where(fresh, 0, np.minimum(self.known[slots], requests.length[slots] - 1))

    def follow(self, other: "Slots") -> None:
        """Know what another drafter of the same model knows."""
        self.store.fill(other.store)
        self.known, self.owner = other.known.copy(), other.owner.copy()


class OneByOne(Slots):
    """An ordinary draft model: γ small forwards, each reading the token before."""

    max_depth, lag = 8, 2  # after a block that passed whole: its last guess and the target's own word
    BEHIND = 2  # tokens that the first draft step reads at most; who lags further is caught up apart

    def __init__(self, model: LeanLlama, slots: int):
        super().__init__(model.store(slots), slots)
        self.model = model

    def _read(self, tokens: np.ndarray, length: np.ndarray, columns: int, slots: np.ndarray) -> torch.Tensor:
        """Read the last `columns` of the first length[r] tokens of each slot. → hidden [R, d]

        A request that lacks fewer reads some again, to the same keys and values.
        """
        device = self.store.keys.device
        positions = np.maximum(length[:, None] - columns + np.arange(columns), 0)  # [R, n]
        ids = torch.from_numpy(tokens[slots[:, None], positions]).to(device)  # [R, n]
        slot = torch.from_numpy(slots).to(device)
        view = slice(0, len(slots)) if np.array_equal(slots, np.arange(len(slots))) else slot
        return self.model.forward(ids, torch.from_numpy(positions).to(device), view, slot, self.store)

    @torch.inference_mode()
    def read(self, requests: Requests, slots: np.ndarray) -> None:
        """Read what these requests have but their anchors. slots [n]"""
        lag = requests.length[slots] - 1 - self._known(requests, slots)
        if lag.any():
            self._read(requests.tokens, requests.length[slots] - 1, int(lag.max()), slots)
        self.known[slots] = requests.length[slots] - 1

    def _catch_up(self, requests: Requests, load: int) -> int:
        """Read what late requests missed, all but their anchors; how many tokens the first step must read."""
        slots = np.arange(load)
        self.known[slots] = self._known(requests, slots)
        late = np.flatnonzero(requests.length[:load] - self.known[:load] > self.BEHIND)
        if len(late):
            self.read(requests, late)
        return int((requests.length[:load] - self.known[:load]).max())

    @torch.inference_mode()
    def propose(self, requests: Requests, load: int, depth: int, temperature: float, seed: int, draw: Draw = draw) -> Draft:
        depth = min(depth, self.max_depth)
        columns = self._catch_up(requests, load)
        slots, length = np.arange(load), requests.length[:load].copy()
        slot = torch.from_numpy(slots).to(self.store.keys.device)
        uniform = draft_uniforms(seed, requests.number[:load], length, depth, temperature)  # [R, γ]
        tokens, distributions, hiddens, logits = [], [], [], []
        for k in range(depth):
            if k == 0:
                hidden = self._read(requests.tokens, length, columns, slots)  # [R, d]
            else:
                at = torch.from_numpy(length + k - 1).to(slot.device)[:, None]  # [R, 1]
                hidden = self.model.forward(tokens[-1][:, None], at, slice(0, load), slot, self.store)  # [R, d]
            hiddens.append(hidden)
            logits.append(self.model.logits(hidden))  # [R, V']
            column, p = draw(logits[-1], temperature, uniform[:, k])
            tokens.append(column if self.model.ids is None else self.model.ids[column])
            distributions.append(p)
        self.known[:load] = length + depth - 1
        return Draft(
            tokens=torch.stack(tokens, dim=1).cpu().numpy(),  # [R, γ]
            distribution=torch.stack(distributions, dim=1) if temperature else None,  # [R, γ, V']
            hidden=torch.stack(hiddens, dim=1),  # [R, γ, d]
            logits=torch.stack(logits, dim=1),  # [R, γ, V']
            ids=self.model.ids,
        )
