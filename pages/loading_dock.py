"""The loading dock: one step of a real pair under one playhead. This script reads like the screen, top to bottom."""

from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from expediter.core.clock import SIMULATED
from expediter.ui import address, numbers
from expediter.ui.alive import moving
from expediter.ui.controls import controls, moved
from expediter.ui.offers import offers
from expediter.ui.other_page import go_to
from expediter.ui.page import heading, how, page_words, say, top
from expediter.ui.reader import known_pairs, reader, title
from expediter.ui.scoreboard import scoreboard
from expediter.ui.share import share
from expediter.ui.stage import heard, stage
from expediter.ui.tries import dock_tries
from expediter.ui.wording import asides, footer, label, remarks, state_sentence
from expediter.ui.words import words

TICK = 0.7  # seconds between two looks at a model that is loading
SLICE = 0.6  # seconds of such a look that go into the replay of a link
text = page_words("loading_dock")

top(text["title"])
with st.container(horizontal=True, vertical_alignment="center", key="promise"):
    say(text["promise"], kind="promise")
    if st.button(text["newcomer"], key="newcomer", type="tertiary", icon=":material/play_circle:"):
        go_to("pages/the-story.py")
if not known_pairs():
    st.error(text["states"]["no_pairs"])
    st.stop()

session = reader(address.moment())
session.waiting = lambda: None  # there is no place to say so yet
if "painted" in st.session_state:  # the first paint waits for no model
    session.take_over()
outlook = session.outlook


@st.fragment(run_every=TICK if session.unsettled else None)
def state() -> None:
    """Recorded or live. Looks again while a model loads; the second look means that the page is painted, so loading may begin."""
    if "painted" in st.session_state:
        session.pair.start()
        session.travel(SLICE)
    if session.outlook != outlook or (session.due and "painted" in st.session_state):
        st.rerun()
    said, loading = state_sentence(session, text), session.pair.progress
    told = moving("pair", loading.since, said) if outlook == "loading" and loading.state == "loading" else escape(said)
    st.html(f"<p class='ex-state ex-{outlook}' role='status'>{told}</p>")
    if outlook == "failed" and st.button(text["retry"]):
        session.retry()
        st.rerun()


def note_address() -> None:
    """Settings and moment, in the address bar."""
    address.write(session.settings)
    address.mark(session.way.moment)


def answer(notice: DeltaGenerator) -> None:
    """Do what the stage asked for. Whoever else has the processor meanwhile is told of in `notice`."""
    session.waiting = lambda: notice.html(f"<p class='ex-notice' role='status'>{escape(text['states']['waiting'])}</p>")
    wish = heard("stage")
    if wish and (wish.kind != "advance" or wish.revision == session.revision):  # no step of a picture that has been replaced since
        session.act(wish.kind)


@st.fragment
def dock() -> None:
    """The controls and the picture that follows from them."""
    top, notice = st.container(), st.empty()
    answer(notice)
    with top:
        dock_tries(text)
        session.change(controls(session.settings, known_pairs(), session.own))
    notice.empty()
    picture()


@st.fragment
def picture() -> None:
    """Stage, numbers and words: what one step changes, redrawn together. The controls are left alone: no step changes them."""
    if moved():
        st.rerun()
    notice = st.empty()
    answer(notice)
    if session.outlook != outlook:
        st.rerun()
    if session.history is None:
        note_address()
        return
    history = session.history
    notice.html("".join(f"<p class='ex-notice'>{escape(remark)}</p>" for remark in remarks(session, text)) or "<!-- -->")
    offers(session, text)
    settle = "load" if history.settled else "start"
    stage(history.shown, key="stage", revision=session.revision, settle=settle, note=label(session), can_back=history.can_back)
    share(session)
    note_address()  # after the picture: it is not kept waiting for it

    clock = "numbers_title_simulated" if history.shown.table_source == SIMULATED else "numbers_title"
    heading(text[clock if history.live else "numbers_title_elsewhere"])
    shown = history.shown
    rates = numbers.rates(numbers.window(history.seen))
    st.html(scoreboard(numbers.of_step(shown), rates, shown.table_source, asides(shown, rates, text)))
    heading(text["requests_title"])
    words(history.seen, key="words")
    say(footer(session, title(shown.pair)), kind="footer")


with st.container(horizontal=True, vertical_alignment="top", key="opening"):
    state()
    how(text)
dock()
st.session_state["painted"] = True
