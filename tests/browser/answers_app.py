"""The page Same answer with dice in place of models, for tests in a browser.

A run made here stays unfinished, to be watched, until the file ANSWERS_GATE exists.
"""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.answer_file import AnswerFile
from expediter.core.settings import Settings
from expediter.ui import live, pair_job, recordings
from tests import answers, fakes

ROOT = Path(__file__).parents[2]
run = fakes.recording(Settings(), steps=1)


def on_pair(name, work, profiled=True):
    """A job whose growing pictures come from nowhere."""

    def roll(report):
        for requests in (1, 2, 3):
            report(requests / 4, f"{requests} of 4", answers.side_by_side(requests=requests))
        while not Path(os.environ["ANSWERS_GATE"]).exists():
            report(3 / 4, "3 of 4")
            time.sleep(0.05)
        return AnswerFile(datetime.now(UTC).isoformat(), "abc", (answers.side_by_side(requests=4),), None)

    return roll


# Before the page is imported for the first time; afterwards it changes nothing.
live.source = fakes.FakeSource
pairs.pairs = lambda: list(fakes.PAIRS)
recordings.recorded = lambda pair: run
pair_job.on_pair = on_pair

from expediter.ui import answer_runs, block_recordings  # noqa: E402

answer_runs.recorded = lambda pair: answers.answer_file()
block_recordings.weights_now = lambda pair: ""

st.set_page_config(layout="wide")
page = st.Page(ROOT / "pages" / "same-answer.py", title="Same answer", url_path="same-answer", default=True)
st.navigation([page], position="top").run()
