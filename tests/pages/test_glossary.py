"""The glossary: every term on the page at once, each with an address of its own, nothing said twice."""

import json
import re
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from expediter.ui.glossary import OTHER, group_html, terms, words

ROOT = Path(__file__).parents[2]
ASKED = (
    "token", "draft", "target", "confidence", "survival", "batch", "step rate", "score", "anchor", "standing order", "prefix", "rejection",
    "bonus", "temperature", "γ", "calibration", "ECE", "AUC", "Markov head", "Sequential Temperature Scaling", "lossless", "stale budget",
    "reading", "forward pass", "layer", "pile", "not drafting", "lag", "cold start", "noise", "clairvoyant", "cheat sheet", "honesty check",
)  # fmt: skip


def test_every_term_is_on_the_page():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run().switch_page("pages/glossary.py").run()
    assert not app.exception
    shown = " ".join(element.proto.body for element in app.get("html"))
    for term in terms():
        assert f"id='{term['id']}'" in shown
        assert escape(term["text"]) in shown


@pytest.mark.parametrize("word", ASKED)
def test_a_newcomer_finds_the_word_of_the_field(word):
    assert word.lower() in json.dumps(words(), ensure_ascii=False).lower()


def test_addresses_are_plain_and_unique():
    ids = [term["id"] for term in terms()]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z][a-z-]*", one) for one in ids)


def test_an_entry_is_short_and_has_known_parts():
    for term in terms():
        assert set(term) <= {"id", "name", "text", *OTHER}
        assert len(re.findall(r"[.;?!](?:\s|$)", term["text"])) <= 4, term["name"]


def test_text_is_escaped():
    html = group_html({"terms": [{"id": "x", "name": "<b>", "text": "a < b", "van": "<i>"}]})
    assert "<b>" not in html
    assert "<i>" not in html
    assert "a &lt; b" in html
