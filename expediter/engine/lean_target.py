"""A lean packed forward for plain Llama targets, on the loaded model's own weights: transformers' numbers without its bookkeeping.

Modules, norms in six passes and rotations of queries and keys apart cost 12 to 23 % of a step that reads one word, and 4 to 7 % of one that
reads 56. In float32 the numbers agree to rounding, in bfloat16 to the last bit; there a copy packed for the processor takes another sixth
to third off the products of up to 64 words.
"""

from dataclasses import dataclass

import torch
from torch.nn.functional import rms_norm, silu

from expediter.engine.attention import attend
from expediter.engine.device import Place
from expediter.engine.lean import not_plain, rope_theta, rotary_table, rotate
from expediter.engine.matrix import Product, packs, product
from expediter.engine.packed import Packed


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer. d model width, H heads and Hkv K/V heads of width D, f inner width."""

    norm_in: torch.Tensor  # [d]
    q: Product  # d → H·D
    k: Product  # d → Hkv·D
    v: Product  # d → Hkv·D
    out: Product  # H·D → d
    norm_mid: torch.Tensor  # [d]
    gate: Product  # d → f
    up: Product  # d → f
    down: Product  # f → d


class LeanTarget:
    """Raises ValueError for a model that is no plain Llama."""

    def __init__(self, model, features: tuple[int, ...] = ()):
        """features: layers whose outputs go to the store, for a drafter that reads them."""
        if odd := not_plain(model.config):
            raise ValueError(f"The target is a {odd}: only plain Llama.")
        config = model.config
        self.heads, self.kv_heads, self.width = config.num_attention_heads, config.num_key_value_heads, config.head_dim
        self.eps, self.theta = config.rms_norm_eps, rope_theta(config)
        self.embedding, self.norm = (part.weight.detach() for part in (model.model.embed_tokens, model.model.norm))  # [V, d], [d]
        packed = packs(Place(self.embedding.device, self.norm.dtype), model.num_parameters())
        self.head = product(model.lm_head.weight, packed)  # d → V
        self.layers = [
            Layer(
                b.input_layernorm.weight.detach(),
                *(product(getattr(b.self_attn, f"{name}_proj").weight, packed) for name in "qkvo"),
                b.post_attention_layernorm.weight.detach(),
                *(product(part.weight, packed) for part in (b.mlp.gate_proj, b.mlp.up_proj, b.mlp.down_proj)),
            )
            for b in model.model.layers
        ]
        self.features = {layer: place for place, layer in enumerate(features)}
        self.cos, self.sin = self._angles(1)  # [L, D] each

    def _angles(self, room: int) -> tuple[torch.Tensor, torch.Tensor]:
        return rotary_table(room, self.width, self.theta, self.embedding.device, self.norm.dtype)

    def _norm(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """Rounded before it is weighted, as transformers does: in bfloat16 the last bit depends on it."""
        return rms_norm(x, weight.shape, eps=self.eps) * weight

    def forward(self, packed: Packed, last: bool = False) -> torch.Tensor:
        """Read a packed batch. → logits behind each of its B tokens [B, V]; last: behind the last of them alone [1, V]"""
        if len(self.cos) < packed.length:
            self.cos, self.sin = self._angles(2 * packed.length)
        at = packed.positions[0]
        cos, sin = self.cos[at][:, None], self.sin[at][:, None]  # [B, 1, D]
        h = self.embedding[packed.ids[0]]  # [B, d]
        for i, layer in enumerate(self.layers):
            x = self._norm(h, layer.norm_in)  # [B, d]
            qk = torch.cat([layer.q(x), layer.k(x)], dim=-1).view(len(h), -1, self.width)  # [B, H + Hkv, D]
            q, k = rotate(qk, cos, sin).split([self.heads, self.kv_heads], dim=1)  # [B, H | Hkv, D]
            v = layer.v(x).view(len(h), self.kv_heads, self.width)  # [B, Hkv, D]
            h = h + layer.out(attend(packed, i, q, k, v))  # [B, d]
            x = self._norm(h, layer.norm_mid)
            h = h + layer.down(silu(layer.gate(x)).mul_(layer.up(x)))
            if i in self.features:
                place = self.features[i] * len(self.norm)
                packed.store.features.flatten(0, 1)[:, place : place + len(self.norm)].index_copy_(0, packed.row, h)
        return self.head(self._norm(h[-1:] if last else h, self.norm))
