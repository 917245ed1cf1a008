"""What the reader looks at on Bumpy roads: kept from page to page, in the address bar, and clamped to what there is."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

KEY = "roads"  # not a widget's key, so it outlives a change of page
NAMES = ("case", "road", "lookup", "draft", "step", "lag")
LONGEST = 10_000.0  # ms


def choices() -> dict[str, Any]:
    """The reader's choices by name; at first those of the address."""
    if KEY not in st.session_state:
        st.session_state[KEY] = {name: st.query_params[name] for name in NAMES if name in st.query_params}
    return st.session_state[KEY]


def choose(
    name: str, label: str, options: Sequence[Any], usual: Any, show: Callable[[Any], str], *, note: str | None = None, width: int = 220
):
    """A select box over `options` that begins where the reader left it. An unknown choice becomes `usual`."""
    key = f"{KEY}_{name}"
    _refill(key, name, options, usual)
    choices()[name] = st.selectbox(label, options, format_func=show, key=key, help=note, width=width)
    return choices()[name]


def number(name: str, label: str, least: int, most: int, usual: int, note: str) -> int:
    """A slider that begins where the reader left it, clamped; without one where there is nothing to choose."""
    if least >= most:
        return least
    key = f"{KEY}_{name}"
    wanted = _whole(st.session_state.get(key, choices().get(name, usual)), usual)
    st.session_state[key] = min(max(wanted, least), most)
    choices()[name] = st.slider(label, least, most, key=key, help=note, width=220)
    return choices()[name]


def milliseconds(name: str, label: str, empty: str, note: str) -> float | None:
    """A field for a time that may stay empty, which means what `empty` says."""
    key = f"{KEY}_{name}"
    if key not in st.session_state:
        kept = _real(choices().get(name))
        st.session_state[key] = None if kept is None else min(max(kept, 0.0), LONGEST)
    value = st.number_input(label, 0.0, LONGEST, value=None, step=1.0, key=key, placeholder=empty, help=note, width=170)
    choices()[name] = "" if value is None else value
    return value


def go_to(name: str, value: Any) -> None:
    """Choose for the reader; for callbacks, which run before the page does."""
    choices()[name] = value
    st.session_state[f"{KEY}_{name}"] = value


def write(shown: Sequence[str]) -> None:
    """Put the choices that are on screen into the address bar and take the others out, only where it says something else."""
    for name in NAMES:
        value = f"{choices().get(name, '')}"
        if name in shown and value:
            if st.query_params.get(name) != value:
                st.query_params[name] = value
        elif name in st.query_params:
            del st.query_params[name]


def _refill(key: str, name: str, options: Sequence[Any], usual: Any) -> None:
    if st.session_state.get(key) not in options:
        kept = choices().get(name, usual)
        st.session_state[key] = kept if kept in options else usual


def _real(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any, usual: int) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return usual
