"""The glossary as HTML: one entry a term, the machine's word, the van's word and the symbol side by side. Pure; all text is escaped."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

WORDS = Path(__file__).parents[2] / "assets" / "glossary.json"
OTHER = ("machine", "van", "symbol")


@cache
def words() -> dict:
    """The whole of assets/glossary.json. Read once a process."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def terms() -> Iterator[dict]:
    """Every entry, in reading order."""
    for group in words()["groups"]:
        yield from group["terms"]


def group_html(group: Mapping) -> str:
    """One group's entries as a description list."""
    return f"<dl class='ex-glossary'>{''.join(map(_entry, group['terms']))}</dl>"


def _entry(term: Mapping) -> str:
    text, anchor = words(), escape(term["id"])
    link = f"<a href='#{anchor}' aria-label='{escape(text['link'].format(name=term['name']))}'>#</a>"
    others = "".join(
        f"<dd class='ex-other'><small>{escape(text[kind])}</small> {escape(term[kind])}</dd>" for kind in OTHER if kind in term
    )
    return f"<div id='{anchor}'><dt>{escape(term['name'])} {link}</dt><dd>{escape(term['text'])}</dd>{others}</div>"
