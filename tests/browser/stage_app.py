"""A page with nothing but the stage, for the browser tests: it plays the stored run that the address names."""

import os
from pathlib import Path

import streamlit as st

from expediter.core import trace
from expediter.ui.stage import heard, stage

st.set_page_config(layout="wide", page_title="Stage")
steps = st.cache_resource(trace.load)(Path(os.environ["STAGE_RUNS"]) / f"{st.query_params['run']}.json")
state = st.session_state
state.setdefault("at", 0)
state.setdefault("revision", 0)
state.setdefault("wishes", [])


@st.fragment
def show() -> None:
    """Answer a wish and draw the step that it leads to, in one run."""
    wish = heard("stage")
    if wish:
        state.wishes.append(wish)
        state.at = {"advance": (state.at + 1) % len(steps), "back": max(state.at - 1, 0), "reset": 0}[wish.kind]
        state.revision += 1
    settle = st.query_params.get("settle", "load")
    stage(steps[state.at], key="stage", revision=state.revision, settle=settle, note="recorded run", can_back=state.at > 0)
    st.markdown(f"wishes: {' '.join(w.kind for w in state.wishes)}; ids: {len({w.id for w in state.wishes})}")


st.title("Stage", anchor=False)
if st.button("Replan"):
    state.at = (state.at + 1) % len(steps)
    state.revision += 1
show()
st.text_input("elsewhere")
