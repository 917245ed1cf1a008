"""The one place where a reader's session is kept: found again on every page, begun from the address that they opened."""

from dataclasses import replace
from html import escape

import streamlit as st

from expediter.core.pairs import PairInfo, listed, pairs
from expediter.core.settings import GPU_LOAD, Settings
from expediter.ui import address, kept_tables
from expediter.ui.controls import words
from expediter.ui.live import live_pair
from expediter.ui.memory import keep_for_good
from expediter.ui.moment import Moment
from expediter.ui.recordings import recorded
from expediter.ui.session import Session

KEY = "reader"  # not a widget's key, so it outlives a change of page
WAITED = "waited_for"  # nor is this: the pair that the address asked for and that is not all there, and the one shown instead


@st.cache_resource(show_spinner=False)
def known_pairs() -> tuple[PairInfo, ...]:
    """The shipped pairs, the default first. Read once a process, when all modules of the page are there."""
    keep_for_good()
    return tuple(pairs())


def deepest(name: str) -> int:
    """The largest γ that a pair's draft can do."""
    return next(pair.max_depth for pair in known_pairs() if pair.name == name)


def title(name: str) -> str:
    """A pair's name for people."""
    return next(pair.title for pair in known_pairs() if pair.name == name)


def reader(moment: Moment | None = None) -> Session:
    """This reader's session, begun at `moment` if it begins now. Needs at least one known pair."""
    if KEY not in st.session_state:
        query = {name: st.query_params[name] for name in st.query_params}
        names = [pair.name for pair in known_pairs()]
        pair = query.get("pair") if query.get("pair") in names else names[0]
        settings = address.parse(query, names, deepest, usual(pair), GPU_LOAD)  # the session knows what this machine takes
        st.session_state[KEY] = Session(settings, recorded, live_pair, moment, kept_tables.asked(query))
        if any(info.name == query.get("pair") and info.missing for info in listed()):
            st.session_state[WAITED] = (query["pair"], settings.pair)
    session: Session = st.session_state[KEY]
    if session.settings.pair not in (pair.name for pair in known_pairs()):  # it was removed meanwhile
        fallback = known_pairs()[0]
        session.change(replace(session.settings, pair=fallback.name, depth=min(session.settings.depth, fallback.max_depth)))
    kept_tables.write(session.own)
    _tell_missing(session.settings.pair)
    return session


def _tell_missing(shown: str) -> None:
    """What to fetch for the pair that the address asked for: until it is there, or another than the one in its place is chosen."""
    wanted, instead = st.session_state.get(WAITED, ("", ""))
    missing = next((info.missing for info in listed() if info.name == wanted), "") if instead == shown else ""
    if missing:
        told = f"{missing} {words()['instead'].format(title=title(shown))}"
        st.html(f"<p class='ex-read' role='status'><strong>{escape(told)}</strong></p>")
    elif wanted:
        del st.session_state[WAITED]
        known_pairs.clear()  # it may have been fetched by hand


def usual(pair: str) -> Settings:
    """What an address that asks for nothing means: the settings of the pair's recorded run, so that its first picture is what it says."""
    run = recorded(pair)
    if not run:
        return Settings(pair=pair)
    first = run[0]
    return Settings(pair, first.load, first.depth, first.temperature, first.workload, first.policy, first.seed)
