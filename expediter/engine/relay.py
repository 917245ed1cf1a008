"""Several policies that take turns at one engine: block by block, on the same requests.

    relay = Relay(Engine(pair, settings, profile), lock)
    for _ in range(rounds):                         # interleaved: a busy moment spoils one round of all policies and no policy alone
        for policy in policies:
            stints[policy].append(relay.run(policy, steps))
    rate = words_per_second(stints[policy])

Their answers are equally old, which decides what attention costs, and one store serves them all. Fresh engines for each would favour
the policy that writes least.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from statistics import median

from expediter.core.depth import Depth
from expediter.core.pause import Pause
from expediter.core.trace import StepTrace
from expediter.engine.loop import Engine


@dataclass(frozen=True, slots=True)
class Stint:
    """What one policy did in its turn. Counts are over all its steps and requests."""

    load: int  # R
    steps: int
    words: int  # tokens committed
    sent: int  # drafts checked
    passed: int  # drafts that passed
    drafting: int  # steps in which anything was drafted
    seconds: float  # wall time of the steps, without reading fresh prompts
    table_seconds: float  # the step-rate table's time for the same steps


class Relay:
    """One engine and whose turn it is. Each policy keeps its own memory of whether, and how deep, drafting pays at this load."""

    def __init__(self, engine: Engine, lock: AbstractContextManager | None = None) -> None:
        """lock: taken for one step at a time, so that others at the same processor go on in between."""
        self.engine, self._lock = engine, lock or nullcontext()
        self._memories: dict[tuple[int, str], tuple[Pause, Depth]] = {}
        self._drafted = True  # in the last step

    def serve(self, load: int) -> None:
        """Serve so many requests from now on; those that go on are the first ones."""
        self.engine.change(replace(self.engine.settings, load=load))

    def run(self, policy: str, steps: int) -> Stint:
        """So many steps under this policy. A draft that has to catch up on steps without it does so in one more, which is not counted."""
        self.engine.change(replace(self.engine.settings, policy=policy))
        load = self.engine.settings.load
        self.engine.pause, self.engine.deep = self._memories.setdefault((load, policy), (self.engine.pause, self.engine.deep))
        if not self._drafted and policy != "off":
            self._step()
        words = sent = passed = drafting = 0
        seconds = table_seconds = 0.0
        for _ in range(steps):
            trace = self._step()
            words += trace.got
            sent += trace.batch - trace.load
            passed += sum(request.accepted for request in trace.requests)
            drafting += self._drafted
            seconds += trace.seconds.step
            table_seconds += trace.step_seconds[trace.stop]
        return Stint(load, steps, words, sent, passed, drafting, seconds, table_seconds)

    def _step(self) -> StepTrace:
        with self._lock:
            trace = self.engine.step()
        self._drafted = any(request.tokens for request in trace.requests)
        return trace


def total(stints: Sequence[Stint], count: str) -> float:
    """A count over several stints."""
    return sum(getattr(stint, count) for stint in stints)


def words_per_second(stints: Sequence[Stint]) -> float:
    """Tokens a step over all stints, by the median stint's time of a step: all the luck with words averaged, no noise of one moment."""
    return total(stints, "words") / total(stints, "steps") / median(stint.seconds / stint.steps for stint in stints)
