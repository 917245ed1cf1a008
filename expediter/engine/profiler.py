"""Measure this machine: how long a whole step takes at every load, batch and context, through the very code that serves.

Repeats are interleaved over all sizes, so that a burst of noise spoils a few repeats of many points and no point alone; medians
and spread are kept. One size at a time takes the lock, so a reader's own steps go on in between.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from time import perf_counter

import numpy as np
import torch

from expediter.core.profile import Profile
from expediter.core.scheduler import schedule
from expediter.core.settings import TEMPERATURE, widest
from expediter.core.step_rate import StepRate
from expediter.core.survival import rank
from expediter.engine.acceptance import judge
from expediter.engine.device import Place
from expediter.engine.drafter import Draft
from expediter.engine.loader import Pair
from expediter.engine.requests import Requests

LOADS = (1, 2, 4, 8, 16, 32, 64)
MORE_LOADS = (128, 256)  # where the device takes them
CONTEXTS = (32, 144)  # tokens before the anchor
SIZES = 16  # batch sizes a load
DEEPEST = 8
REPEATS = 5
BUDGET = 40.0  # seconds


def loads_for(place: Place) -> tuple[int, ...]:
    """The loads worth measuring here."""
    most = widest(place.device.type)
    return LOADS + tuple(load for load in MORE_LOADS if load <= most)


def batch_sizes(load: int) -> list[int]:
    """At least 16 sizes from "nothing sent" to every draft of the deepest block sent (for few requests, a little beyond)."""
    top = max(load * (1 + DEEPEST), load + SIZES - 1)
    return sorted({round(b) for b in np.linspace(load, top, SIZES)})


class Bench:
    """R made-up requests at one context: only shapes matter to the clock."""

    def __init__(self, pair: Pair, load: int, context: int, rng: np.random.Generator):
        self.pair, self.load, self.place = pair, load, pair.target.place
        vocabulary = pair.target.model.config.vocab_size
        self.requests = Requests(load)
        for slot in range(load):
            self.requests.start(slot, slot, rng.integers(0, vocabulary, context).tolist(), self.requests.room, "", "")
        self.store = pair.target.store(load, self.requests.tokens.shape[1])
        self.drafter = pair.drafter(load, self.store)
        self.tokens = rng.integers(0, vocabulary, (load, 1 + max(DEEPEST, SIZES)))
        self.confidence = rng.uniform(0.3, 0.9, (load, DEEPEST))
        self.order = rank(self.confidence).request  # [N]  whose draft is admitted next
        self.rate = StepRate(np.array([load, load * 10]), np.array([0.01, 0.1]))

    def seconds(self, work: Callable[[], object]) -> float:
        """Wall time of this work, device included."""
        self.place.synchronize()
        begun = perf_counter()
        work()
        self.place.synchronize()
        return perf_counter() - begun

    def verify(self, batch: int) -> None:
        """One forward of exactly `batch` tokens and its verdict."""
        lengths = self.lengths(batch)  # [R]
        logits = self.pair.target.read(self.store, self.tokens, 1 + lengths, self.requests.length - 1, np.arange(self.load))
        draft = Draft(self.tokens[:, 1:], None, torch.empty(0), torch.empty(0))
        judge(draft, lengths, logits, 0.0, 0, self.requests.number, self.requests.length)

    def lengths(self, batch: int) -> np.ndarray:
        """Drafts of each request in a batch of this size, as uneven as a scheduler leaves them: attention pays for the longest. → [R]"""
        drafts = batch - self.load
        if drafts <= len(self.order):
            return np.bincount(self.order[:drafts], minlength=self.load)
        share, more = divmod(drafts, self.load)
        return share + (np.arange(self.load) < more)

    def draft(self, depth: int) -> None:
        """Guess and score a block a request, with sampling, after as many new words as a step usually brings."""
        self.drafter.known[: self.load] = self.requests.length[: self.load] - self.drafter.lag
        self.pair.scorer.score(self.drafter.propose(self.requests, self.load, depth, TEMPERATURE, 0), TEMPERATURE)

    def rest(self) -> None:
        """Decide and commit."""
        schedule(self.confidence, self.rate)
        for slot in range(self.load):
            self.requests.commit(slot, [3], frozenset())
        self.requests.length -= 1


def measure(
    pair: Pair,
    on_progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
    loads: tuple[int, ...] | None = None,
    budget: float = BUDGET,
) -> Profile:
    """The pair's whole-step cost here, over load, batch and context.

    on_progress gets a share 0..1; lock is taken for one size at a time; every size is timed once, and again until `budget`
    seconds are over.
    """
    lock, loads = lock or nullcontext(), loads or loads_for(pair.target.place)
    rng = np.random.default_rng(0)
    deepest = min(DEEPEST, pair.drafter(1).max_depth)
    verify = {(r, c): {b: [] for b in batch_sizes(r)} for r in loads for c in CONTEXTS}
    draft = {(r, d): [] for r in loads for d in sorted({1, (1 + deepest) // 2, deepest})}
    rest = {r: [] for r in loads}
    jobs = [(r, c, "verify", b) for r, c in verify for b in verify[r, c]]
    jobs += [(r, CONTEXTS[-1], "draft", d) for r, d in draft] + [(r, CONTEXTS[-1], "rest", 0) for r in rest]
    begun, rounds = perf_counter(), 0
    while rounds < REPEATS:
        # Load by load, each with its sizes shuffled: one bench's stores are alive at a time.
        bench, made = None, None
        order = sorted(jobs, key=lambda job: (job[0], job[1], rng.random()))
        for done, (load, context, kind, size) in enumerate(order):
            if rounds and perf_counter() - begun > budget:
                break
            with lock:
                if made != (load, context):
                    bench, made = Bench(pair, load, context, rng), (load, context)
                    bench.draft(1)
                if kind == "verify":
                    verify[load, context][size].append(bench.seconds(lambda b=bench, n=size: b.verify(n)))
                elif kind == "draft":
                    draft[load, size].append(bench.seconds(lambda b=bench, n=size: b.draft(n)))
                else:
                    rest[load].append(bench.seconds(bench.rest))
            on_progress((rounds + (done + 1) / len(order)) / REPEATS)
        rounds += 1
        if perf_counter() - begun > budget:
            break
    on_progress(1.0)
    place = pair.target.place
    return Profile.from_samples(
        pair=pair.name,
        device=place.device.type,
        dtype=place.name,
        threads=torch.get_num_threads(),
        source="measured here",
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
        verify=verify,
        draft=draft,
        rest=rest,
    )
