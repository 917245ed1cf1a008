"""One policy's words per second, block by block: as many steps as it takes to decode a given number of words."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

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
    """Steps of one policy in a row. Reading prompts and freezing the step for the screen are not part of its time."""

    steps: int
    tokens: int  # committed
    seconds: float
    batch: int  # tokens the target read, all steps together
    wasted: int  # drafts that it read and that did not pass
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
    """An engine under one policy, run in blocks of equal words: block b of every policy decodes the same part of the same requests."""

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
        self.ahead = 0  # tokens beyond the last block's end: a step brings several

    def block(self, tokens: int, lock: AbstractContextManager | None = None) -> Block:
        """Decode about `tokens` more; what one block overshoots the next one has less to do. The lock is taken for one step at a time."""
        lock, wanted, traces, seconds = lock or nullcontext(), max(tokens - self.ahead, 1), [], 0.0
        got = 0
        while got < wanted:
            with lock:
                trace = self.engine.step()
            traces.append(trace)
            seconds += self.ceiling.seconds(trace) if self.ceiling else trace.seconds.step
            got += trace.got
        self.ahead += got - tokens
        return _block(traces, got, seconds)


def _block(traces: list[StepTrace], got: int, seconds: float) -> Block:
    return Block(
        steps=len(traces),
        tokens=got,
        seconds=seconds,
        batch=sum(t.batch for t in traces),
        wasted=sum(r.sent - r.accepted for t in traces for r in t.requests),
        expected_tokens=sum(t.tau for t in traces),
        expected_seconds=sum(t.step_seconds[t.stop] for t in traces),
    )
