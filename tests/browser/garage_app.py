"""Every page with two pairs of dice, and one to be fetched. Jobs stay half done until the file GARAGE_GATE exists; adding makes one up."""

import os
import runpy
import time
from dataclasses import replace
from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import garage_jobs, recordings
from tests import fakes

gate, folder = Path(os.environ["GARAGE_GATE"]), Path(os.environ["EXPEDITER_CACHE"])
if not hasattr(pairs, "dice"):  # this script runs anew at every click; what was added has to stay
    pairs.dice = [replace(pair, folder=Path(__file__).parents[2] / "models" / "pairs" / pair.name) for pair in fakes.PAIRS]
    away = folder / "models" / "smollm2-135m"  # never there: dice need no weights
    pairs.dice.append(
        replace(pairs.dice[0], name="smol", title="Smol", target=away, folder=folder / "smol", missing="Fetch its big model.")
    )
known = pairs.dice
run = fakes.recording(Settings())


def calibrating(info, text):
    """Ten pieces of nothing."""

    def work(report):
        for done in range(10):
            report(done / 10, text["calibrate"].format(what=f"piece {done + 1} of 10"))
            while done == 4 and not gate.exists():
                report(done / 10, text["calibrate"].format(what=f"piece {done + 1} of 10"))
                time.sleep(0.05)

    return work


def fetching(model):
    """Nothing, in ten parts."""

    def work(report):
        for done in range(10):
            report(done / 10, f"{done} of 10 MB are here.")
            while done == 4 and not gate.exists():
                report(done / 10, f"{done} of 10 MB are here.")
                time.sleep(0.05)
        known[:] = [replace(pair, missing="") for pair in known]

    return work


def adding(target, draft, name):
    """A pair out of nothing, or a refusal."""

    def work(report):
        report(0.5, f"Looking for {target} and {draft}.")
        if target == draft:
            raise ValueError(f"{target} cannot guess for itself: give a smaller model.")
        known.append(replace(known[0], name=name or "mine", title=f"{target} + {draft}", folder=folder / "pairs" / (name or "mine")))
        return known[-1]

    return work


# Before a page is imported for the first time; afterwards it changes nothing.
pairs.listed = lambda *models: list(known)
pairs.pairs = lambda *models: [pair for pair in known if not pair.missing]
recordings.recorded = lambda pair: run if pair == DEFAULT_PAIR else ()
garage_jobs.calibrating, garage_jobs.adding, garage_jobs.fetching = calibrating, adding, fetching
if not hasattr(st.switch_page, "here"):  # pages are found beside the script that is served; this one lies elsewhere
    switch = st.switch_page
    st.switch_page = lambda path: switch(Path(__file__).parents[2] / path)
    st.switch_page.here = True
runpy.run_path(str(Path(__file__).with_name("everywhere_app.py")))
