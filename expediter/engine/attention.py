"""Attention of a packed batch: one batched call a layer, over every request's own stored keys and values.

Registered with transformers' AttentionInterface, so that any model which uses it runs packed without a line of its own code.
Padding exists only in here, from each request's own number of tokens to the longest of the batch.
"""

from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

from expediter.engine.packed import Packed

NAME = "expediter_packed"


def packed_attention(module, query, key, value, attention_mask, dropout: float = 0.0, scaling: float | None = None, *, packed: Packed, **_):
    """Store this layer's keys and values, then let every token attend within its own request, no further than itself.

    query [1, H, B, D], key and value [1, Hkv, B, D] → [1, B, H, D], None
    """
    store, layer = packed.store, module.layer_idx
    store.write(layer, packed.slot, packed.positions[0], key[0].transpose(0, 1), value[0].transpose(0, 1))
    keys, values = store.read(layer, packed.slots, packed.length)  # [R, Hkv, L, D]
    heads, kv_heads, width = query.shape[1], key.shape[1], query.shape[3]
    flat = query[0].transpose(0, 1)  # [B, H, D]
    if packed.even:
        padded = flat.view(packed.requests, packed.longest, heads, width)  # [R, Q, H, D]
    else:
        padded = flat.new_zeros(packed.requests, packed.longest, heads, width)  # [R, Q, H, D]
        padded[packed.row, packed.offset] = flat
    folded = padded.transpose(1, 2).reshape(packed.requests, kv_heads, -1, width)  # [R, Hkv, G·Q, D]
    out = scaled_dot_product_attention(folded, keys, values, attn_mask=packed.mask, scale=scaling)  # [R, Hkv, G·Q, D]
    out = out.view(packed.requests, heads, packed.longest, width).transpose(1, 2)  # [R, Q, H, D]
    if packed.even:
        return out.reshape(1, -1, heads, width), None  # [1, B, H, D]
    return out[packed.row, packed.offset][None], None  # [1, B, H, D]


def register() -> str:
    """Make the name known to transformers; the name."""
    AttentionInterface.register(NAME, packed_attention)
    return NAME
