"""What the model knows of every request, preallocated: nothing is ever concatenated, and forgetting is a smaller length."""

import torch


class KVStore:
    """One row of keys and values a slot. Entries at and beyond a request's length are stale and never read."""

    def __init__(
        self, layers: int, slots: int, heads: int, room: int, width: int, device: torch.device, dtype: torch.dtype, features: int = 0
    ):
        """features: numbers kept of each token beside its keys and values, for a drafter that reads its target's hidden states."""
        self.features = torch.zeros(slots, room, features, device=device, dtype=dtype) if features else None  # [S, L, n·d]
        self.keys = torch.zeros(layers, slots, heads, room, width, device=device, dtype=dtype)  # [layers, S, Hkv, L, D]
        self.values = torch.zeros_like(self.keys)

    @property
    def slots(self) -> int:
        """How many requests fit."""
        return self.keys.shape[1]

    @property
    def room(self) -> int:
        """How many tokens of one request fit."""
        return self.keys.shape[3]

    def grow(self, slots: int) -> None:
        """Make room for more requests; what is stored stays."""
        layers, have, heads, room, width = self.keys.shape
        if slots <= have:
            return
        for name in ("keys", "values"):
            old = getattr(self, name)
            new = torch.zeros(layers, slots, heads, room, width, device=old.device, dtype=old.dtype)
            new[:, :have] = old
            setattr(self, name, new)
        if self.features is not None:
            old = self.features
            self.features = old.new_zeros(slots, *old.shape[1:])
            self.features[:have] = old

    def write(self, layer: int, slot: torch.Tensor, position: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> None:
        """Put token b's key and value at (slot[b], position[b]). slot, position [B]; key, value [B, Hkv, D]"""
        self.keys[layer][slot, :, position] = key
        self.values[layer][slot, :, position] = value

    def read(self, layer: int, slots: slice | torch.Tensor, length: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The first `length` keys and values of these slots. → two of [R, Hkv, length, D], views when slots is a slice"""
        return self.keys[layer][slots][:, :, :length], self.values[layer][slots][:, :, :length]
