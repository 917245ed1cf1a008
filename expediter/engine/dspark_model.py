"""The DSpark drafter's weights and its one forward: γ guesses' hidden states and logits from one pass (Cheng et al. 2026, §3.1).

Names are those of the released checkpoints. Embedding and head are the target's own. A context position is known by the hidden
states of a few target layers, concatenated, projected and normed; every draft layer takes its keys and values from that, at
the position where the target read it. The block's own keys and values stand behind them, and inside the block all see all.
"""

from collections.abc import Mapping

import torch
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu

from expediter.engine.dspark_config import DSparkConfig
from expediter.engine.few_words import IDS, named, rows_of
from expediter.engine.kv_store import KVStore
from expediter.engine.lean import rotary_table, rotate
from expediter.engine.matrix import Matrix


class BlockLayer:
    """One layer's weights. d width, H query and Hkv K/V heads of width D, f inner width."""

    def __init__(self, weights: Mapping[str, torch.Tensor], prefix: str, config: DSparkConfig, products: torch.dtype | None):
        """products: number format of the matrices, None for their own."""
        take = lambda *names: [weights[f"{prefix}.{name}.weight"] for name in names]  # noqa: E731
        matrix = lambda *names: Matrix(*take(*names), dtype=products)  # noqa: E731
        (self.norm_in,) = take("input_layernorm")  # [d]
        self.qkv = matrix("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")  # [d, (H + 2·Hkv)·D]
        norm_q, self.norm_k = take("self_attn.q_norm", "self_attn.k_norm")  # [D] each
        self.norm_qk = torch.cat([norm_q.expand(config.heads, -1), self.norm_k.expand(config.kv_heads, -1)])  # [H + Hkv, D]
        self.out = matrix("self_attn.o_proj")  # [H·D, d]
        (self.norm_mid,) = take("post_attention_layernorm")  # [d]
        self.gate_up = matrix("mlp.gate_proj", "mlp.up_proj")  # [d, 2·f]
        self.down = matrix("mlp.down_proj")  # [f, d]


class DSparkModel:
    """Weights only; what changes belongs to a drafter."""

    def __init__(self, config: DSparkConfig, weights: Mapping[str, torch.Tensor], target, room: int, products: torch.dtype | None = None):
        """target: the loaded causal LM whose embedding and head are shared; products: number format of the matrices, None for the target's.

        Raises ValueError for weights that do not fit the target.
        """
        self.config = config
        self.embedding = target.get_input_embeddings().weight.detach()  # [V, d]
        if tuple(self.embedding.shape) != (config.vocabulary, config.width):
            have = " × ".join(map(str, self.embedding.shape))
            raise ValueError(
                f"The draft works with {config.vocabulary} tokens × {config.width}, its target with {have}: they do not belong together."
            )
        if max(config.features) >= target.config.num_hidden_layers:
            raise ValueError(
                f"The draft reads layer {max(config.features)} of its target, which has {target.config.num_hidden_layers}: "
                "they do not belong together."
            )
        device, dtype = self.embedding.device, self.embedding.dtype
        weights = {name: value.to(device, None if name == IDS else dtype) for name, value in weights.items()}
        head = target.get_output_embeddings().weight  # [V, d]
        self.ids = self._proposed(weights)
        self.head = Matrix(head if self.ids is None else head[self.ids], dtype=products)  # [d, V']
        try:
            self.fuse = Matrix(weights["fc.weight"], dtype=products)  # [n·d, d]
            self.norm_fused, self.norm = weights["hidden_norm.weight"], weights["norm.weight"]  # [d] each
            self.before = self._by_token(weights["markov_head.markov_w1.weight"])  # W1 [V, rank]
            self.after = Matrix(weights["markov_head.markov_w2.weight"], dtype=products)  # W2 [rank, V']
            self.layers = [BlockLayer(weights, f"layers.{i}", config, products) for i in range(config.layers)]
            sides = [weights[f"layers.{i}.self_attn.{side}_proj.weight"] for i in range(config.layers) for side in "kv"]
            self.context_kv = Matrix(*sides, dtype=products)  # [d, layers·2·Hkv·D]
        except KeyError as error:
            raise ValueError(f"The draft's weights lack {error.args[0]}: restore the folder or pick another pair.") from error
        head = "confidence_head.proj"  # w [d + rank] and bias []; None where the draft was trained without
        self.confidence = (weights[f"{head}.weight"][0], weights[f"{head}.bias"][0]) if f"{head}.weight" in weights else None
        self.norm_k = torch.stack([layer.norm_k for layer in self.layers])[:, None]  # [layers, 1, D]
        self.cos, self.sin = rotary_table(room, config.head_width, config.theta, device, dtype)  # [L, D] each

    def _proposed(self, weights: Mapping[str, torch.Tensor]) -> torch.Tensor | None:
        """The target's numbers of the tokens that are proposed, ascending [V']; None for all."""
        c = self.config
        if c.proposes == c.vocabulary:
            return None
        return named(weights.get(IDS), c.proposes, c.vocabulary)

    def _by_token(self, w1: torch.Tensor) -> torch.Tensor:
        """W1 by the target's token numbers; tokens that are never proposed share its last row. [V' + 1, rank] → [V, rank]"""
        if self.ids is None:
            return w1
        return w1[rows_of(self.ids, self.config.vocabulary)]

    def store(self, slots: int) -> KVStore:
        """An empty store of this model's shape."""
        c = self.config
        return KVStore(c.layers, slots, c.kv_heads, self.cos.shape[0], c.head_width, self.embedding.device, self.embedding.dtype)

    def _norm(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return rms_norm(x, weight.shape, weight, self.config.eps)

    def inject(self, features: torch.Tensor, slot: torch.Tensor, position: torch.Tensor, store: KVStore) -> None:
        """Turn M context positions into keys and values of all layers at once. features [M, n·d]; slot, position [M]"""
        c = self.config
        fused = self._norm(self.fuse(features).to(features.dtype), self.norm_fused)  # [M, d]
        kv = self.context_kv(fused).to(fused.dtype).view(len(fused), c.layers, 2, c.kv_heads, c.head_width)
        k, v = kv.unbind(dim=2)  # [M, layers, Hkv, D] each
        k = rms_norm(k, (c.head_width,), eps=c.eps) * self.norm_k
        k = rotate(k, self.cos[position][:, None, None], self.sin[position][:, None, None])
        row = slot * store.room + position  # [M]
        for i in range(c.layers):
            store.write(i, row, k[:, i], v[:, i])

    def forward(self, anchors: torch.Tensor, position: torch.Tensor, depth: int, store: KVStore) -> torch.Tensor:
        """One pass over the blocks of the first R slots.

        anchors [R] ids; position [R] of each anchor: what stands before is context, already injected; depth γ, at most
        config.block. → hidden states [R, γ, d]; place k knows the context, the anchor and k, and nothing that is sampled.
        """
        c, r = self.config, len(anchors)
        ids = torch.full((r, depth), c.mask, device=anchors.device)  # [R, γ]
        ids[:, 0] = anchors
        places = position[:, None] + torch.arange(depth, device=anchors.device)  # [R, γ]
        length = int(position.max()) + depth
        row = (torch.arange(r, device=anchors.device)[:, None] * store.room + places).flatten()  # [R·γ]
        unseen = torch.arange(length, device=anchors.device) >= position[:, None] + depth  # [R, L]
        h = self.embedding[ids]  # [R, γ, d]
        # What is added to the scores, made once: from a mask of True and False every layer would make it anew.
        mask = h.new_zeros(unseen.shape).masked_fill_(unseen, -torch.inf)[:, None, None]  # [R, 1, 1, L]
        cos, sin = self.cos[places][:, :, None], self.sin[places][:, :, None]  # [R, γ, 1, D]
        for i, layer in enumerate(self.layers):
            x = layer.qkv(self._norm(h, layer.norm_in)).to(h.dtype)  # [R, γ, (H + 2·Hkv)·D]
            qk, v = x.view(r, depth, -1, c.head_width).split([c.heads + c.kv_heads, c.kv_heads], dim=2)  # [R, γ, H + Hkv | Hkv, D]
            qk = rotate(rms_norm(qk, (c.head_width,), eps=c.eps) * layer.norm_qk, cos, sin)
            q, k = qk.split([c.heads, c.kv_heads], dim=2)  # [R, γ, H | Hkv, D]
            store.write(i, row, k.flatten(0, 1), v.flatten(0, 1))
            keys, values = store.read(i, slice(0, r), length)  # [R, Hkv, L, D]
            folded = q.transpose(1, 2).reshape(r, c.kv_heads, -1, c.head_width)  # [R, Hkv, G·γ, D]
            a = scaled_dot_product_attention(folded, keys, values, attn_mask=mask)  # [R, Hkv, G·γ, D]
            h = h + layer.out(a.view(r, c.heads, depth, -1).transpose(1, 2).reshape(r, depth, -1))  # [R, γ, d]
            gate, up = layer.gate_up(self._norm(h, layer.norm_mid)).chunk(2, dim=-1)  # [R, γ, f] each
            h = h + layer.down(silu(gate) * up)
        return self._norm(h, self.norm)  # [R, γ, d]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Base logits, before the Markov head. [R, γ, d] → [R, γ, V']"""
        return self.head(hidden).to(hidden.dtype)

    def bias(self, before: torch.Tensor) -> torch.Tensor:
        """What the Markov head adds to them, W2·W1[x_{k−1}], in the products' number format. [R, rank] → [R, V']"""
        return self.after(before)
