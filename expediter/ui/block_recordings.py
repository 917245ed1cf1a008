"""The recorded blocks that ship with the pairs: what the pages that need thousands of guesses show before any model is loaded."""

import logging

import streamlit as st

from expediter.core.recorded_blocks import Recording, RecordingError, load_blocks, path_of
from expediter.core.weights import fingerprint
from expediter.ui.reader import known_pairs

log = logging.getLogger(__name__)


@st.cache_resource(show_spinner=False)
def block_recording(pair: str) -> Recording | None:
    """A pair's recorded blocks; None when it ships without or the file does not read."""
    try:
        return load_blocks(path_of(pair))
    except FileNotFoundError:
        return None
    except RecordingError:
        log.exception("the recorded blocks of %s are left out", pair)
        return None


@st.cache_resource(show_spinner=False)
def weights_now(pair: str) -> str:
    """The fingerprint of the weights that lie in models/ now; empty when they cannot be read."""
    try:
        return fingerprint(next(info for info in known_pairs() if info.name == pair))
    except OSError:
        return ""
