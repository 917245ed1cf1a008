"""The way in. A link to a chapter that opens a fresh server finds the chapter's file before app.py has ever run."""

from functools import cache
from threading import Event

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


@cache
def door() -> Event:
    """Set once app.py has run in this process, or is about to."""
    return Event()


def through_app() -> None:
    """Begin again with app.py where a page's file was run alone; otherwise nothing. First line of every page but the home page.

    Streamlit looks into pages/ until st.navigation has been called once in the process, and would list its files beside the page.
    """
    if PagesManager.uses_pages_directory and not door().is_set():
        door().set()
        PagesManager.uses_pages_directory = False
        st.rerun()
