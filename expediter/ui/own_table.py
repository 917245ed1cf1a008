"""The reader's own cost table: pasted or uploaded, checked, kept for the next reload."""

from html import escape

import streamlit as st

from expediter.core.clock import OWN, SimulatedClock
from expediter.core.table_reader import TableError, read_bytes, read_table
from expediter.ui import kept_tables, road_choice
from expediter.ui.captions import count
from expediter.ui.session import Session

TEXT, FILE, TOLD, NEWEST = "own_text", "own_file", "own_told", "own_newest"
HIGH = 170  # pixels


def bring(session: Session, text: dict) -> None:
    """The form, and what became of the last try."""
    st.html(f"<p class='ex-read'>{escape(text['own_about'])}</p>")
    st.text_area(text["own_text"], key=TEXT, height=HIGH, placeholder=text["own_sample"], on_change=_newest, args=(TEXT,))
    st.file_uploader(text["own_file"], key=FILE, max_upload_size=4, on_change=_newest, args=(FILE,))
    st.button(text["own_read"], on_click=_read, args=(session, text), key="own_read")
    told = st.session_state.get(TOLD, "")
    if told:
        st.html(f"<p class='ex-notice' role='status'>{escape(told)}</p>")


def _newest(key: str) -> None:
    """The reader has given, or taken away, a text or a file: what they gave last counts."""
    st.session_state[NEWEST] = key
    st.session_state[TOLD] = ""


def _read(session: Session, text: dict) -> None:
    """Read what was given last, of a text and a file; on success it becomes the road on screen."""
    file, pasted = st.session_state.get(FILE), (st.session_state.get(TEXT) or "").strip()
    if file is None and not pasted:
        st.session_state[TOLD] = text["own_nothing"]
        return
    by_file = file is not None and not (pasted and st.session_state.get(NEWEST) == TEXT)
    try:
        table = read_bytes(file.getvalue()) if by_file else read_table(pasted)
    except TableError as error:
        st.session_state[TOLD] = str(error)
        return
    session.bring(table)
    kept_tables.keep(table)
    road_choice.go_to("case", "")
    road_choice.go_to("road", OWN)
    st.session_state[TOLD] = text["own_done"].format(
        sizes=count(len(table.batch), "size"), first=f"{table.batch[0]:,}", last=f"{table.batch[-1]:,}", source=table.source,
        fingerprint=SimulatedClock(table).fingerprint,
    )  # fmt: skip
