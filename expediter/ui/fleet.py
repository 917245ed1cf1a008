"""The fleet's part of Rush hour: its controls, and what follows from them. Redrawn by itself, so that the charts above stay still."""

from collections.abc import Mapping

import streamlit as st

from expediter.core.clock import SimulatedClock
from expediter.core.fleet_clock import Stretched
from expediter.core.profile import Profile
from expediter.ui import address, controls, fleet_choice
from expediter.ui import fleet_words as words
from expediter.ui.ages import ago
from expediter.ui.charts import chart
from expediter.ui.durations import duration
from expediter.ui.figures_fleet import budget_figure, crowd_figure, day_figure, through_figure
from expediter.ui.fleet_run import ANSWER, crowds, day
from expediter.ui.honest_blocks import Shown, shown
from expediter.ui.honest_costs import table
from expediter.ui.page import heading, say
from expediter.ui.reader import title
from expediter.ui.session import Session


@st.fragment
def fleet(session: Session, text: Mapping) -> None:
    """Draw it for the session's pair, depth, temperature and workload."""
    heading(text["fleet_title"], clock=text["fleet_label"])
    say(text["fleet_about"].format(shortest=ANSWER[0], longest=ANSWER[1]))
    with st.container(horizontal=True, key="fleet", vertical_alignment="bottom", gap="small"):
        session.change(controls.clock(session.settings, session.own))
        address.write(session.settings)
        clock = table(session)
        lanes = fleet_choice.lanes(text, clock)
        kind = fleet_choice.arrivals(text)
        busy = 1.0 if kind == "closed" else fleet_choice.busy(text)
    found = shown(session.settings)
    if found is None or found.places is None:
        say(text["no_blocks"].format(pair=session.settings.pair), kind="notice")
        return
    say(_about(clock, found, text), kind="footer")
    _serve(session, text, found, clock, lanes, kind, busy)


def _serve(session: Session, text: Mapping, found: Shown, clock: Profile | SimulatedClock, lanes: int, kind: str, busy: float) -> None:
    """The runs and their charts."""
    origin, texts = found.origin, found.places
    asked = (origin.pair, origin.weights, origin.recorded_at, origin.seed, texts.temperature, session.settings.workload, texts.depth)
    with st.spinner(text["fleet_wait"]):
        served = crowds(asked, texts, clock, lanes)
        shift = None if kind == "closed" else day(asked, texts, clock, kind, lanes, busy)
    left, right = st.columns(2, gap="medium")
    with left:
        heading(text["budget_title"], "h3")
        chart(lambda scheme: budget_figure(served, scheme), words.budget_alt(served), "fleet_budget")
        say(words.budget_sentence(served), kind="promise")
    with right:
        heading(text["through_title"], "h3")
        chart(lambda scheme: through_figure(served, scheme), words.through_alt(served), "fleet_through")
        say(words.through_sentence(served), kind="promise")
        say(words.dip_sentence(served))
    if shift is None:
        return
    heading(text["day_title"], "h3")
    run = shift.runs["early-stop"]
    chart(lambda scheme: crowd_figure(run, scheme), words.crowd_alt(shift), "fleet_crowd")
    chart(lambda scheme: day_figure(run, scheme), words.day_alt(shift), "fleet_day")
    say(words.swing_sentence(shift), kind="promise")
    say(words.resting_sentence(shift))
    say(text["day_about"].format(seconds=duration(shift.seconds)))
    st.html(words.day_table(shift))


def _about(clock: Profile | SimulatedClock, found: Shown, text: Mapping) -> str:
    """Where the guesses and the times come from."""
    origin, texts = found.origin, found.places
    sizes = {"texts": f"{texts.texts:,}", "places": f"{len(texts):,}", "temperature": f"{texts.temperature:g}"}
    dealt = text["fleet_texts"].format(pair=title(origin.pair), when=ago(origin.recorded_at), **sizes)
    if found.other_weights:
        dealt = f"{dealt} {text['fleet_weights'].format(pair=origin.pair)}"
    if isinstance(clock, SimulatedClock):
        return f"{dealt} {text['fleet_table'].format(source=clock.table.source, last=f'{clock.table.batch[-1]:,}')}"
    return f"{dealt} {text['fleet_beyond'].format(largest=Stretched(clock.at(texts.temperature)).largest)}"
