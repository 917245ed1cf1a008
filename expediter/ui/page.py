"""What every chapter's page begins with and is built from: title and promise, headings, paragraphs, and what is folded away."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

import streamlit as st

from expediter.ui.reader import known_pairs
from expediter.ui.theme import css_variables

ASSETS = Path(__file__).parents[2] / "assets"


def page_words(name: str) -> dict:
    """A page's words, from assets/<name>.json."""
    return json.loads((ASSETS / f"{name}.json").read_text(encoding="utf-8"))


def opening(text: Mapping, styles: str = "") -> None:
    """Title, promise and "how to read this". A page without any pair of models ends here and says so. `styles`: CSS of this page alone."""
    top(text["title"], styles)
    say(text["promise"], kind="promise")
    if not known_pairs():
        st.error(text["no_pairs"])
        st.stop()
    how(text)


def top(title: str, styles: str = "") -> None:
    """The words' colours, the styles of all pages, those of this one, and its title."""
    st.html(f"<style>{css_variables()}\n{(ASSETS / 'page.css').read_text(encoding='utf-8')}\n{styles}</style>")
    st.title(title, anchor=False)


def how(text: Mapping) -> None:
    """The page's own explanations, folded away."""
    folded(text["how_title"], "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in text["how"]) + "</ul>")


def folded(title: str, html: str) -> None:
    """Something to open. `html` comes from this project's own code, never from a model or a reader."""
    st.html(f"<details class='ex-how'><summary>{escape(title)}</summary>{html}</details>")


def heading(title: str, level: str = "h2", clock: str = "") -> None:
    """A section's title, with whose clock its numbers are on."""
    label = f" <small class='ex-clock'>{escape(clock)}</small>" if clock else ""
    st.html(f"<{level}>{escape(title)}{label}</{level}>")


def say(*sentences: str, kind: str = "read") -> None:
    """Paragraphs in one of the pages' styles; nothing for empty ones."""
    if paragraphs := "".join(f"<p class='ex-{kind}'>{escape(sentence)}</p>" for sentence in sentences if sentence):
        st.html(paragraphs)
