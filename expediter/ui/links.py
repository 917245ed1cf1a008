"""The link to what is on screen: the settings that the step was made with, the step, its table, and what the link promises. Pure."""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from expediter.core.clock import HERE, OWN, SIMULATED, SimulatedClock
from expediter.core.settings import Settings
from expediter.core.tables import TABLES
from expediter.core.trace import StepTrace
from expediter.ui import address, kept_tables
from expediter.ui.moment import LAST, Moment, spell
from expediter.ui.session import Session
from expediter.ui.story_steps import settings_of

WORDS = Path(__file__).parents[2] / "assets" / "share.json"


@dataclass(frozen=True, slots=True)
class Link:
    """An address without its page."""

    query: dict[str, str]
    says: str  # one or two sentences for whoever copies it


@cache
def words() -> dict:
    """The whole of assets/share.json."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def link(session: Session) -> Link:
    """A link to the step on screen where it can be replayed; else to its settings, and why."""
    trace, says = session.history.shown, words()["link"]
    settings = replace(settings_of(trace), hardware=clock_of(trace))
    number = trace.step + 1
    kind = _kind(session, trace, settings)
    moment = Moment(number, trace.table) if kind in ("recorded", "simulated", "own", "live") else None
    own = {kept_tables.NAME: trace.table} if settings.hardware == OWN else {}
    return Link(address.spell(settings) | own | spell(moment), says[kind].format(step=number, last=LAST))


def _kind(session: Session, trace: StepTrace, settings: Settings) -> str:
    """What can be promised of a link to this step."""
    if not session.history.live:
        return "recorded"
    if session.history.mixed:
        return "mixed"
    if trace.step + 1 > LAST:
        return "late"
    if settings.hardware == OWN:
        return "own"
    return "simulated" if trace.table_source == SIMULATED else "live"


def clock_of(trace: StepTrace) -> str:
    """Whose clock a step was planned on, as the address names it."""
    if trace.table_source != SIMULATED:
        return HERE
    return next((name for name, table in TABLES.items() if SimulatedClock(table).fingerprint == trace.table), OWN)


def origin(trace: StepTrace) -> str:
    """Where a saved step comes from, in two sentences."""
    made = settings_of(trace)
    return words()["origin"].format(
        pair=trace.pair, machine=trace.machine, table=trace.table, source=trace.table_source, step=trace.step + 1, load=made.load,
        depth=made.depth, temperature=f"{made.temperature:g}", policy=made.policy, workload=made.workload, seed=made.seed,
    )  # fmt: skip
