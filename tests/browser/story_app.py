"""app.py with stored runs in place of the shipped ones: STORY_RUNS is a folder with the default pair's and perhaps rush-hour.json."""

import os
from pathlib import Path

import streamlit as st

from expediter.core import pairs, trace
from expediter.ui import live, recordings, story_models
from tests import fakes

PAGES = Path(__file__).parents[2] / "pages"
FOLDER = Path(os.environ["STORY_RUNS"])


def stored(name: str) -> tuple[trace.StepTrace, ...]:
    """A run's steps; none when it is missing."""
    path = FOLDER / f"{name}.json"
    return tuple(trace.load(path)) if path.exists() else ()


# Before a page is imported for the first time; afterwards it changes nothing.
live.source = fakes.FakeSource
pairs.pairs = lambda: list(fakes.PAIRS)
recordings.recorded = stored
story_models.models_of = lambda info, trace: story_models.Models(big=12, small=2, reading=(0.0131, 0.0162))

st.set_page_config(layout="wide")
dock = st.Page(PAGES / "loading_dock.py", title="Loading dock", default=True)
st.navigation([dock, st.Page(PAGES / "the-story.py", title="The story", url_path="the-story")], position="top").run()
