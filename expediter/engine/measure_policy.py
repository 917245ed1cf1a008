"""One policy's words per second, block by block: the time that it takes to decode a given number of words."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, replace

import numpy as np

from expediter.core.profile import Profile
from expediter.core.settings import Settings
from expediter.core.trace import StepTrace
from expediter.engine.clairvoyant import Awake, BestPlan, Oracle
from expediter.engine.loader import Pair
from expediter.engine.loop import Engine

CEILINGS = ("best-plan", "oracle")
WHOLE = "whole-depth"  # early-stop that drafts the whole depth at every step


@dataclass(frozen=True, slots=True)
class Block:
    """Steps of one policy in a row. Reading prompts and freezing the step for the screen are not part of its time.

    A block ends where its words end. Of the step that goes on beyond, it has the share that its words are of the step's.
    """

    steps: float
    tokens: float  # committed
    seconds: float
    batch: float  # tokens the target read, all steps together
    wasted: float  # drafts that it read and that did not pass
    expected_tokens: float  # Στ
    expected_seconds: float  # ΣT

    @property
    def tokens_per_s(self) -> float:
        """Realised Θ."""
        return self.tokens / self.seconds

    @property
    def error(self) -> float:
        """Predicted over realised Θ, minus 1."""
        return (1 + self.words_error) / (1 + self.seconds_error) - 1

    @property
    def words_error(self) -> float:
        """Predicted over realised words, minus 1."""
        return self.expected_tokens / self.tokens - 1

    @property
    def seconds_error(self) -> float:
        """Predicted over realised time, minus 1."""
        return self.expected_seconds / self.seconds - 1


class Subject:
    """An engine under one policy, run in turns of equal words: turn t of every policy decodes the same part of the same requests."""

    def __init__(self, pair: Pair, settings: Settings, profile: Profile):
        """settings.policy may also be one of CEILINGS, or WHOLE."""
        self.name, self.load, self.ceiling = settings.policy, settings.load, None
        if settings.policy in CEILINGS:
            self.ceiling = Oracle() if settings.policy == "oracle" else BestPlan(pair.scorer)
            pair, settings = replace(pair, scorer=self.ceiling), replace(settings, policy="global")
        whole = settings.policy == WHOLE
        self.engine = Engine(pair, replace(settings, policy="early-stop") if whole else settings, profile, own_depth=not whole)
        if self.ceiling:
            self.ceiling.engine, self.engine.pause = self.engine, Awake()
        self._done, self._last, self._told = (np.zeros(len(Block.__slots__)) for _ in range(3))  # sums over steps, in Block's order
        self._goal = 0  # tokens asked for so far

    def join(self, leader: Engine) -> None:
        """Go on where this engine stands: its requests, what its models know of them, what its policy has learned so far."""
        self.engine.follow(leader)
        if self.ceiling:
            self.engine.pause = Awake()

    def turn(self, tokens: int, lock: AbstractContextManager | None = None) -> None:
        """Decode about `tokens` more; what one turn overshoots the next one has less to do. The lock is taken for one step at a time."""
        self._goal += tokens
        while self._done[1] < self._goal:
            with lock or nullcontext():
                trace = self.engine.step()
            self._last = np.array(astuple(_block(trace, self.ceiling.seconds(trace) if self.ceiling else trace.seconds.step)))
            self._done += self._last

    def told(self) -> Block:
        """The turns since this was asked last."""
        over = (self._done[1] - self._goal) / self._last[1]  # share of the last step
        now = self._done - over * self._last
        block, self._told = Block(*(now - self._told).tolist()), now
        return block

    def block(self, tokens: int, lock: AbstractContextManager | None = None) -> Block:
        """A block of a single turn."""
        self.turn(tokens, lock)
        return self.told()


def _block(trace: StepTrace, seconds: float) -> Block:
    """A single step."""
    return Block(
        steps=1,
        tokens=trace.got,
        seconds=seconds,
        batch=trace.batch,
        wasted=sum(r.sent - r.accepted for r in trace.requests),
        expected_tokens=trace.tau,
        expected_seconds=trace.step_seconds[trace.stop],
    )
