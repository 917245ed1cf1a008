"""The DSpark drafter at work: a whole block of guesses from one pass, made to agree with each other while they are sampled.

The target leaves the hidden states of a few layers in its own store as it reads (see target.py), for the price of a copy. Entries
at and beyond a request's anchor may belong to refused guesses; only what stands before the anchor is ever taken.
"""

import numpy as np
import torch

from expediter.engine.drafter import Draft, Draw, Slots, draft_uniforms, draw
from expediter.engine.dspark_model import DSparkModel
from expediter.engine.kv_store import KVStore
from expediter.engine.requests import Requests


class BlockDrafter(Slots):
    """Context keys and values by slot, and how many of them are true."""

    lag = 3  # what the step before brought, two words or three; the last is the anchor, which is no context

    def __init__(self, model: DSparkModel, slots: int, features: KVStore | None, markov: bool = True):
        """features: the store that the target reads into. markov=False leaves the Markov head out, to show what it is for."""
        super().__init__(model.store(slots), slots)
        self.model, self.features, self.markov = model, features, markov
        self.max_depth = model.config.block

    @torch.inference_mode()
    def read(self, requests: Requests, slots: np.ndarray) -> None:
        """Inject what the target has read of these requests since this drafter last looked, everything before the anchors. slots [n]"""
        if self.features is None or self.features.features is None:
            raise ValueError("This drafter reads its target's hidden states: make it with the target's store, pair.drafter(slots, store).")
        known, end = self._known(requests, slots), requests.length[slots] - 1  # [n] each
        steps = np.arange((end - known).max(initial=0))
        row, lag = np.nonzero(steps < (end - known)[:, None])  # [M] each
        if len(row):
            device = self.store.keys.device
            at, where = torch.from_numpy(slots[row]).to(device), torch.from_numpy(known[row] + lag).to(device)
            self.model.inject(self.features.features[at, where], at, where, self.store)
        self.known[slots] = end

    @torch.inference_mode()
    def propose(self, requests: Requests, load: int, depth: int, temperature: float, seed: int, draw: Draw = draw) -> Draft:
        """As Drafter.propose. `hidden` is what the confidence head sees: [h_k ; W1[x_{k−1}]]."""
        depth = min(depth, self.max_depth)
        self.read(requests, np.arange(load))
        device, length = self.store.keys.device, requests.length[:load]
        token = torch.from_numpy(requests.anchors(load)).to(device)  # [R]
        hidden = self.model.forward(token, torch.from_numpy(length - 1).to(device), depth, self.store)  # [R, γ, d]
        logits = self.model.logits(hidden)  # [R, γ, V']
        uniform = draft_uniforms(seed, requests.number[:load], length, depth, temperature)  # [R, γ]
        tokens, distributions, before = [], [], []
        for k in range(depth):
            before.append(self.model.before[token])  # W1[x_{k−1}]  [R, rank]
            if self.markov:
                logits[:, k] += self.model.bias(before[-1])  # [R, V']
            column, p = draw(logits[:, k], temperature, uniform[:, k])  # [R], [R, V']
            token = column if self.model.ids is None else self.model.ids[column]
            tokens.append(token)
            distributions.append(p)
        return Draft(
            tokens=torch.stack(tokens, dim=1).cpu().numpy(),  # [R, γ]
            distribution=torch.stack(distributions, dim=1) if temperature else None,  # [R, γ, V']
            hidden=torch.cat([hidden, torch.stack(before, dim=1)], dim=-1),  # [R, γ, d + rank]
            logits=logits,
            ids=self.model.ids,
        )
