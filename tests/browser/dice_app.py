"""app.py with dice in place of models, for tests of the page. DICE_LOAD and DICE_MEASURE say how many seconds the dice take.

DICE_GATE, where it is set, names a file: the dice are loaded once it exists, so that a test can look at the page before.
"""

import os
import time
from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import live, recordings
from tests import fakes

PAGES = Path(__file__).parents[2] / "pages"

load_seconds, measure_seconds = float(os.environ["DICE_LOAD"]), float(os.environ["DICE_MEASURE"])
shipped = fakes.profile("recorded on another machine" if measure_seconds else "measured here")
run = fakes.recording(Settings())
gate = os.environ.get("DICE_GATE")


class Source(fakes.FakeSource):
    """Waits at the gate."""

    def load(self, name: str) -> str:
        while gate and not Path(gate).exists():
            time.sleep(0.05)
        return super().load(name)


# Before the page is imported for the first time; afterwards it changes nothing.
live.source = lambda: Source(load_seconds, measure_seconds, shipped)
pairs.pairs = lambda: list(fakes.PAIRS)
recordings.recorded = lambda pair: run if pair == DEFAULT_PAIR else ()

st.set_page_config(layout="wide")
dock = st.Page(PAGES / "loading_dock.py", title="Loading dock", default=True)
roads = st.Page(PAGES / "bumpy-roads.py", title="Bumpy roads", url_path="bumpy-roads")
st.navigation([dock, roads], position="top").run()
