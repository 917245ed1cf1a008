"""Two pages, each with a part that looks again by itself; a button on the first one leads to the second."""

import itertools
import os
import time

import streamlit as st

from expediter.ui.other_page import go_to


def first() -> None:
    """Asks for its part without a pause."""
    st.title("First")
    ticking(0.01)
    if st.button("Leave"):
        go_to(pages[1])


def second() -> None:
    """Takes a while."""
    st.title("Second")
    time.sleep(0.3)
    st.write("all there")
    ticking(0.1)


def ticking(every: float) -> None:
    """How often it has been looked at."""
    looks = itertools.count()

    @st.fragment(run_every=every)
    def look() -> None:
        st.write(f"looked {next(looks)} times")

    look()


if os.environ.get("LEAVING_PLAIN"):  # what happens without go_to, for whoever wonders whether it is still needed
    go_to = st.switch_page
pages = [st.Page(first, default=True), st.Page(second)]
st.navigation(pages).run()
