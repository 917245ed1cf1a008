"""How much memory a pair will take, told before it is loaded, and how much there is."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import torch

from expediter.core.settings import MAX_DEPTH, widest
from expediter.engine.device import Place
from expediter.engine.matrix import packs
from expediter.engine.model_shape import POSITIONS, Shape

COPIES = 3  # float32 tables over the vocabulary alive at once in acceptance: chances, the part that is left, their running sum
DRAFTED = 2  # the draft's: logits and chances
LEAST = 256 * 2**20  # bytes that everything else takes


@dataclass(frozen=True, slots=True)
class Need:
    """Bytes, by what they are for."""

    weights: int
    store: int  # keys and values of the most requests
    chances: int  # one step's tables over the vocabulary
    requests: int  # how many these are

    @property
    def total(self) -> int:
        """All of it."""
        return self.weights + self.store + self.chances + LEAST

    def __str__(self) -> str:
        parts = f"weights {_gb(self.weights)}, {self.requests} requests' texts {_gb(self.store)}, one step's chances {_gb(self.chances)}"
        return f"about {_gb(self.total)} ({parts})"


def need(target: tuple[Shape, int], draft: tuple[Shape, int], place: Place) -> Need:
    """target, draft: shape and number of parameters. Those that are copied to be read faster count twice: a draft's, a small target's."""
    size, requests = place.dtype.itemsize, widest(place.device.type)
    kept = sum(2 * s.layers * s.kv_heads * s.width for s, _ in (target, draft)) * size  # bytes of one token
    table = requests * (1 + MAX_DEPTH) * target[0].vocabulary
    return Need(
        weights=((1 + packs(place, target[1])) * target[1] + 2 * draft[1]) * size,
        store=requests * POSITIONS * kept,
        chances=table * (size + 4 * (COPIES + DRAFTED)),
        requests=requests,
    )


def free(place: Place) -> int | None:
    """Bytes that are free where the models will be; None where nobody can tell."""
    if place.device.type == "cuda":
        return torch.cuda.mem_get_info(place.device)[0]
    try:
        return 1024 * int(re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)[1])
    except (OSError, TypeError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def check(needed: Need, place: Place) -> None:
    """Raises ValueError with the numbers when it will not fit."""
    have = free(place)
    if have is not None and needed.total > have:
        where = "on the GPU" if place.device.type == "cuda" else "here"
        raise ValueError(f"The pair needs {needed}, and {_gb(have)} are free {where}: close other programs or pick smaller models.")


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
