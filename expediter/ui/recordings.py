"""The recorded runs that ship with the pairs: what a reader sees before the model is loaded."""

import logging
from pathlib import Path

import streamlit as st

from expediter.core.trace import StepTrace, load

FOLDER = Path(__file__).parents[2] / "assets" / "traces"

log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def recorded(pair: str) -> tuple[StepTrace, ...]:
    """A pair's recorded steps, oldest first; none when it ships without a recording or the file does not read."""
    path = FOLDER / f"{pair}.json"
    try:
        return tuple(load(path))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        log.exception("%s does not read: record it again with python -m expediter record", path.name)
        return ()
