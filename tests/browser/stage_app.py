"""A page with nothing but the stage, for the browser tests: it plays a stored run whose file comes from the environment."""

import os
from pathlib import Path

import streamlit as st

from expediter.core import trace
from expediter.ui.stage import stage

st.set_page_config(layout="wide", page_title="Stage")
steps = trace.load(Path(os.environ["STAGE_RUN"]))
state = st.session_state
state.setdefault("at", 0)
state.setdefault("revision", 0)
state.setdefault("events", [])
settle = st.query_params.get("settle", "load")


@st.fragment
def show() -> None:
    event = stage(steps[state.at], key="stage", revision=state.revision, settle=settle, note="recorded run", can_back=state.at > 0)
    if event is None:
        return
    state.events.append(event)
    state.at = {"advance": (state.at + 1) % len(steps), "back": max(state.at - 1, 0), "reset": 0}[event.kind]
    state.revision += 1
    st.rerun(scope="fragment")


show()
st.text_input("elsewhere")
if st.button("Replan"):
    state.at = (state.at + 1) % len(steps)
    state.revision += 1
    st.rerun()
