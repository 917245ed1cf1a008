"""A weight made ready for many small products, in the number format and the order that the machine multiplies fastest.

A draft's products have few rows, so most of each is fetching the matrix. On an x86 CPU oneDNN keeps it packed for that: a head of 4,096
words takes 8 rows in a third to a half of the time. Elsewhere it is kept transposed, input first, which saves a third.
"""

import platform
from collections.abc import Callable
from functools import partial

import torch
from torch.nn.functional import linear

from expediter.engine.device import Place, multiplies_short

LEAST = 100_000  # numbers of a matrix; for a smaller one, packing and changing formats cost more than they save
MOST = 500_000_000  # parameters of a model whose matrices are packed beside its own: packing takes their memory once more
PACKED = platform.machine().lower() in ("x86_64", "amd64") and torch.backends.mkldnn.is_available()


class Matrix:
    """Several [out, in] as one [in, Σ out]."""

    def __init__(self, *weights: torch.Tensor, dtype: torch.dtype | None = None, least: int | None = None):
        """dtype: number format of the products of a large one, None for the weights' own; least: numbers of a large one, None for LEAST."""
        whole = torch.cat(weights).detach().contiguous()  # [Σ out, in]
        large = whole.numel() >= (LEAST if least is None else least)
        whole = whole.to(dtype or whole.dtype) if large else whole
        self.dtype = whole.dtype
        self.packed = PACKED and large and whole.device.type == "cpu" and self.dtype in (torch.float32, torch.bfloat16)
        self.weight = torch.ops.mkldnn._reorder_linear_weight(whole) if self.packed else whole.t().contiguous()

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """x @ W in the matrix's own number format, which may be a shorter one than x has. [..., in] → [..., Σ out]"""
        x = x.to(self.dtype)
        if self.packed:
            return torch.ops.mkldnn._linear_pointwise.default(x, self.weight, None, "none", [], "")
        return x @ self.weight


Product = Callable[[torch.Tensor], torch.Tensor]  # [..., in] → [..., out]


def packs(place: Place, parameters: int) -> bool:
    """Whether a target of this size is read there through packed matrices: where not a bit of its numbers depends on that."""
    here = PACKED and place.device.type == "cpu" and multiplies_short("cpu")
    return here and place.dtype == torch.bfloat16 and parameters <= MOST


def product(weight: torch.Tensor, packed: bool) -> Product:
    """x @ weightᵀ, by a packed copy or by the weight itself. weight [out, in]"""
    return Matrix(weight, least=0) if packed else partial(linear, weight=weight.detach())
