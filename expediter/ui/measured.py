"""The measured step rates that a page can draw without a model: the running pair's own, else the one that ships with the pair."""

from dataclasses import replace

import streamlit as st

from expediter.core.profile import Profile
from expediter.core.profile_file import ProfileError, load_profile
from expediter.ui.reader import known_pairs
from expediter.ui.session import Session

SHIPPED = "step_rate.json"


def measured(session: Session) -> Profile | None:
    """The best table there is for the chosen pair; its `source` says whose. None where nobody measured it."""
    return session.pair.profile or shipped(session.settings.pair)


@st.cache_resource(show_spinner=False)
def shipped(name: str) -> Profile | None:
    """The table recorded with the pair."""
    folder = next(pair.folder for pair in known_pairs() if pair.name == name)
    try:
        return replace(load_profile(folder / SHIPPED), source="recorded on another machine")
    except ProfileError:
        return None
