"""The Expediter: page settings, navigation and the row beneath every page, nothing else. Start it with: streamlit run app.py"""

import streamlit as st

from expediter.ui.front import door
from expediter.ui.share import share_page

door().set()
st.set_page_config(page_title="The Expediter", page_icon="🚚", layout="wide", initial_sidebar_state="collapsed")
# A page's address is its file's name: before this script has run once, Streamlit looks for the address among the files in pages/.
pages = [
    st.Page("pages/loading_dock.py", title="Loading dock", default=True),
    st.Page("pages/the-story.py", title="The story", url_path="the-story"),
    st.Page("pages/rush-hour.py", title="Rush hour", url_path="rush-hour"),
    st.Page("pages/honest-numbers.py", title="Honest numbers", url_path="honest-numbers"),
    st.Page("pages/bumpy-roads.py", title="Bumpy roads", url_path="bumpy-roads"),
    st.Page("pages/same-answer.py", title="Same answer", url_path="same-answer"),
    st.Page("pages/three-machines.py", title="Three machines", url_path="three-machines"),
    st.Page("pages/garage.py", title="Garage", url_path="garage"),
    st.Page("pages/proof.py", title="Proof", url_path="proof"),
    st.Page("pages/glossary.py", title="Glossary", url_path="glossary"),
]
page = st.navigation(pages, position="top")
st.set_page_config(page_title=f"{page.title} · The Expediter")
page.run()
if page is not pages[0]:  # the dock's own row belongs to the step on its stage
    share_page(page.url_path)
