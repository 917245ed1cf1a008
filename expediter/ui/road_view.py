"""What Bumpy roads shows: the controls above it, and everything that follows from them as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from expediter.core.clock import HERE, OWN, SIMULATED
from expediter.core.curve import Curve
from expediter.core.plan import Plan
from expediter.core.profile import Profile
from expediter.core.step_rate import LOOKUPS, StepRate
from expediter.core.tables import CostTable
from expediter.core.trace import StepTrace
from expediter.ui import real_roads, road_choice
from expediter.ui.captions import count
from expediter.ui.measured import measured
from expediter.ui.reader import title
from expediter.ui.road_choice import choose, number
from expediter.ui.road_words import points_sentences
from expediter.ui.scenarios import Road, scenarios
from expediter.ui.session import Session

INSTEAD = "instead"  # the road that stands in for one that the address asked for and that is not here


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A road and what is told beside it."""

    road: Road
    clock: str  # label: whose clock the numbers are on
    lesson: str  # what to learn from a worked case; empty for a real step
    sources: tuple[str, ...]  # sentences under the road: where its numbers come from
    remark: str = ""  # what differs from what the address asked for
    hardware: str = ""  # what the dock's settings call this road; empty where it has no name there
    lag: int | None = None  # age of the budget, steps; None for a worked case
    raw: Curve | None = None  # a measured machine's points, T_rest included
    fit: StepRate | None = None  # and the curve through them
    budgets: dict[str, Plan] | None = None  # by age; None for a worked case

    @property
    def on_fit(self) -> bool:
        """Whether the road itself is the measured machine."""
        return self.road.rate is self.fit


def look(session: Session, text: dict) -> View | None:
    """Draw the controls. None when the chosen pair has no real step to show."""
    traces, cases = real_roads.steps(session), scenarios()
    recorded = text["recorded"].format(pair=title(session.settings.pair))
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        case = choose(
            "case",
            text["scenario"],
            ["", *cases],
            "",
            lambda name: cases[name].title if name else recorded,
            note=text["scenario_help"],
            width=330,
        )
        view = _worked(case, text) if case else _real(session, traces, text) if traces else None
    shown = ["case"] if case or not view else ["case", "road", "step", "lag"]
    road_choice.write(shown if view is None or view.on_fit else [*shown, "lookup", "draft"])
    return view


def _worked(name: str, text: dict) -> View:
    scenario = scenarios()[name]
    road = scenario.road(*_reading(text))
    note = text["case_note"].format(requests=count(road.requests, "request"))
    return View(road, text["clock_case"], scenario.lesson, (note,))


def _real(session: Session, traces: Sequence[StepTrace], text: dict) -> View:
    profile = measured(session)
    roads = real_roads.tables(profile, session.own)
    missing = OWN not in roads and road_choice.choices().get("road") == OWN
    name = choose(
        "road",
        text["road"],
        list(roads),
        next(iter(roads)),
        lambda name: real_roads.label(name, roads[name], text),
        note=text["road_help"],
        width=240,
    )
    if missing:
        road_choice.choices()[INSTEAD] = name
    at = number("step", text["step"], 1, len(traces), len(traces), text["step_help"]) - 1
    lag = number("lag", text["lag"], 0, real_roads.OLDEST, 1, text["lag_help"])
    table, trace = roads[name], traces[at]
    simulated = not isinstance(table, Profile)
    lookup, draft_seconds = _reading(text) if simulated else (None, None)
    fit = real_roads.rate_on(profile, trace) if profile else None
    rate = real_roads.rate_on(table, trace, lookup, draft_seconds) if simulated else fit
    road = real_roads.road_of(traces, at, rate, lag, noise=0.0 if simulated else table.noise(trace.load))
    raw = profile.at(trace.temperature).raw(trace.load, real_roads.CONTEXT, trace.depth) if profile else None
    measured_here = (text["road_here"].format(source=profile.source, requests=count(raw.requests, "request")),) if raw else ()
    measured_here += tuple(points_sentences(raw, fit, trace.load)) if raw else ()
    return View(
        road,
        clock=SIMULATED if simulated else table.source,
        lesson="",
        sources=((table.source,) if simulated else ()) + measured_here,
        remark=_instead(name, session, roads, text),
        hardware=name if simulated else HERE,
        lag=lag,
        raw=raw,
        fit=fit,
        budgets=real_roads.budgets(road, traces, at),
    )


def _instead(name: str, session: Session, roads: Mapping[str, CostTable | Profile], text: dict) -> str:
    """That this road stands in for a table that is not here; empty once the reader has chosen a road or brought a table."""
    if session.own or road_choice.choices().get(INSTEAD) != name:
        return ""
    return text["own_missing"].format(road=real_roads.label(name, roads[name], text))


def _reading(text: dict) -> tuple[str | None, float | None]:
    """How a table is read: another lookup than its own, another drafting time in seconds."""
    spell = text["lookups"].get
    lookup = choose("lookup", text["lookup"], ["", *LOOKUPS], "", spell, note=text["lookup_help"])
    ms = road_choice.milliseconds("draft", text["draft"], text["draft_empty"], text["draft_help"])
    return lookup or None, None if ms is None else ms / 1000
