"""Bring your own pair: two models by name or folder."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from expediter.ui import garage_jobs, jobs
from expediter.ui.job import Asked
from expediter.ui.page import heading, say


def form(text: Mapping) -> None:
    """The section, from its heading on, and what became of the last try."""
    heading(text["add_title"])
    say(text["add_about"])
    with st.form("add_pair", border=False):
        left, right, third = st.columns(3, gap="small")
        target = left.text_input(text["add_target"], key="add_target", placeholder=text["add_sample_target"])
        draft = right.text_input(text["add_draft"], key="add_draft", placeholder=text["add_sample_draft"])
        name = third.text_input(text["add_name"], key="add_name", help=text["add_name_help"])
        wanted = st.form_submit_button(text["add_button"], disabled=jobs.running(garage_jobs.ADD), key="add_button")
    if wanted and not (target.strip() and draft.strip()):
        say(text["add_empty"], kind="notice")
    elif wanted:
        jobs.start(Asked(garage_jobs.ADD), garage_jobs.adding(target.strip(), draft.strip(), name.strip() or None))
        st.rerun()
    garage_jobs.panel(garage_jobs.ADD, text)
    if added := garage_jobs.done(garage_jobs.ADD):
        say(text["done"]["add"].format(title=added.result.title), kind="notice")
    say(text["command_about"])
    st.html(f"<p class='ex-read'><code class='ex-command'>{escape(text['command'])}</code></p>")
