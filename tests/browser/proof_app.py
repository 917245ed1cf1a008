"""Proof alone, with dice in place of models and a benchmark of our own in place of the shipped ones."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from expediter.core import pairs
from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import live, proofs
from tests import fakes
from tests.core.bench_case import made

# Before the page is imported for the first time; afterwards it changes nothing.
live.source = fakes.FakeSource
pairs.pairs = lambda: list(fakes.PAIRS)
result = replace(made(all=100, oracle=230), pair=DEFAULT_PAIR, notes=("Something was left out.",))
proofs.recorded_benches = lambda pair: (result,) if pair == DEFAULT_PAIR else ()

st.set_page_config(layout="wide")
page = st.Page(Path(__file__).parents[2] / "pages" / "proof.py", title="Proof", default=True)
st.navigation([page], position="top").run()
