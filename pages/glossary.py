"""The glossary: every term in a sentence or two. All of it is on the page at once, so that the browser's own search finds it."""

from html import escape

import streamlit as st

from expediter.ui.anchors import follow_anchor
from expediter.ui.front import through_app
from expediter.ui.glossary import group_html, words
from expediter.ui.page import top

through_app()

text = words()

top(text["title"])
st.html(f"<p class='ex-promise'>{escape(text['promise'])}</p><p class='ex-read'>{escape(text['search'])}</p>")
for group in text["groups"]:
    st.html(f"<h2>{escape(group['title'])}</h2>{group_html(group)}")
follow_anchor()
