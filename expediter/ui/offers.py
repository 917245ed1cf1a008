"""Where this machine's van never fills: a way to see one that does."""

from collections.abc import Mapping

import streamlit as st

from expediter.core.tables import TABLES
from expediter.ui.controls import refill
from expediter.ui.session import Session
from expediter.ui.wording import never_fills

ROADS = ("published-gpu", "smooth")  # tables whose steps grow with the batch


def offers(session: Session, text: Mapping[str, str]) -> None:
    """A button a simulated clock, only where the measured steps cost the same at every size."""
    with st.container(horizontal=True, key="offers", gap="small"):  # always there: what comes after keeps its place on the page
        for name in ROADS if never_fills(session) else ():
            label = text["flat_offer"].format(title=TABLES[name].title)
            st.button(label, key=f"offer_{name}", on_click=refill, args=({"hardware": name},))
