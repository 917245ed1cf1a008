"""The Garage's cards with what can be done to each pair, and the way a pair goes to the dock. Reads top to bottom like a card."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from weakref import WeakSet

import streamlit as st

from expediter.core.pairs import PairInfo, listed
from expediter.engine.calibration_store import kept_aside
from expediter.ui import garage_cards, garage_jobs, jobs
from expediter.ui import garage_words as words
from expediter.ui.alive import moving
from expediter.ui.block_recordings import weights_now
from expediter.ui.garage_data import Card, cards
from expediter.ui.job import Asked, Job, Work
from expediter.ui.job_panel import bringing_up
from expediter.ui.live import live_pair
from expediter.ui.other_page import go_to
from expediter.ui.page import folded, say
from expediter.ui.reader import known_pairs
from expediter.ui.session import Session

TICK = 0.7  # seconds between two looks at a pair that is being brought up
SURE = "garage_sure"  # the pair whose shipped calibration its reader is about to replace; no widget's key
ABREAST = 2  # cards in a row
PARKED = ("fetch", "unload")  # jobs whose news is old as soon as the pair is loaded


def garage(session: Session, text: Mapping) -> list[Card]:
    """Draw every pair. → what is known of them"""
    take_in()
    settings = session.settings
    found = cards(listed(), settings.pair, settings.temperature)
    _watch(found, text)
    for first in range(0, len(found), ABREAST):
        for column, card in zip(st.columns(ABREAST, gap="small"), found[first : first + ABREAST], strict=False):
            with column, st.container(border=True, height="stretch", key=f"pair_{card.info.name}"):
                _card(card, _fetcher(card, found), session, text)
    return found


def take_in() -> None:
    """What ended jobs have changed on disk is read anew, once: the list of pairs, and whose weights are whose."""
    ended = [work for kind in garage_jobs.CHANGING for work in jobs.registry().kind(kind) if work.state == "done"]
    if fresh := [work for work in ended if work not in _taken_in()]:
        _taken_in().update(fresh)
        known_pairs.clear()
        weights_now.clear()


@st.cache_resource(show_spinner=False)
def _taken_in() -> WeakSet[Job]:
    """Ended jobs of which the process knows what they changed."""
    return WeakSet()


def _watch(found: Sequence[Card], text: Mapping) -> None:
    """While a pair loads or is measured: how far it is, and the page anew when that is over."""
    there = [card for card in found if card.state != "missing"]

    @st.fragment(run_every=TICK if any(card.state in ("loading", "measuring") for card in there) else None)
    def look() -> None:
        said = []
        for card in there:
            progress = live_pair(card.info.name).progress
            now = "measuring" if progress.measured is not None else progress.state
            if now != card.state:
                st.rerun()
            if now == "loading":
                told = text[now].format(pair=card.info.title, step=bringing_up(progress))
                said.append(moving(f"start {card.info.name}", progress.since, told))
            elif now == "measuring":
                said.append(escape(text[now].format(pair=card.info.title, done=round(100 * progress.measured))))
        st.html("".join(f"<p class='ex-state ex-measuring' role='status'>{one}</p>" for one in said) or "<!-- -->")

    look()


def _fetcher(card: Card, found: Sequence[Card]) -> Card | None:
    """Another pair for which the model that this one waits for is being fetched: it need not be asked for twice."""
    same = (other for other in found if other is not card and card.to_fetch and other.to_fetch == card.to_fetch)
    return next((other for other in same if jobs.running(garage_jobs.key("fetch", other.info.name))), None)


def _card(card: Card, fetcher: Card | None, session: Session, text: Mapping) -> None:
    st.html(garage_cards.head(card, text) + garage_cards.figures(card, text) + garage_cards.facts(card, session.settings.load, text))
    if card.state in ("missing", "failed") or card.problem:
        say(card.problem, kind="notice")
    if fetcher:
        say(text["fetched_there"].format(title=fetcher.to_fetch.title, pair=fetcher.info.title), kind="notice")
    _buttons(card, fetcher, session, text)
    _sure(card, text)
    _work(card, text)
    folded(text["more"], garage_cards.everything(card, text))


def _buttons(card: Card, fetcher: Card | None, session: Session, text: Mapping) -> None:
    """What can be done with this pair now. While one of its jobs runs, only the dock stays open."""
    labels, notes = text["buttons"], text["help"]
    info, busy = card.info, garage_jobs.current(card.info.name) is not None
    with st.container(horizontal=True, key=f"do_{info.name}", gap="small"):
        if card.state == "missing":
            if fetch := card.to_fetch:
                label = labels["fetch"].format(title=fetch.title, size=words.size(fetch.size))
                _begin(label, "fetch", info, garage_jobs.fetching(fetch.name), busy or fetcher is not None)
        else:
            if st.button(labels["used" if card.chosen else "use"], key=f"use_{info.name}", help=notes["use"]):
                use(session, info)
            _loading(card, labels, notes, busy, text)
            _begin(
                labels["profile"],
                "profile",
                info,
                garage_jobs.profiling(info.name, text["jobs"]),
                busy or card.state == "measuring",
                notes["profile"],
            )
            _calibrating(card, labels, notes, busy, text)
        if card.own:
            _begin(labels["remove"], "remove", info, garage_jobs.removing(info, text["jobs"]), busy, notes["remove"])


def use(session: Session, info: PairInfo) -> None:
    """To the dock, with this pair: every page goes on with it."""
    session.change(replace(session.settings, pair=info.name, depth=min(session.settings.depth, info.max_depth)))
    go_to("pages/loading_dock.py")


def _loading(card: Card, labels: Mapping, notes: Mapping, busy: bool, text: Mapping) -> None:
    info = card.info
    if card.loaded:
        _begin(labels["unload"], "unload", info, garage_jobs.unloading(info.name, text["jobs"]), busy, notes["unload"])
    elif st.button(
        labels["retry" if card.state == "failed" else "load"],
        key=f"load_{info.name}", disabled=busy or card.state == "loading", help=notes["load"],
    ):  # fmt: skip
        live_pair(info.name).start(again=True)
        st.rerun()


def _calibrating(card: Card, labels: Mapping, notes: Mapping, busy: bool, text: Mapping) -> None:
    """At once where nothing is lost by it; of a shipped pair only after a second look."""
    info = card.info
    label = labels["calibrate_again" if card.figures else "calibrate"]
    if not (card.figures and garage_jobs.shipped(info)) or kept_aside(info.folder):
        _begin(label, "calibrate", info, garage_jobs.calibrating(info, text["jobs"]), busy, notes["calibrate"])
    elif st.button(label, key=f"sure_{info.name}", disabled=busy, help=notes["calibrate"]):
        st.session_state[SURE] = info.name
    if kept_aside(info.folder):
        _begin(labels["put_back"], "put_back", info, garage_jobs.putting_back(info, text["jobs"]), busy)


def _sure(card: Card, text: Mapping) -> None:
    """What the second look is at."""
    info, labels = card.info, text["buttons"]
    if st.session_state.get(SURE) != info.name or not card.figures:
        return
    say(text["calibrate_warning"].format(blocks=f"{card.figures.blocks:,}"), kind="notice")
    with st.container(horizontal=True, key=f"sure_row_{info.name}", gap="small"):
        if st.button(labels["calibrate_yes"], key=f"yes_{info.name}"):
            _start("calibrate", info, garage_jobs.calibrating(info, text["jobs"]))
        if st.button(labels["calibrate_no"], key=f"no_{info.name}"):
            st.session_state.pop(SURE)
            st.rerun()


def _begin(label: str, kind: str, info: PairInfo, work: Work, busy: bool, note: str | None = None) -> None:
    """A button that begins a job."""
    if st.button(label, key=f"{kind}_{info.name}", disabled=busy, help=note):
        _start(kind, info, work)


def _start(kind: str, info: PairInfo, work: Work) -> None:
    st.session_state.pop(SURE, None)
    for other in garage_jobs.KINDS:  # what an earlier one came to is no news any more
        jobs.registry().forget(garage_jobs.key(other, info.name))
    if garage_jobs.current(info.name) is None:  # unless somebody has begun another one in another tab
        jobs.start(Asked(garage_jobs.key(kind, info.name)), work)
    st.rerun()


def _work(card: Card, text: Mapping) -> None:
    """The pair's job: how far it is, or what it came to."""
    for kind in garage_jobs.KINDS:
        key = garage_jobs.key(kind, card.info.name)
        garage_jobs.panel(key, text)
        if garage_jobs.done(key) and kind in text["done"] and (kind not in PARKED or card.state == "idle"):
            say(text["done"][kind].format(name=card.info.name), kind="notice")
