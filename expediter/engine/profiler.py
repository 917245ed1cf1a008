"""Measure this machine: how long a whole step takes at every load, batch and context, through the very code that serves.

Repeats are interleaved over all sizes, so that a burst of noise spoils a few repeats of many points and no point alone; medians
and spread are kept. One size at a time takes the lock, so a reader's own steps go on in between.

Steps at temperature 0 and above it are told apart: above it, chances are worked out for every word that the target reads, and words are
drawn. The target's forward is the same for both, so one forward serves two timings.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate, chain
from time import perf_counter

import numpy as np
import torch

from expediter.core import uneven
from expediter.core.depth import by_depth
from expediter.core.profile import MEASURED_HERE, Profile
from expediter.core.scheduler import schedule
from expediter.core.settings import TEMPERATURE, widest
from expediter.core.step_rate import StepRate
from expediter.engine.acceptance import judge
from expediter.engine.device import Place
from expediter.engine.drafter import Draft
from expediter.engine.loader import Pair
from expediter.engine.requests import Requests

LOADS = (1, 2, 4, 8, 16, 32, 64)
MORE_LOADS = (128, 256)  # where the device takes them
CONTEXTS = (32, 144)  # tokens before the anchor
SIZES = 16  # batch sizes a load
COARSE = 5  # every so many sizes are timed first, both ends among them
DEEPEST = uneven.DEEPEST
DEPTH = 5  # whose smaller ones are weighed in the rest of a step
PADDED = (2, 3)  # drafts a request where uneven batches are compared with even ones
REPEATS = 5
BUDGET = 40.0  # seconds
KINDS = (0.0, TEMPERATURE)  # of sampling: none, and some


def loads_for(place: Place) -> tuple[int, ...]:
    """The loads worth measuring here."""
    most = widest(place.device.type)
    return LOADS + tuple(load for load in MORE_LOADS if load <= most)


def batch_sizes(load: int) -> list[int]:
    """At least 16 sizes from "nothing sent" to every draft of the deepest block sent (for few requests, a little beyond)."""
    top = max(load * (1 + DEEPEST), load + SIZES - 1)
    return sorted({round(b) for b in np.linspace(load, top, SIZES)})


class Bench:
    """R made-up requests that all hold the same number of tokens: only shapes matter to the clock."""

    def __init__(self, pair: Pair, load: int, context: int, rng: np.random.Generator):
        self.pair, self.load, self.place = pair, load, pair.target.place
        vocabulary = pair.target.model.config.vocab_size
        self.requests = Requests(load)
        for slot in range(load):
            self.requests.start(slot, slot, rng.integers(0, vocabulary, context).tolist(), self.requests.room, "", "")
        self.store = pair.target.store(load, self.requests.tokens.shape[1])
        self.drafter = pair.drafter(load, self.store)
        self.tokens = rng.integers(0, vocabulary, (load, 1 + max(DEEPEST, SIZES)))
        self.crowd = int(rng.integers(uneven.CROWDS))  # whose chances these requests have
        self.confidence = uneven.crowds(load)[self.crowd][:, :DEPTH]
        self.rate = StepRate(np.array([load, load * 10]), np.array([0.01, 0.1]))
        self.draft(1)  # reads the whole text, which no later one has to
        self.guesses = {kind: self.draft(DEEPEST, kind) for kind in KINDS}
        self.verify(load)  # nothing that is timed is the first of its kind

    def hold(self, context: int) -> None:
        """So many tokens from now on, no more than at first."""
        self.requests.length[:] = context

    def seconds(self, work: Callable[[], object]) -> float:
        """Wall time of this work, device included."""
        self.place.synchronize()
        begun = perf_counter()
        work()
        self.place.synchronize()
        return perf_counter() - begun

    def verify(self, batch: int, kinds: tuple[float, ...] = KINDS[:1]) -> list[float]:
        """One forward of exactly `batch` tokens, and its verdict at each of these temperatures. → seconds of the whole, for each"""
        lengths = self.lengths(batch)  # [R]
        forward = self.seconds(partial(self.read, lengths))
        return [forward + self.seconds(partial(self.judge, lengths, kind)) for kind in kinds]

    def read(self, lengths: np.ndarray) -> None:
        """The target reads every anchor and so many guesses of each request. lengths [R]"""
        self.logits = self.pair.target.read(self.store, self.tokens, 1 + lengths, self.requests.length - 1, np.arange(self.load))  # [B, V]

    def judge(self, lengths: np.ndarray, temperature: float) -> None:
        """What passes of guesses that were drawn at this temperature, and were read. lengths [R], cut to the guesses that there are"""
        draft = self.guesses[temperature]
        lengths = np.minimum(lengths, draft.tokens.shape[1])
        judge(draft, lengths, self.logits, temperature, 0, self.requests.number, self.requests.length)

    def lengths(self, batch: int) -> np.ndarray:
        """Drafts of each request in a batch of this size, as uneven as a scheduler leaves them: attention pays for the longest. → [R]"""
        return uneven.lengths(self.load, batch - self.load, self.crowd)

    def padding(self, each: int) -> float:
        """Seconds of every word more that the longest request has: `each` drafts of all, or all but evenly spread. Two requests or more"""
        near = np.full(self.load, each)
        near[:2] += (1, -1)  # quite even batches skip a copy, which no scheduler's batch does
        far = np.full(self.load, each)
        far[0] = min(DEEPEST, each * self.load)
        spread, more = divmod(each * self.load - far[0], self.load - 1)
        far[1:] = spread + (np.arange(self.load - 1) < more)
        times = [self.seconds(partial(self.read, lengths)) for lengths in (near, far)]
        return (times[1] - times[0]) / (far.max() - near.max())

    def draft(self, depth: int, temperature: float = TEMPERATURE) -> Draft:
        """Guess and score a block a request, after as many new words as a step usually brings."""
        self.drafter.known[: self.load] = self.requests.length[: self.load] - self.drafter.lag
        draft = self.drafter.propose(self.requests, self.load, depth, temperature, 0)
        self.pair.scorer.score(draft, temperature)
        return draft

    def rest(self) -> None:
        """Decide, weigh smaller depths, and commit."""
        by_depth(schedule(self.confidence, self.rate), [self.rate] * DEPTH)
        for slot in range(self.load):
            self.requests.commit(slot, [3], frozenset())
        self.requests.length -= 1


@dataclass(frozen=True, slots=True)
class Job:
    """Something to time once."""

    load: int  # R
    context: int
    what: str  # verify, padding, draft or rest
    size: int = 0  # B to verify, ℓ of all for padding, γ to draft


class Samples:
    """Seconds of everything that was timed, by kind of sampling where that matters."""

    def __init__(self) -> None:
        self.verify = {kind: defaultdict(lambda: defaultdict(list)) for kind in KINDS}  # [kind][R, context][B]
        self.draft = {kind: defaultdict(list) for kind in KINDS}  # [kind][R, γ, context]
        self.padding: dict[tuple[int, int], list[float]] = defaultdict(list)  # [R, context]
        self.rest: dict[int, list[float]] = defaultdict(list)  # [R]

    def add(self, bench: Bench, job: Job) -> None:
        """Do it."""
        bench.hold(job.context)
        if job.what == "rest":
            self.rest[job.load].append(bench.seconds(bench.rest))
        elif job.what == "padding":
            self.padding[job.load, job.context].append(bench.padding(job.size))
        elif job.what == "draft":
            for kind in KINDS:
                self.draft[kind][job.load, job.size, job.context].append(bench.seconds(partial(bench.draft, job.size, kind)))
        else:
            for kind, seconds in zip(KINDS, bench.verify(job.size, KINDS), strict=True):
                self.verify[kind][job.load, job.context][job.size].append(seconds)

    def profile(self, pair: Pair) -> Profile:
        """What they come to."""
        place = pair.target.place
        return Profile.from_samples(
            pair=pair.name,
            device=place.device.type,
            dtype=place.name,
            threads=torch.get_num_threads(),
            source=MEASURED_HERE,
            measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
            verify=self.verify[KINDS[0]],
            draft=self.draft[KINDS[0]],
            rest=self.rest,
            padding=self.padding,
            sampled_verify=self.verify[KINDS[1]],
            sampled_draft=self.draft[KINDS[1]],
        )


def measure(
    pair: Pair,
    on_progress: Callable[[float], None] = lambda share: None,
    lock: AbstractContextManager | None = None,
    loads: tuple[int, ...] | None = None,
    budget: float = BUDGET,
    repeats: int = REPEATS,
) -> Profile:
    """The pair's whole-step cost here, over load, batch and context.

    on_progress gets a share 0..1; lock is taken for one size at a time. Every size is timed so often, or until `budget` seconds are over.
    On a machine that is too slow for that, sizes are left out, then loads, but for a few sizes of the smallest and the largest load.
    """
    lock, loads = lock or nullcontext(), loads or loads_for(pair.target.place)
    rng, samples = np.random.default_rng(0), Samples()
    bench = None
    begun = perf_counter()
    turns = list(_turns(loads, min(DEEPEST, pair.drafter(1).max_depth), repeats, rng))
    *begins, whole = accumulate(map(len, turns))
    begins = begins[: len(loads)]  # when the first, second, … load has its few sizes
    told = 0.0
    for done, job in enumerate(chain.from_iterable(turns)):
        spent = (perf_counter() - begun) / budget
        if spent >= 1 and (done in begins[1:] or done >= begins[-1]):
            break
        with lock:
            if bench is None or bench.load != job.load:
                bench = None  # one bench's stores are alive at a time
                bench = Bench(pair, job.load, CONTEXTS[-1], rng)
            samples.add(bench, job)
        told = max(told, _share(done + 1, spent, begins, whole))
        on_progress(told)
    on_progress(1.0)
    return samples.profile(pair)


def _share(done: int, spent: float, begins: list[int], whole: int) -> float:
    """How far a measurement is, 0..1. It ends when all is timed, or when the time is `spent` and the next of `begins` is reached."""
    end = next((begin for begin in begins[1:] or begins if begin >= done), done)
    return max(done / whole, min(spent, done / end))


def _turns(loads: tuple[int, ...], deepest: int, repeats: int, rng: np.random.Generator) -> Iterator[list[Job]]:
    """What to time, in the order of its worth: a few sizes of every load, the smallest and the largest first; all other sizes; repeats."""
    few, rest = {}, []
    for load in sorted(loads, key=lambda load: (load not in (min(loads), max(loads)), load)):
        few[load] = [Job(load, CONTEXTS[-1], "rest")]
        for context in CONTEXTS:
            few[load] += [Job(load, context, "draft", depth) for depth in sorted({1, (1 + deepest) // 2, deepest})]
            sizes = [Job(load, context, "verify", size) for size in batch_sizes(load)]
            few[load] += sizes[::COARSE]
            rest += [size for size in sizes if size not in few[load]]
            rest += [Job(load, context, "padding", each) for each in PADDED if load > 1]
    yield from few.values()
    yield _shuffled(rest, rng)
    for _ in range(repeats - 1):
        yield _shuffled([*(job for jobs in few.values() for job in jobs), *rest], rng)


def _shuffled(jobs: list[Job], rng: np.random.Generator) -> list[Job]:
    """Load by load, each with its sizes and contexts shuffled."""
    return sorted(jobs, key=lambda job: (job.load, rng.random()))
