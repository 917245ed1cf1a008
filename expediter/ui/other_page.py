"""From one page to another by the script's own will."""

from os import PathLike

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def go_to(page: "str | PathLike[str] | st.Page") -> None:
    """As st.switch_page, for pages with a part that looks again by itself (run_every).

    Until the browser hears of the other page it goes on asking for this page's parts. Streamlit would answer once the other page is drawn,
    and take that one away for it. So this page's parts are forgotten before it is left: whoever asks for them then is not heard.
    """
    if context := get_script_run_ctx():
        context.fragment_storage.clear()
    st.switch_page(page)
