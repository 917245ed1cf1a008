"""Tables that readers brought along, each under its fingerprint: in this process and in the cache folder, so that an address can name one.

Two tabs with two tables have two fingerprints in their addresses: neither can take the other's place.
"""

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

import streamlit as st

from expediter.core import cache, table_file
from expediter.core.clock import SimulatedClock
from expediter.core.tables import CostTable
from expediter.ui import kept
from expediter.ui.moment import FINGERPRINT

NAME = "own"  # in the address


class Shelf:
    """The newest of them by fingerprint, for where nothing can be written."""

    def __init__(self) -> None:
        self._tables: dict[str, CostTable] = {}
        self._changing = Lock()

    def put(self, fingerprint: str, table: CostTable) -> None:
        """Another one; the oldest makes room."""
        with self._changing:
            self._tables.pop(fingerprint, None)
            self._tables[fingerprint] = table
            while len(self._tables) > kept.MOST:
                del self._tables[next(iter(self._tables))]

    def find(self, fingerprint: str) -> CostTable | None:
        """None where it is not, or no longer, there."""
        return self._tables.get(fingerprint)


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """The process's one."""
    return Shelf()


def keep(table: CostTable) -> None:
    """For the next reload, and for a link that is opened on this machine."""
    name = SimulatedClock(table).fingerprint
    shelf().put(name, table)
    kept.keep(_path(name), lambda to: table_file.save(to, table))


def asked(query: Mapping[str, str]) -> CostTable | None:
    """The table that an address names; None where it names none, or one that is not here."""
    name = query.get(NAME, "")
    if not FINGERPRINT.fullmatch(name):
        return None
    return shelf().find(name) or kept.find(_path(name), table_file.load)


def spell(table: CostTable | None) -> dict[str, str]:
    """A table as the address names it."""
    return {NAME: SimulatedClock(table).fingerprint} if table else {}


def write(table: CostTable | None) -> None:
    """Name the reader's table in the address bar, only where it says something else."""
    for name, value in spell(table).items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def _path(fingerprint: str) -> Path:
    return cache.file("tables", fingerprint)
