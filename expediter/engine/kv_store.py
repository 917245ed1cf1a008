"""What the model knows of every request, preallocated: nothing is ever concatenated, and forgetting is a smaller length."""

import torch


class KVStore:
    """One row of keys and values a slot. Entries at and beyond a request's length are stale and never read."""

    def __init__(
        self, layers: int, slots: int, heads: int, room: int, width: int, device: torch.device, dtype: torch.dtype, features: int = 0
    ):
        """features: numbers kept of each token beside its keys and values, for a drafter that reads its target's hidden states."""
        self.features = torch.zeros(slots, room, features, device=device, dtype=dtype) if features else None  # [S, L, n·d]
        self._keep(torch.zeros(layers, slots, room, 2, heads, width, device=device, dtype=dtype))

    def _keep(self, table: torch.Tensor) -> None:
        """One row a token, its keys beside its values: what a layer has of a token is written at once. [layers, S, L, 2, Hkv, D]"""
        self.table = table
        self.keys, self.values = table.transpose(2, 4).unbind(3)  # views [layers, S, Hkv, L, D]
        rows = table.flatten(1, 2)  # [layers, S·L, 2, Hkv, D]
        self._rows = list(rows.flatten(2))  # layers times [S·L, 2·Hkv·D]
        self._halves = [layer.unbind(1) for layer in rows]  # layers times two of [S·L, Hkv, D]

    @property
    def slots(self) -> int:
        """How many requests fit."""
        return self.table.shape[1]

    @property
    def room(self) -> int:
        """How many tokens of one request fit."""
        return self.table.shape[2]

    def grow(self, slots: int) -> None:
        """Make room for more requests; what is stored stays."""
        have = self.slots
        if slots <= have:
            return
        old = self.table
        new = old.new_zeros(old.shape[0], slots, *old.shape[2:])
        new[:, :have] = old
        self._keep(new)
        if self.features is not None:
            old = self.features
            self.features = old.new_zeros(slots, *old.shape[1:])
            self.features[:have] = old

    def fill(self, other: "KVStore") -> None:
        """Take over all that another store of the same shape holds, which may have fewer slots."""
        self.grow(other.slots)
        self.table[:, : other.slots] = other.table
        if self.features is not None:
            self.features[: other.slots] = other.features

    def write(self, layer: int, row: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> None:
        """Put token b's key and value at row[b], which is slot · L + position. row [B]; key, value [B, Hkv, D]"""
        keys, values = self._halves[layer]
        keys.index_copy_(0, row, key)
        values.index_copy_(0, row, value)

    def write_both(self, layer: int, row: torch.Tensor, pair: torch.Tensor) -> None:
        """The same for keys and values side by side. row [B]; pair [B, 2·Hkv·D]"""
        self._rows[layer].index_copy_(0, row, pair)

    def read(self, layer: int, slots: slice | torch.Tensor, length: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The first `length` keys and values of these slots. → two of [R, Hkv, length, D], views when slots is a slice"""
        keys, values = self.table[layer, slots, :length].transpose(1, 3).unbind(2)
        return keys, values
