"""Suggestions: a row of buttons that set the controls, and, on the dock, a sentence that says what to look for."""

from collections.abc import Callable, Mapping
from html import escape

import streamlit as st

from expediter.ui.controls import refill

KEY = "tried"  # not a widget's key, so it outlives a change of page


def tries(intro: str, labels: Mapping[str, str], go: Callable[[str], None], quiet: bool = False) -> None:
    """The row. `go` gets the chosen name, in a callback: before the page runs. quiet: without frames."""
    with st.container(horizontal=True, key="tries", vertical_alignment="center", gap="small"):
        st.html(f"<p class='ex-read'>{escape(intro)}</p>")
        for name, label in labels.items():
            st.button(label, key=f"try_{name}", on_click=go, args=(name,), type="tertiary" if quiet else "secondary")


def dock_tries(text: Mapping) -> None:
    """The dock's suggestions. What to look for stays until another one is chosen."""
    known = text["tries"]

    def go(name: str) -> None:
        refill(known[name]["set"])
        st.session_state[KEY] = name

    tries(text["try"], {name: one["label"] for name, one in known.items()}, go, quiet=True)
    if st.session_state.get(KEY) in known:
        st.html(f"<p class='ex-notice' role='status'>{escape(known[st.session_state[KEY]]['look'])}</p>")
