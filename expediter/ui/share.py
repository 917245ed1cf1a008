"""The quiet row under the stage: copy a link, keep this step, keep it as a page that plays, keep a figure. Everything is made on demand.

The link and the figures are made in the browser (assets/share/), the two files here, when their button is pressed. Nothing reruns.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

from expediter.core.trace import to_json
from expediter.ui import address, offline
from expediter.ui.links import Link, link, origin, words
from expediter.ui.reader import KEY
from expediter.ui.session import Session

ASSETS = Path(__file__).parents[2] / "assets" / "share"
LATEST = 8  # steps in a saved page: a step of 64 requests is about 100 kB there
LABELS = ("copy", "copied", "by_hand", "address", "figure", "no_figure", "saved", "failed")


def share(session: Session) -> None:
    """The dock's row, for the step on screen."""
    seen = session.history.seen
    name = f"{seen[-1].pair}-step-{seen[-1].step + 1}"
    with st.container(horizontal=True, key="share", gap="small", vertical_alignment="top"):
        _download("step", lambda: step_file(session), f"{name}.json", "application/json", at_once=session.unsettled)
        _download("page", lambda: offline.page(seen[-LATEST:], origin(seen[-1])), f"{name}.html", "text/html", at_once=session.unsettled)
        _row(link(session), name)


def share_page(name: str) -> None:
    """The row of every other page: its address as it stands, with the reader's settings where it does not say any, and its figures."""
    settings = address.spell(st.session_state[KEY].settings) if KEY in st.session_state else {}
    with st.container(key="share"):
        _row(Link(settings, words()["settings"]), name, stands=True)


def step_file(session: Session) -> str:
    """The step on screen as core.trace.save would write it, with its settings and the link that leads to it."""
    trace = session.history.shown
    whole = {"about": origin(trace), "link": link(session).query, "steps": [to_json(trace)]}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _row(link: Link, name: str, stands: bool = False) -> None:
    """Copy link and Download figure. `stands`: the link keeps what the address bar says."""
    text = {label: words()[label] for label in LABELS}
    _component()(key="share_row", data={"query": link.query, "says": link.says, "name": name, "stands": stands, "text": text})


def _download(what: str, make: Callable[[], str], name: str, mime: str, at_once: bool) -> None:
    """A file that is made when its button is pressed; `at_once` while the page looks again by itself, for each such look throws away
    what was made for a button since the last one, and the browser would come too late."""
    label, note = words()[what], words()[f"{what}_help"]
    st.download_button(label, make() if at_once else make, name, mime, key=f"share_{what}", help=note, on_click="ignore", type="tertiary")


@cache
def _component():
    read = {path.name: path.read_text(encoding="utf-8") for path in ASSETS.iterdir()}
    script = read["figure.js"] + read["share.js"]
    return st.components.v2.component(
        "expediter_share", html="<div class='sh'></div>", css=read["share.css"], js=script, isolate_styles=False
    )
