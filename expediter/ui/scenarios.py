"""The worked cases of assets/cases.json as scenarios with a title and a one-sentence lesson, and what a road is made of."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from expediter.core.case import read_case
from expediter.core.plan import Plan
from expediter.core.policy import Policy
from expediter.core.replay import Replay, replay
from expediter.core.scheduler import schedule
from expediter.core.step_rate import StepRate
from expediter.core.survival import Confidence
from expediter.core.trace import StepTrace

CASES = Path(__file__).parents[2] / "assets" / "cases.json"
WAYS = ("early-stop", "global", "stale", "fixed:2", "threshold:0.5", "all", "off")


@dataclass(frozen=True, slots=True, eq=False)
class Road:
    """Guesses on a cost table: everything that a plan is made from, and the outcomes where they are known."""

    confidence: Confidence  # c_{r,k}, R rows, probabilities
    rate: StepRate
    temperature: float | None = None  # None: a worked case, which has none
    budget: int | None = None  # most admissions, for every way to decide
    older: Confidence | None = None  # an earlier step's confidences; None: cold start
    noise: float = 0.0  # standard error of the table's times, as a share; 0 for a table that is taken at its word
    trace: StepTrace | None = None  # the real step that the confidences come from

    @property
    def requests(self) -> int:
        """R."""
        return len(self.confidence)

    @property
    def fullest(self) -> int:
        """B when every guess is sent."""
        return self.requests + sum(map(len, self.confidence))

    @property
    def ways(self) -> tuple[str, ...]:
        """The policies to compare: a budget from earlier steps only where there are earlier steps or a run that starts cold."""
        return tuple(way for way in WAYS if way != "stale" or self.older is not None or self.trace is not None)

    @property
    def _certain(self) -> bool:
        """Whether the older chances are those of a cold start: every guess passes."""
        return self.older is not None and all(chance == 1 for row in self.older for chance in row)

    def plan(self, way: str) -> Plan:
        """What one policy does on this road."""
        policy = Policy.parse(way)
        older = self.older if policy.kind == "stale" and not self._certain else None
        return schedule(self.confidence, self.rate, policy, budget=self.budget, older=older)

    def outcome(self, plan: Plan) -> Replay | None:
        """What the recorded step would have brought under this plan; None for a worked case."""
        return replay(self.trace, plan.lengths.tolist()) if self.trace else None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A worked case as the page tells it."""

    name: str  # as in the address bar
    title: str
    lesson: str  # one or two sentences
    text: str  # the case as JSON

    def road(self, lookup: str | None = None, draft_seconds: float | None = None) -> Road:
        """The case's guesses on its own table."""
        case = read_case(self.text, lookup=lookup)
        rate = case.step_rate
        if draft_seconds is not None:
            rate = StepRate(rate.batch, rate.seconds, rate.lookup, draft_seconds)
        return Road(case.confidence, rate, budget=case.budget, older=case.older)


@cache
def scenarios() -> dict[str, Scenario]:
    """Every worked case by name, in the file's order. Read once a process."""
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    told = ("title", "lesson")
    return {
        case["name"]: Scenario(case["name"], case["title"], case["lesson"], json.dumps({k: v for k, v in case.items() if k not in told}))
        for case in cases
    }
