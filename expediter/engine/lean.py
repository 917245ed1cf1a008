"""A lean forward for small Llama drafts: the same numbers as transformers' LlamaForCausalLM at a fraction of its overhead.

In a one-layer model most of a step is module bookkeeping, and a draft takes γ such steps for each of the target's.
Queries, keys and values come from one matrix product, and so do the two halves of the gated layer.
"""

from dataclasses import dataclass

import torch
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu

from expediter.engine.few_words import named, rows_of
from expediter.engine.kv_store import KVStore
from expediter.engine.matrix import Matrix

ONE_ROW = 500_000  # numbers of a matrix from which on it is worth packing for a single row; a block drafter has γ rows a request


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer's weights. d model width, H heads and Hkv K/V heads of width D, f inner width."""

    norm_in: torch.Tensor  # [d]
    qkv: Matrix  # [d, (H + 2·Hkv)·D]
    out: Matrix  # [H·D, d]
    norm_mid: torch.Tensor  # [d]
    gate_up: Matrix  # [d, 2·f]
    down: Matrix  # [f, d]


def not_plain(config) -> str:
    """What this model is, if a lean forward would not be its own; empty for a plain Llama."""
    odd = [name for name in ("attention_bias", "mlp_bias") if getattr(config, name, False)]
    rope = getattr(config, "rope_parameters", None) or {}
    if config.model_type != "llama" or odd or rope.get("rope_type", "default") != "default":
        return f"{config.model_type} with {', '.join(odd) or 'its own kind of positions'}"
    return "" if getattr(config, "hidden_act", "silu") == "silu" else f"{config.model_type} with {config.hidden_act}"


def rope_theta(config) -> float:
    """θ, the base of the rotary angles, of a model without its own kind of positions."""
    return (getattr(config, "rope_parameters", None) or {}).get("rope_theta", 10000.0)


def rotary_table(room: int, width: int, theta: float, device: torch.device, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosine and sine of every position's angles. → two of [L, D]"""
    inverse = theta ** -(torch.arange(0, width, 2, device=device) / width)  # [D/2]
    angle = torch.outer(torch.arange(room, device=device), inverse).repeat(1, 2)  # [L, D]
    return angle.cos().to(dtype), angle.sin().to(dtype)


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary position embedding (Su et al. 2021), halves convention. x [..., D]; cos and sin broadcast to it"""
    half = x.shape[-1] // 2
    turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * cos + turned * sin


class LeanLlama:
    """Weights only, taken from a loaded LlamaForCausalLM. Raises ValueError for what this forward does not do."""

    def __init__(self, model, room: int, ids: torch.Tensor | None = None, vocabulary: int = 0, products: torch.dtype | None = None):
        """products: number format of the matrices, None for the model's own.

        ids: the target's number, ascending, of each of V' tokens that the model knows [V'], out of `vocabulary`; it has one row more,
        for all others. None: it numbers tokens as its target does."""
        config = model.config
        if odd := not_plain(config):
            raise ValueError(f"The draft is a {odd}: only plain Llama.")
        self.heads, self.kv_heads, self.width = config.num_attention_heads, config.num_key_value_heads, config.head_dim
        self.eps = config.rms_norm_eps
        self.embedding = model.model.embed_tokens.weight.detach()  # [V, d], or [V' + 1, d]
        head = model.lm_head.weight
        self.ids, self.row = ids, None
        if ids is not None:
            head = head[:-1]
            self.row = rows_of(named(ids, len(head), vocabulary), vocabulary)  # [V]
        self.head = Matrix(head, dtype=products, least=ONE_ROW)  # [d, V']
        self.products = self.head.dtype
        self.norm = model.model.norm.weight.detach()  # [d]
        self.layers = [
            Layer(
                b.input_layernorm.weight.detach(),
                Matrix(b.self_attn.q_proj.weight, b.self_attn.k_proj.weight, b.self_attn.v_proj.weight, dtype=products, least=ONE_ROW),
                Matrix(b.self_attn.o_proj.weight, dtype=products, least=ONE_ROW),
                b.post_attention_layernorm.weight.detach(),
                Matrix(b.mlp.gate_proj.weight, b.mlp.up_proj.weight, dtype=products, least=ONE_ROW),
                Matrix(b.mlp.down_proj.weight, dtype=products, least=ONE_ROW),
            )
            for b in model.model.layers
        ]
        device = self.embedding.device
        self.cos, self.sin = rotary_table(room, self.width, rope_theta(config), device, self.norm.dtype)  # [L, D] each

    def store(self, slots: int) -> KVStore:
        """An empty store of this model's shape."""
        return KVStore(len(self.layers), slots, self.kv_heads, self.cos.shape[0], self.width, self.embedding.device, self.embedding.dtype)

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, slots: slice | torch.Tensor, slot: torch.Tensor, store: KVStore):
        """Read n tokens of each of R requests; keys and values go to the store.

        ids, positions [R, n]; slots the requests' slots, slot the same as indices [R]. → hidden state of the last token [R, d]
        """
        r, n = ids.shape
        h = self.embedding[ids if self.row is None else self.row[ids]]  # [R, n, d]
        cos, sin = self.cos[positions][:, :, None], self.sin[positions][:, :, None]  # [R, n, 1, D]
        row = (slot[:, None] * store.room + positions).flatten()  # [R·n]
        groups = self.heads // self.kv_heads
        length = int(positions.max()) + 1
        seen = torch.arange(length, device=ids.device) <= positions[:, :, None]  # [R, n, L]
        mask = (seen if n == 1 else seen.repeat(1, groups, 1))[:, None]  # [R, 1, G·n or 1, L]
        turned, wide = self.heads + self.kv_heads, self.heads * self.width
        for i, layer in enumerate(self.layers):
            x = layer.qkv(rms_norm(h, self.norm.shape, layer.norm_in, self.eps)).to(h.dtype)  # [R, n, (H + 2·Hkv)·D]
            qk, v = x.view(r, n, -1, self.width).split([turned, self.kv_heads], dim=2)  # [R, n, H + Hkv | Hkv, D]
            q, k = rotate(qk, cos, sin).split([self.heads, self.kv_heads], dim=2)  # [R, n, H | Hkv, D]
            store.write(i, row, k.flatten(0, 1), v.flatten(0, 1))
            keys, values = store.read(i, slots, length)  # [R, Hkv, L, D]
            folded = q.transpose(1, 2).reshape(r, self.kv_heads, groups * n, self.width)  # [R, Hkv, G·n, D]
            a = scaled_dot_product_attention(folded, keys, values, attn_mask=mask)  # [R, Hkv, G·n, D]
            h = h + layer.out(a.view(r, self.heads, n, self.width).transpose(1, 2).reshape(r, n, wide))  # [R, n, d]
            gate, up = layer.gate_up(rms_norm(h, self.norm.shape, layer.norm_mid, self.eps)).chunk(2, dim=-1)  # [R, n, f] each
            h = h + layer.down(silu(gate) * up)
        return rms_norm(h[:, -1], self.norm.shape, self.norm, self.eps)  # [R, d]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """[R, d] → [R, V']"""
        return self.head(hidden).to(hidden.dtype)
