"""Results of jobs, kept in the cache folder for the next visit. A file that does not read counts as none: a new result replaces it."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.core import cache

MOST = 24  # files of a kind; beyond it the oldest makes room

log = logging.getLogger(__name__)


def path(kind: str, pair: str, weights: str, *rest: str, suffix: str = ".json") -> Path | None:
    """Where a result of this kind is kept; None while nobody knows the pair's weights: it must not be shown for others."""
    return cache.file(kind, pair, weights, *rest).with_suffix(suffix) if weights else None


def keep(path: Path | None, write: Callable[[Path], None]) -> None:
    """Write a result there, whole or not at all. Where that is not possible it lives as long as this process, and the log says why."""
    if path is None:
        return
    try:
        write(path)
        for old in sorted(path.parent.glob(f"*{path.suffix}"), key=lambda file: file.stat().st_mtime_ns)[:-MOST]:
            old.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s could not be kept for next time (%s): free some disk space or set EXPEDITER_CACHE.", path.name, error.strerror)


def find(path: Path | None, read: Callable[[Path], Any]) -> Any:
    """What lies there; None where nothing does that reads. read: raises OSError or ValueError."""
    if path is None:
        return None
    try:
        return _read(path, path.stat().st_mtime_ns, read)
    except OSError:
        return None


@st.cache_resource(show_spinner=False, max_entries=8)
def _read(path: Path, written: int, _read: Callable[[Path], Any]) -> Any:
    """written: when, so that a new result is read anew."""
    try:
        return _read(path)
    except (OSError, ValueError):
        log.exception("%s does not read", path.name)
        return None
