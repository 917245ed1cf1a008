"""A sign of life while nobody knows how long something takes: a bar that moves and seconds that the browser counts by itself.

The server may be silent meanwhile: importing PyTorch stops every other thread for seconds. So the markup stays the same, letter for
letter, as long as the same thing goes on, and the browser has no reason to draw it anew.
"""

import time
from html import escape

import streamlit as st

SINCE = "alive_since"  # not a widget's key


def moving(name: str, since: float, said: str) -> str:
    """What goes on, in a sentence, with bar and seconds, as HTML.

    name: what is waited for, for this reader; since: when it began, on time.monotonic's clock.
    """
    bar = f"<span class='ex-moving' role='progressbar' aria-label='{escape(said)}'></span>"
    return f"<span>{escape(said)}</span><span class='ex-alive'>{bar}{seconds(name, since, said)}</span>"


def seconds(name: str, since: float, said: str) -> str:
    """The seconds alone."""
    seen = st.session_state.setdefault(SINCE, {})
    if seen.get(name, ("", 0))[0] != (since, said):
        seen[name] = ((since, said), max(int(time.monotonic() - since), 0))
    return f"<span class='ex-seconds' aria-hidden='true' style='--ex-since: -{seen[name][1]}s'></span>"
