"""A verification batch, flattened: one row of exactly B = Σ (1 + ℓ_r) tokens, so that the linear layers do B tokens of work."""

from dataclasses import dataclass

import numpy as np
import torch

from expediter.engine.kv_store import KVStore


@dataclass(frozen=True, slots=True)
class Folding:
    """From rows of B tokens with H heads each to the table that attention multiplies, and back: one gather each way."""

    there: torch.Tensor  # row of every cell of the table [R, H, Q], end to end: token · H + head
    back: torch.Tensor  # cell of every row [B · H]

    @classmethod
    def of(cls, counts: np.ndarray, heads: int, device: torch.device) -> "Folding | None":
        """counts [R]: tokens of each request. Cells beyond them repeat the first token of all, and nothing reads what they get.

        None where each request brings one token: rows and table are the same.
        """
        wide = int(counts.max())
        if wide == 1:
            return None
        request, offset = np.nonzero(np.arange(wide) < counts[:, None])  # [B], [B]
        token = np.zeros((len(counts), 1, wide), dtype=np.int64)
        token[request, 0, offset] = np.arange(len(request))
        head = np.arange(heads)
        there = token * heads + head[:, None]  # [R, H, Q]
        back = (request[:, None] * heads + head) * wide + offset[:, None]  # [B, H]
        return cls(*(torch.from_numpy(places.ravel()).to(device) for places in (there, back)))


@dataclass(frozen=True, slots=True)
class Packed:
    """Tokens of R requests end to end, and where each belongs."""

    ids: torch.Tensor  # token ids                                        [1, B]
    positions: torch.Tensor  # absolute positions                         [1, B]
    row: torch.Tensor  # row of the store that each token gets            [B]
    slots: slice | torch.Tensor  # store slots of the requests            R of them
    requests: int  # R
    length: int  # L, longest context that any token may look at
    fold: Folding | None
    mask: torch.Tensor  # 0 where query q of request r may look, else −∞  [R, 1, G·Q, L]
    store: KVStore


def pack(tokens: np.ndarray, counts: np.ndarray, starts: np.ndarray, slots: np.ndarray, store: KVStore, groups: int) -> Packed:
    """Flatten the first counts[r] tokens of every row.

    tokens [R, Q'] ids; counts [R] how many of each row, at least 1; starts [R] position of each row's first token;
    slots [R] store slots; groups G = query heads per K/V head, folded into the query length.
    """
    device = store.keys.device
    wide = int(counts.max())
    steps = np.arange(wide)
    valid = steps < counts[:, None]  # [R, Q]
    row, offset = np.nonzero(valid)  # [B], [B]
    positions = starts[row] + offset  # [B]
    length = int((starts + counts).max())
    reach = torch.from_numpy(starts[:, None] + steps)  # [R, Q]  last key that the query may see
    seen = torch.arange(length) <= reach[:, :, None]  # [R, Q, L]
    # What is added to the scores, made once: from a mask of True and False every layer would make it anew.
    mask = torch.zeros(seen.shape, dtype=store.keys.dtype).masked_fill_(~seen, -torch.inf)  # [R, Q, L]
    mask = mask[:, None].expand(-1, groups, -1, -1).flatten(1, 2)[:, None]  # [R, 1, G·Q, L]
    first = np.array_equal(slots, np.arange(len(slots)))
    return Packed(
        ids=torch.from_numpy(tokens[:, :wide][valid]).to(device)[None],
        positions=torch.from_numpy(positions).to(device)[None],
        row=torch.from_numpy(slots[row] * store.room + positions).to(device),
        slots=slice(0, len(slots)) if first else torch.from_numpy(slots).to(device),
        requests=len(slots),
        length=length,
        fold=Folding.of(counts, groups * store.keys.shape[2], device),
        mask=mask.to(device),
        store=store,
    )
