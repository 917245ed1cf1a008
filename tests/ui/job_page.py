"""A page with one job, for test_job."""

import streamlit as st

from expediter.ui.job import find, panel, start

if st.button("begin", key="begin"):
    start("work", st.session_state["gate"])
panel("work")
job = find("work")
if job is not None and job.state == "done":
    st.text(job.result)
