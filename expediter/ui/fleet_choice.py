"""What the reader sends to the fleet: arrivals, lanes and how busy it is. Kept from page to page, in the address, clamped."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from expediter.core.arrivals import KINDS
from expediter.core.clock import SimulatedClock
from expediter.core.profile import Profile

KEY = "fleet"  # not a widget's key, so it outlives a change of page
LANES = (16, 64, 256, 1024, 4096, 10_000)
BUSY = (50, 70, 90, 110, 130, 160)  # percent of what all lanes bring without guessing


def arrivals(text: Mapping) -> str:
    """closed, poisson or bursts."""
    index = KINDS.index(_kept("arrivals", KINDS, "bursts"))
    chosen = st.selectbox(text["arrivals"], KINDS, index, format_func=text["arrivals_kinds"].get, key="fleet_arrivals", width=250)
    return _keep("arrivals", chosen)


def lanes(text: Mapping, clock: Profile | SimulatedClock) -> int:
    """How many requests can be served at once; at first as many as the clock is good for."""
    usual = 64 if isinstance(clock, Profile) else 256
    index = LANES.index(_kept("lanes", LANES, usual))
    chosen = st.selectbox(
        text["lanes"], LANES, index, format_func=lambda n: f"{n:,}", key="fleet_lanes", help=text["lanes_help"], width=120
    )
    return _keep("lanes", chosen)


def busy(text: Mapping) -> float:
    """Arrivals as a share of what all lanes bring without guessing."""
    usual = _kept("busy", BUSY, 70)
    chosen = st.select_slider(text["busy"], BUSY, usual, lambda share: f"{share} %", key="fleet_busy", help=text["busy_help"], width=240)
    return _keep("busy", chosen) / 100


def _kept(name: str, options: Sequence[Any], usual: Any) -> Any:
    """What the reader or the address chose; the usual where that is not allowed."""
    chosen = st.session_state.setdefault(KEY, {}).get(name, st.query_params.get(name))
    return next((option for option in options if f"{option}" == f"{chosen}"), usual)


def _keep(name: str, value: Any) -> Any:
    """Remember it beyond this page and put it into the address bar, only where that says something else."""
    st.session_state[KEY][name] = value
    if st.query_params.get(name) != f"{value}":
        st.query_params[name] = f"{value}"
    return value
