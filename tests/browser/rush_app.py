"""Rush hour alone, with dice in place of models and invented sweeps and blocks, for its browser tests.

Half a measurement is made at once; the rest when the file RUSH_GATE exists.
"""

import os
import time
from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import fleet, fleet_run, live, recordings, sweeps
from tests import fakes
from tests.fake_sweeps import sweep
from tests.pages.test_rush_hour import dealt

PAGE = Path(__file__).parents[2] / "pages" / "rush-hour.py"
run = fakes.recording(Settings(), steps=2)


def measure(pair, settings, profile, report, turns):
    """Twenty pieces of work, then an invented sweep."""
    done = 0
    while done < 20:
        report(done / 20, f"Measuring piece {done + 1} of 20…")
        with turns:
            time.sleep(0.05)
        done += done < 10 or Path(os.environ["RUSH_GATE"]).exists()
    return sweep(machine="this very machine")


# Before the page is imported for the first time; afterwards it changes nothing.
live.source = fakes.FakeSource
pairs.pairs = lambda: list(fakes.PAIRS)
recordings.recorded = lambda pair: run if pair == DEFAULT_PAIR else ()
sweeps.measure, sweeps.weights_now = measure, lambda pair: "abc"
sweeps._recorded = lambda name: sweep() if name == DEFAULT_PAIR else None
fleet.shown = dealt
fleet_run.BLOCKS, fleet_run.LEAST_STEPS, fleet_run.DAY = 8, 2, (30, 30, 1)

st.set_page_config(layout="wide")
st.navigation([st.Page(PAGE, title="Rush hour", default=True)], position="top").run()
