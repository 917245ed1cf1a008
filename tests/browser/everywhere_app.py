"""app.py itself, every page of its navigation with everything that is shipped, but with dice in place of models."""

import runpy
from pathlib import Path

import streamlit as st

from expediter.ui import live
from tests import fakes

ROOT = Path(__file__).parents[2]

live.source = fakes.FakeSource  # before a page is imported for the first time; afterwards it changes nothing
if not hasattr(st.Page, "here"):  # pages are found beside the script that is served; this one lies elsewhere
    page = st.Page
    st.Page = lambda path, **rest: page(ROOT / path, **rest)
    st.Page.here = True
runpy.run_path(str(ROOT / "app.py"))
