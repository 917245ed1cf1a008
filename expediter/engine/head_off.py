"""What a drafter would guess without its Markov head, beside what it does guess: same requests, same random numbers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

import numpy as np

from expediter.core.block import Block, BlockSet, block_set, blocks_of
from expediter.core.pairs import PairInfo
from expediter.core.settings import Settings
from expediter.core.trace import StepTrace
from expediter.core.weights import fingerprint
from expediter.engine.drafter import Draft, Drafter
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine
from expediter.engine.profile_store import stored
from expediter.engine.requests import Requests


class Twin:
    """A drafter with its headless twin. The loop sees only the first; the twin's latest words wait in `plain`."""

    def __init__(self, drafter: Drafter, headless: Drafter):
        self.drafter, self.headless = drafter, headless
        self.max_depth = drafter.max_depth
        self.plain: Draft | None = None  # of the latest block

    def read(self, requests: Requests, slots: np.ndarray) -> None:
        """Both read fresh prompts."""
        self.headless.read(requests, slots)
        self.drafter.read(requests, slots)

    def propose(self, requests: Requests, load: int, depth: int, temperature: float, seed: int) -> Draft:
        """Both guess; the first one's draft is the answer."""
        self.plain = self.headless.propose(requests, load, depth, temperature, seed)
        return self.drafter.propose(requests, load, depth, temperature, seed)


def steps(engine: Engine) -> Iterator[tuple[StepTrace, list[Block]]]:
    """Step a fresh engine without end: each step with the blocks that it drafted, with and without the Markov head."""
    pair = engine.pair
    twin = None
    if pair.plain is not None:
        twin = engine.drafter = Twin(engine.drafter, pair.plain(engine.settings.load, engine.store))
    while True:
        trace = engine.step()
        plain = None if twin is None or twin.plain is None else [tuple(pair.pieces[t] for t in row) for row in twin.plain.tokens.tolist()]
        yield trace, blocks_of(trace, plain)


def recorded(pair: Pair, info: PairInfo, settings: Settings, skip: int, keep: int) -> BlockSet:
    """One block a workload from `keep` steps behind `skip` others, and where they come from. Raises ValueError when none was drafted."""
    ran = list(islice(steps(Engine(pair, settings, stored(pair))), skip, skip + keep))
    drawn = [block for _, blocks in ran for block in blocks]
    if not drawn:
        raise ValueError(f"{pair.name} drafted nothing in these steps, because drafting did not pay: try a lower load.")
    when = datetime.now(UTC).date().isoformat()
    about = f"Recorded on {when} with {pair.target.place}, weights {fingerprint(info)}."
    return block_set(ran[-1][0], drawn, about, telling=True)
