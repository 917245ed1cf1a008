"""Attention of a packed batch: one batched call a layer, over every request's own stored keys and values.

Registered with transformers' AttentionInterface, so that any model which uses it runs packed without a line of its own code.
Padding exists only in here, from each request's own number of tokens to the longest of the batch.
"""

import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

from expediter.engine.packed import Packed

NAME = "expediter_packed"


def packed_attention(module, query, key, value, attention_mask, dropout: float = 0.0, scaling: float | None = None, *, packed: Packed, **_):
    """Store this layer's keys and values, then let every token attend within its own request, no further than itself.

    query [1, H, B, D], key and value [1, Hkv, B, D] → [1, B, H, D], None
    """
    heads, width = query.shape[1], query.shape[3]
    out = attend(packed, module.layer_idx, query[0].transpose(0, 1), key[0].transpose(0, 1), value[0].transpose(0, 1), scaling)
    return out.view(1, -1, heads, width), None  # [1, B, H, D]


def attend(packed: Packed, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float | None = None):
    """The same for one layer by its number. query [B, H, D], key and value [B, Hkv, D] → [B, H·D]"""
    store = packed.store
    store.write(layer, packed.row, key, value)
    keys, values = store.read(layer, packed.slots, packed.length)  # [R, Hkv, L, D]
    heads, width = query.shape[1:]
    rows, fold = query.reshape(-1, width), packed.fold  # [B·H, D]
    folded = rows.index_select(0, fold.there) if fold else rows
    folded = folded.view(packed.requests, key.shape[1], -1, width)  # [R, Hkv, G·Q, D]
    out = scaled_dot_product_attention(folded, keys, values, attn_mask=packed.mask, scale=scaling)  # [R, Hkv, G·Q, D]
    out = out.reshape(-1, width)  # [R·H·Q, D]
    return (out.index_select(0, fold.back) if fold else out).view(-1, heads * width)  # [B, H·D]


def register() -> str:
    """Make the name known to transformers; the name."""
    AttentionInterface.register(NAME, packed_attention)
    return NAME
