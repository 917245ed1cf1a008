"""Bring your own pair: two models by name or folder."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from expediter.ui import garage_jobs as jobs
from expediter.ui import job
from expediter.ui.page import heading, say


def form(text: Mapping) -> None:
    """The section, from its heading on, and what became of the last try."""
    heading(text["add_title"])
    say(text["add_about"])
    running = (work := job.find(jobs.ADD)) is not None and work.running
    with st.form("add_pair", border=False):
        left, right, third = st.columns(3, gap="small")
        target = left.text_input(text["add_target"], key="add_target", placeholder=text["add_sample_target"])
        draft = right.text_input(text["add_draft"], key="add_draft", placeholder=text["add_sample_draft"])
        name = third.text_input(text["add_name"], key="add_name", help=text["add_name_help"])
        wanted = st.form_submit_button(text["add_button"], disabled=running, key="add_button")
    if wanted and not (target.strip() and draft.strip()):
        say(text["add_empty"], kind="notice")
    elif wanted:
        job.start(jobs.ADD, jobs.adding(target.strip(), draft.strip(), name.strip() or None))
        st.rerun()
    jobs.panel(jobs.ADD, text)
    if work is not None and work.state == "done":
        say(text["done"]["add"].format(title=work.result.title), kind="notice")
    say(text["command_about"])
    st.html(f"<p class='ex-read'><code class='ex-command'>{escape(text['command'])}</code></p>")
