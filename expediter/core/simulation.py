"""A fleet: recorded confidences and outcomes replayed on any step times, for crowds that no laptop could serve.

Each request walks along a recorded text, which has a block of guesses at every place: where a step leaves it, the next block begins. What a
block's guesses were worth, and how many agreed with the text, is real, and so is what a policy meets after stopping short; the times are
the table's; only the answers' lengths and the arrivals are made up. An answer that is longer than its text goes on in another one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Protocol

import numpy as np

from expediter.core.arrivals import Arrivals
from expediter.core.cut import cut
from expediter.core.depth import Depth
from expediter.core.fleet_clock import Clock
from expediter.core.pause import Pause
from expediter.core.policy import Policy
from expediter.core.survival import survival
from expediter.core.walk import Walk

PROMPT = 28  # tokens of a prompt; what is read before the answer begins
CONTEXTS = 8  # the longest request's tokens are rounded to a multiple of this, as the engine does: it is what attention pays for
OFF, CLOSED = Policy("off"), Arrivals()
PAYS = 1 - 1e-9  # drafting that brings as much as plain decoding goes on, whatever the rounding
MORE = 4096  # arrivals drawn at a time


@dataclass(frozen=True, slots=True)
class Fleet:
    """Who comes and for how long."""

    lanes: int  # requests served at once, at most
    arrivals: Arrivals = CLOSED
    answer: tuple[int, int] = (32, 128)  # shortest and longest answer, tokens, all lengths equally likely
    steps: int = 1000  # at most
    seconds: float = np.inf  # simulated time, at most
    seed: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class FleetRun:
    """What each of n steps did."""

    clock: np.ndarray  # simulated time at the end of the step, seconds   [n]
    seconds: np.ndarray  # how long it took                               [n]
    active: np.ndarray  # R, requests in it                               [n]
    waiting: np.ndarray  # requests that found no lane                    [n]
    sent: np.ndarray  # drafts that were checked                          [n]
    passed: np.ndarray  # drafts that passed                              [n]
    words: np.ndarray  # tokens committed                                 [n]
    drafting: np.ndarray  # whether anything was drafted                  [n] bool

    def after(self, steps: int) -> "FleetRun":
        """Without its first steps, in which a policy that looks back has nothing to look at."""
        return FleetRun(**{field.name: getattr(self, field.name)[steps:] for field in fields(self)})

    def until(self, seconds: float) -> "FleetRun":
        """Its steps up to the one that reaches this moment of simulated time."""
        steps = int(np.searchsorted(self.clock, seconds)) + 1
        return FleetRun(**{field.name: getattr(self, field.name)[:steps] for field in fields(self)})

    @property
    def words_per_second(self) -> float:
        """All tokens over all the time in which somebody was served."""
        return float(self.words.sum() / self.seconds.sum())

    @property
    def words_per_step(self) -> float:
        """Tokens per request and step."""
        return float(self.words.sum() / self.active.sum())

    @property
    def sent_per_request(self) -> float:
        """Drafts checked per request and step."""
        return float(self.sent.sum() / self.active.sum())

    @property
    def wasted(self) -> float:
        """Share of the checked drafts that did not pass; 0 when none was checked."""
        return float(1 - self.passed.sum() / self.sent.sum()) if self.sent.sum() else 0.0

    @property
    def felt(self) -> float:
        """Tokens per second that one request gets while it is served."""
        return float(self.words.sum() / (self.active * self.seconds).sum())


class Texts(Protocol):
    """Recorded texts with a block at each of their M places, as core.recorded_places has them."""

    confidence: np.ndarray  # c of the block there, conditional probabilities [M, γ]
    passed: np.ndarray  # its drafts that agree with the text             [M]
    text: np.ndarray  # which text the place belongs to, never falling    [M]


def simulate(texts: Texts, clock: Clock, policy: Policy, fleet: Fleet) -> FleetRun:
    """Serve the fleet with one policy.

    Two runs with the same fleet see the same arrivals and the same lengths of answers.
    Raises ValueError when there is no text, lane or step.
    """
    if not len(texts.text) or fleet.lanes < 1 or fleet.steps < 1:
        raise ValueError("a fleet needs at least one recorded text, one lane and one step")
    steps = list(_steps(survival(texts.confidence), texts.passed, Walk(texts.text, fleet.seed), clock, policy, fleet))
    return FleetRun(*(np.array(column) for column in zip(*steps, strict=True)))


def _steps(chance: np.ndarray, passed: np.ndarray, walk: Walk, clock: Clock, policy: Policy, fleet: Fleet) -> Iterator[tuple]:
    """One tuple a step, in the order of FleetRun's fields."""
    rate_of = lru_cache(maxsize=4096)(clock.step_rate)
    drafts, queue = chance.shape[1], Queue(fleet)
    chooses = policy.kind == "early-stop"
    memories: dict[int, tuple[Pause, Depth]] = {}  # one for each size of crowd, by powers of two: what pays for four need not for forty
    wanted = np.empty(0, dtype=np.int64)  # tokens with which each active request's answer is done [R]
    got = np.empty(0, dtype=np.int64)  # of them committed [R]
    place = np.empty(0, dtype=np.int64)  # where in the texts each request stands [R]
    now, earlier = 0.0, None
    for step in range(fleet.steps):
        if not len(wanted):
            now = max(now, queue.next)
        wanted = np.concatenate([wanted, queue.admit(now, fleet.lanes - len(wanted))])
        fresh = len(wanted) - len(got)
        place = np.concatenate([place, walk.begin(fresh)])
        got = np.pad(got, (0, fresh))
        if fleet.arrivals.kind == "closed" and not step:  # met in the middle of its day: answers of every age
            place, got = walk.anywhere(fresh), np.random.default_rng((fleet.seed, 2)).integers(wanted)
        if now >= fleet.seconds:
            return
        requests = len(wanted)
        context = CONTEXTS * round((PROMPT + int(got.max())) / CONTEXTS)
        pause, deep = memories.setdefault(requests.bit_length(), (Pause(requests), Depth(requests)))
        off = requests / rate_of(requests, context, 0).without_drafts(requests)  # tokens/s of a step that rests
        asked = policy.depth(drafts)
        depth = 0 if policy.watches_theta and pause.rests(PAYS) else deep.next(asked) if chooses else asked
        plan = cut(chance[place, :depth], rate_of(requests, context, depth), policy if depth else OFF, earlier=earlier)
        if chooses and depth == asked and deep.due(step):
            smaller = [cut(chance[place, :d], rate_of(requests, context, d), policy) for d in range(1, asked)]
            if deep.judge([p.tau for p in (*smaller, plan)], [p.seconds for p in (*smaller, plan)]):
                pause.forget()
        accepted = np.minimum(plan.lengths, passed[place])  # [R]
        words = accepted + 1  # [R]  all of them count, as in the engine: an answer is done when it is at least as long as wanted
        if depth:
            earlier = plan.gains
            if not chooses or depth == deep.usual(asked):  # a look at the whole depth is no usual step
                pause.drafted(plan.tau, plan.seconds * off)  # in tokens of plain decoding, so that crowds of different size compare
        now += plan.seconds
        got = got + words
        goes_on = got < wanted
        wanted, got, place = wanted[goes_on], got[goes_on], walk.on(place[goes_on], words[goes_on])
        yield now, plan.seconds, requests, queue.waiting(now), plan.lengths.sum(), accepted.sum(), words.sum(), depth > 0


class Queue:
    """Requests in the order of their arrival."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._rng = np.random.default_rng((fleet.seed, 1))  # its own, so that every policy meets the same crowd
        self._offset, self._served = 0.0, 0
        self._times, self._lengths = np.empty(0), np.empty(0, dtype=np.int64)
        self._draw()

    @property
    def next(self) -> float:
        """When the first request comes that is not served yet, seconds."""
        if self._served == len(self._times):
            self._draw()
        return float(self._times[self._served])

    def admit(self, now: float, room: int) -> np.ndarray:
        """The answers' lengths of those who have come and find room. [≤ room]"""
        while self._times[-1] <= now and len(self._times) - self._served <= room:
            self._draw()
        first = self._served
        self._served += min(room, int(np.searchsorted(self._times, now, side="right")) - first)
        return self._lengths[first : self._served]

    def waiting(self, now: float) -> int:
        """How many have come and are not served; nobody when a request comes only where another has ended."""
        if self._fleet.arrivals.kind == "closed":
            return 0
        while self._times[-1] <= now:
            self._draw()
        return int(np.searchsorted(self._times, now, side="right")) - self._served

    def _draw(self) -> None:
        """More arrivals, with the lengths of their answers."""
        expected = self._offset + np.cumsum(self._rng.exponential(size=MORE))
        self._offset = float(expected[-1])
        shortest, longest = self._fleet.answer
        self._times = np.concatenate([self._times, self._fleet.arrivals.at(expected)])
        self._lengths = np.concatenate([self._lengths, self._rng.integers(shortest, longest, MORE, endpoint=True)])
