"""The measured step rates that a page can draw without a model: the running pair's own, else the one that ships with the pair."""

import os
from dataclasses import replace
from pathlib import Path

import streamlit as st

from expediter.core import cache
from expediter.core.profile import Profile
from expediter.core.profile_file import ProfileError, load_profile
from expediter.ui.live import live_pair
from expediter.ui.reader import known_pairs
from expediter.ui.session import Session

SHIPPED = "step_rate.json"


def measured(session: Session) -> Profile | None:
    """The best table there is for the chosen pair; its `source` says whose. None where nobody measured it."""
    return session.pair.profile or shipped(session.settings.pair)


def known(name: str) -> Profile | None:
    """The best table there is for this pair: of the loaded one, else measured here before, else recorded with it."""
    return live_pair(name).profile or kept_here(name) or shipped(name)


def kept_here(name: str) -> Profile | None:
    """The newest table that this machine has measured and kept; which device it will run on, nobody knows before torch is loaded."""
    here = f"{os.cpu_count()}-cores.json"
    shared = (cache.folder() / "profiles").glob(f"{cache.file('profiles', name).stem}_*_{here}")
    own = (cache.folder() / "pairs" / name).glob(f"profile_*_{here}")  # of a pair that the reader added
    files = sorted([*shared, *own], key=lambda file: file.stat().st_mtime_ns)
    return _read(files[-1], files[-1].stat().st_mtime_ns) if files else None


@st.cache_resource(show_spinner=False, max_entries=64)
def _read(file: Path, written: int) -> Profile | None:
    """written: when, so that a new measurement is read anew."""
    try:
        return load_profile(file)
    except ProfileError:
        return None


@st.cache_resource(show_spinner=False)
def shipped(name: str) -> Profile | None:
    """The table recorded with the pair."""
    folder = next(pair.folder for pair in known_pairs() if pair.name == name)
    try:
        return replace(load_profile(folder / SHIPPED), source="recorded on another machine")
    except ProfileError:
        return None
