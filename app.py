"""The Expediter: page settings and navigation, nothing else. Start it with: streamlit run app.py"""

import streamlit as st

st.set_page_config(page_title="The Expediter", page_icon="🚚", layout="wide", initial_sidebar_state="collapsed")
# A page's address is its file's name: before this script has run once, Streamlit looks for the address among the files in pages/.
pages = [
    st.Page("pages/loading_dock.py", title="Loading dock", default=True),
    st.Page("pages/the-story.py", title="The story", url_path="the-story"),
    st.Page("pages/bumpy-roads.py", title="Bumpy roads", url_path="bumpy-roads"),
]
st.navigation(pages, position="top").run()
