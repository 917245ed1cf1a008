"""The big model: reads a packed batch of any requests' tokens in one forward, and remembers what it read."""

from functools import partial

import numpy as np
import torch

from expediter.engine.attention import register
from expediter.engine.device import Place
from expediter.engine.kv_store import KVStore
from expediter.engine.lean import not_plain
from expediter.engine.lean_target import LeanTarget
from expediter.engine.packed import Packed, pack
from expediter.engine.requests import Requests


class Target:
    """A transformers causal LM with packed attention. Weights are shared by all sessions; the store is the caller's."""

    def __init__(self, model, place: Place, features: tuple[int, ...] = ()):
        """features: layers whose outputs are kept in the store, for a drafter that reads them."""
        model.set_attn_implementation(register())
        self.model = model.eval()
        self.place = place
        config = model.config
        self.layers = config.num_hidden_layers
        self.kv_heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        self.groups = config.num_attention_heads // self.kv_heads
        self.width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.features = len(features) * config.hidden_size
        self.lean = None if not_plain(config) else LeanTarget(model, features)
        for i, layer in enumerate(() if self.lean else features):
            at = slice(i * config.hidden_size, (i + 1) * config.hidden_size)
            model.model.layers[layer].register_forward_hook(partial(_keep, at), with_kwargs=True)

    def store(self, slots: int, room: int) -> KVStore:
        """An empty store of this model's shape."""
        return KVStore(self.layers, slots, self.kv_heads, room, self.width, self.place.device, self.place.dtype, self.features)

    @torch.inference_mode()
    def read(self, store: KVStore, tokens: np.ndarray, counts: np.ndarray, starts: np.ndarray, slots: np.ndarray) -> torch.Tensor:
        """One forward of B = Σ counts tokens (see packed.pack). → logits behind each of them [B, V], requests end to end"""
        packed = pack(tokens, counts, starts, slots, store, self.groups)
        return self.forward(packed)

    @torch.inference_mode()
    def prefill(self, store: KVStore, requests: Requests, slots: np.ndarray) -> None:
        """Read everything but the anchors of these slots."""
        counts = requests.length[slots] - 1
        packed = pack(requests.tokens[slots, : counts.max()], counts, np.zeros_like(counts), slots, store, self.groups)
        self.forward(packed, last=True)

    def forward(self, packed: Packed, last: bool = False) -> torch.Tensor:
        """The model itself, lean where it can be. → logits [B, V], or [1, V] behind the last token alone"""
        if self.lean:
            return self.lean.forward(packed, last)
        kept = {"logits_to_keep": 1} if last else {}
        return self.model(input_ids=packed.ids, position_ids=packed.positions, use_cache=False, packed=packed, **kept).logits[0]


def _keep(at: slice, layer, args, kwargs, output: torch.Tensor) -> None:
    """After a layer of a packed forward: keep its output, one row a token, beside the token's keys. output [1, B, d]"""
    if packed := kwargs.get("packed"):
        packed.store.features.flatten(0, 1)[:, at].index_copy_(0, packed.row, output[0])
