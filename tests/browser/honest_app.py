"""Honest numbers alone, on blocks that no model made, with dice for a model that takes no time."""

from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import block_recordings, live, recordings
from tests import fakes
from tests.fake_blocks import some_recording

PAGE = Path(__file__).parents[2] / "pages" / "honest-numbers.py"
blocks = {DEFAULT_PAIR: some_recording(400, depth=8)}

# Before the page is imported for the first time; afterwards it changes nothing.
live.source = fakes.FakeSource
pairs.pairs = lambda: list(fakes.PAIRS)
recordings.recorded = lambda pair: ()
block_recordings.block_recording = blocks.get

st.set_page_config(layout="wide")
st.navigation([st.Page(PAGE, title="Honest numbers", default=True)], position="top").run()
