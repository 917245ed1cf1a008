"""A pair's recordings for the page that takes the three machines apart, from dice: blocks in full, and counted ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from expediter.core.block import BlockSet, block_set, blocks_of, save
from expediter.core.recorded_blocks import Origin, RecordedBlocks, Recording, save_blocks
from expediter.core.settings import Settings
from tests.fakes import recording

ABOUT = "Recorded on 2026-01-01 with dice, weights 0123456789ab."


def dice_set(temperature: float = 0.8, head: bool = False, about: str = ABOUT) -> BlockSet:
    """Four blocks of five words, one a workload; with a head, each has another last word without it."""
    trace = recording(Settings(load=8, depth=5, temperature=temperature), steps=1)[0]
    plain = [(*request.drafts[:-1], "else") for request in trace.requests] if head else None
    return block_set(trace, blocks_of(trace, plain), about, telling=bool(about))


def counted(pair: str) -> Recording:
    """Ten blocks of three words at temperatures 0 and 0.8: 10, 6 and 4 came to each position; 6, 4 and 1 passed it."""
    passed = np.array([0] * 4 + [1] * 2 + [2] * 3 + [3])
    chances = np.full((10, 3), 0.5)
    blocks = RecordedBlocks(0.0, chances, chances, chances, chances, passed, np.zeros(10, dtype=np.int64))
    origin = Origin(pair, "0123456789ab", "dice", 1, "2026-01-01T00:00:00+00:00", 10, ("stories",))
    return Recording(origin, (blocks, replace(blocks, temperature=0.8)))


def write(folder: Path, pair: str, head: bool = False) -> None:
    """Both recordings of a pair, as PAIR.json and PAIR.npz."""
    save(folder / f"{pair}.json", [dice_set(0.0, head), dice_set(0.8, head)])
    save_blocks(folder / f"{pair}.npz", counted(pair))
