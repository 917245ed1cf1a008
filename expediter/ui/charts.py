"""Putting a figure on the page: with the page's colours, without a tool bar, and with its content in words."""

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

QUIET = {"displayModeBar": False, "scrollZoom": False}


def scheme() -> str:
    """ "light" or "dark", as the reader's page is."""
    return "dark" if st.context.theme.type == "dark" else "light"


def chart(figure: Callable[[str], go.Figure], alt: str, key: str) -> None:
    """Draw a figure, made for the page's scheme, and say the same in words to those who do not see it."""
    st.plotly_chart(figure(scheme()), key=key, config=QUIET, alt=alt)
