"""A page's own choices: kept from page to page, in the address bar, and clamped to what there is."""

from collections.abc import Sequence
from typing import Any

import streamlit as st


class Remembered:
    """What the reader chose on one page, by name."""

    def __init__(self, key: str) -> None:
        """key: where the session keeps them; no widget's key, so that they outlive a change of page."""
        self._key = key

    def find(self, name: str, options: Sequence[Any], usual: Any) -> Any:
        """What the reader or the address chose; the usual where that is none of the options."""
        chosen = st.session_state.setdefault(self._key, {}).get(name, st.query_params.get(name))
        return next((option for option in options if f"{option}" == f"{chosen}"), usual)

    def keep(self, name: str, value: Any) -> Any:
        """Remember it beyond this page and put it into the address bar, only where that says something else. → the value"""
        st.session_state.setdefault(self._key, {})[name] = value
        if st.query_params.get(name) != f"{value}":
            st.query_params[name] = f"{value}"
        return value
