"""What the reader sends to the fleet: arrivals, lanes and how busy it is. Kept from page to page, in the address, clamped."""

from collections.abc import Mapping

import streamlit as st

from expediter.core.arrivals import KINDS
from expediter.core.clock import SimulatedClock
from expediter.core.profile import Profile
from expediter.ui.remembered import Remembered

CHOICES = Remembered("fleet")
LANES = (16, 64, 256, 1024, 4096, 10_000)
BUSY = (50, 70, 90, 110, 130, 160)  # percent of what all lanes bring without guessing


def arrivals(text: Mapping) -> str:
    """closed, poisson or bursts."""
    index = KINDS.index(CHOICES.find("arrivals", KINDS, "bursts"))
    chosen = st.selectbox(text["arrivals"], KINDS, index, format_func=text["arrivals_kinds"].get, key="fleet_arrivals", width=250)
    return CHOICES.keep("arrivals", chosen)


def lanes(text: Mapping, clock: Profile | SimulatedClock) -> int:
    """How many requests can be served at once; at first as many as the clock is good for."""
    usual = 64 if isinstance(clock, Profile) else 256
    index = LANES.index(CHOICES.find("lanes", LANES, usual))
    chosen = st.selectbox(
        text["lanes"], LANES, index, format_func=lambda n: f"{n:,}", key="fleet_lanes", help=text["lanes_help"], width=120
    )
    return CHOICES.keep("lanes", chosen)


def busy(text: Mapping) -> float:
    """Arrivals as a share of what all lanes bring without guessing."""
    usual = CHOICES.find("busy", BUSY, 70)
    chosen = st.select_slider(text["busy"], BUSY, usual, lambda share: f"{share} %", key="fleet_busy", help=text["busy_help"], width=240)
    return CHOICES.keep("busy", chosen) / 100
