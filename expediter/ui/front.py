"""The way in. A link to a chapter that opens a fresh server finds the chapter's file before app.py has ever run."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def through_app() -> None:
    """Begin again with app.py where a page's file was run alone; otherwise nothing. First line of every page but the home page.

    Streamlit looks into pages/ until st.navigation has been called once in the process, and would list its files beside the page.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
