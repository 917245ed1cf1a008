"""From a reader's session to a road: one real step's chances and outcomes on a chosen table, and budgets of every age for it."""

from collections.abc import Sequence
from dataclasses import replace

from expediter.core.clock import HERE, OWN
from expediter.core.plan import Plan
from expediter.core.policy import Policy
from expediter.core.profile import MEASURED_HERE, Profile
from expediter.core.step_rate import StepRate
from expediter.core.tables import TABLES, CostTable
from expediter.core.trace import StepTrace
from expediter.ui.scenarios import Road
from expediter.ui.session import Session

CONTEXT = 64  # tokens a request has read, about the middle of a run
OLDEST = 4  # steps; engines use one or two


def steps(session: Session) -> tuple[StepTrace, ...]:
    """The steps of the session's run in which something was guessed, oldest first."""
    history = session.history
    return tuple(trace for trace in history.traces if trace.order) if history else ()


def road_of(traces: Sequence[StepTrace], at: int, rate: StepRate, lag: int, noise: float = 0.0) -> Road:
    """Step `at` on a table, with the chances of the step `lag` earlier as the older ones; none where there is no such step."""
    trace = traces[at]
    older = confidences(traces[at - lag]) if lag <= at else None
    return Road(confidences(trace), rate, temperature=trace.temperature, older=older, noise=noise, trace=trace)


def confidences(trace: StepTrace) -> list[tuple[float, ...]]:
    """c_{r,k} of a step, R rows."""
    return [request.confidence for request in trace.requests]


def rate_on(table: CostTable | Profile, trace: StepTrace, lookup: str | None = None, draft_seconds: float | None = None) -> StepRate:
    """A table as this step would read it; `lookup` and `draft_seconds` replace what a simulated one says itself."""
    if isinstance(table, Profile):
        return table.at(trace.temperature).step_rate(trace.load, CONTEXT, trace.depth)
    return table.step_rate(trace.load, lookup=lookup, draft_seconds=draft_seconds)


def budgets(road: Road, traces: Sequence[StepTrace], at: int) -> dict[str, Plan]:
    """What a budget of each age makes of the road, by age; "cold" is the start without an older step."""
    ages = {str(age): confidences(traces[at - age]) for age in range(min(at, OLDEST) + 1)}
    return {age: replace(road, older=older).plan(str(Policy("stale"))) for age, older in {**ages, "cold": None}.items()}


def tables(profile: Profile | None, own: CostTable | None) -> dict[str, CostTable | Profile]:
    """Every road there is by name, this machine's first."""
    here = {HERE: profile} if profile else {}
    return {**here, **TABLES, **({OWN: own} if own else {})}


def label(name: str, table: CostTable | Profile, text: dict) -> str:
    """A road's name for people: whose clock it is."""
    if isinstance(table, Profile):
        return text["here" if table.source == MEASURED_HERE else "here_recorded"]
    return f"{table.title} (simulated)"
