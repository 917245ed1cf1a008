"""Which sentence of the dock's words fits the session: pure, so that every state of the page can be read in a test."""

from functools import lru_cache

from expediter.core.clock import SIMULATED
from expediter.core.profile import MEASURED_HERE, Profile, reads_flat
from expediter.core.trace import StepTrace
from expediter.ui.ages import ago
from expediter.ui.captions import percent
from expediter.ui.job_panel import bringing_up
from expediter.ui.numbers import Rates
from expediter.ui.session import Session

ENOUGH, STRETCHED = 10, 1.5  # steps and times off the table's time from which on the table is doubted
CONTEXT = 64  # tokens a request has read, about the middle of a run


def state_sentence(session: Session, text: dict) -> str:
    """Whether the run is recorded or live, and what comes next."""
    progress, states = session.pair.progress, text["states"]
    if session.outlook == "failed":
        sentence = text["failed"] if session.history else text["failed_no_recording"]
        return sentence.format(problem=session.problem or progress.problem)
    if session.outlook == "measuring":
        return states["measuring"].format(share=round(100 * progress.measured))
    if session.outlook == "replaying":
        journey = session.way.journey
        return states["replaying"].format(goal=journey.goal, done=journey.done)
    if session.outlook == "loading":
        said = states["loading" if session.history else "loading_no_recording"]
        return said.format(step=bringing_up(progress)).strip()
    return " ".join(filter(None, (states[session.outlook], progress.problem)))


def remarks(session: Session, text: dict) -> list[str]:
    """What a reader must know about the run on screen to take its picture for what it is. It stands above the stage: what may come and
    go with every step would move the stage up and down, and is told by `asides`.
    """
    trace: StepTrace = session.history.shown
    said = []
    if session.missed_own:
        said.append(text["own_missing"])
    said += link_remarks(session, text["link"])
    if session.live and session.other_clock:
        said.append(text["other_clock"])
    elif session.other and not session.way.awaited:
        made = {"load": trace.load, "depth": trace.depth, "temperature": f"{trace.temperature:g}"}
        said.append(text["earlier" if session.live else "kept"].format(**made))
    if never_fills(session):
        said.append(text["flat"])
    if session.clock and not session.other_clock:
        said.append(text["simulated"].format(title=session.clock.table.title, source=session.clock.table.source))
        if session.clock.table.flat:
            said.append(text["flat_table"])
    return said


def asides(trace: StepTrace, rates: Rates, text: dict) -> list[str]:
    """What is true of this step, or of the last ones, and perhaps not of the next one: for below the stage."""
    known = {"uncertain": trace.uncertain, "not_drafting": not trace.drafting}
    said = [text[name] for name, true in known.items() if true]
    if trace.table_source == MEASURED_HERE and rates.steps >= ENOUGH:
        if rates.stretch > STRETCHED:
            said.append(text["slower"].format(steps=rates.steps, times=f"{rates.stretch:.1f}"))
        elif rates.stretch < 1 / STRETCHED:
            said.append(text["quicker"].format(steps=rates.steps, share=percent(rates.stretch)))
    return said


def link_remarks(session: Session, text: dict) -> list[str]:
    """What the reader of a link to a moment must know: that it is still to come, or what differs from the sender's."""
    moment, way = session.way.moment, session.way
    if moment is None or session.outlook == "failed":
        return []
    said = [text["late"].format(step=moment.step, goal=moment.goal)] if moment.step > moment.goal else []
    if way.awaited:
        said.append(text["pending"].format(step=moment.goal))
    elif moment.table not in ("", session.history.shown.table) and not session.missed_own:
        said.append(text["differs"].format(theirs=moment.table, ours=session.history.shown.table))
    return said


def never_fills(session: Session) -> bool:
    """Whether this machine's measured steps take about as long full as empty, over the whole load slider."""
    return session.profile is not None and flat(session.profile, session.settings.depth, session.pair.widest)


@lru_cache(maxsize=8)
def flat(profile: Profile, depth: int, most: int) -> bool:
    """Whether a full batch takes about as long as an empty one at loads from 1 to `most`."""
    return reads_flat(profile, (1, most // 4, most), CONTEXT, depth)


def label(session: Session) -> str:
    """The short label on the stage: where this step comes from."""
    history = session.history
    live = "live words, simulated clock" if history.shown.table_source == SIMULATED else "live"
    return live if history.live else f"recorded run, {history.at + 1} of {len(history.traces)}"


def footer(session: Session, title: str) -> str:
    """The pair, the machine of the step on screen and the table behind its plan."""
    trace, profile = session.history.shown, session.profile
    measured = trace.table_source
    if profile and profile.fingerprint == trace.table and profile.source == MEASURED_HERE:
        measured = f"measured here {ago(profile.measured_at)}".rstrip()
    if session.clock and session.clock.fingerprint == trace.table:
        measured = f"{SIMULATED}, {session.clock.table.title}"
    where = trace.machine if session.live else f"{trace.machine}, another machine"
    return f"{title} · {where} · step rate: {measured}"
