"""A page with one job, for test_job_panel. The address says which of its kind."""

import streamlit as st

from expediter.ui import jobs
from expediter.ui.job import Asked
from expediter.ui.job_panel import offer
from tests.ui.test_job_panel import GATES

name = st.query_params.get("name", "one")
asked = Asked(f"work {name}", f"the {name}")
offer("begin", asked, lambda: GATES[name], key="begin")
if made := jobs.result(asked):
    st.text(made)
