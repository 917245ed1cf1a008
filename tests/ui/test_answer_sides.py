"""Two columns of text: every token is text, guesses and differences carry a mark, nothing can become markup."""

import json
from pathlib import Path

from expediter.core.answers import POLICIES
from expediter.ui.answer_sides import columns, key, policy_table
from expediter.ui.ways import title
from tests.answers import side_by_side

TEXT = json.loads((Path(__file__).parents[2] / "assets" / "same_answer.json").read_text(encoding="utf-8"))


def test_the_table_has_a_row_for_plain_decoding_and_for_every_policy():
    table = policy_table(side_by_side(), TEXT)
    assert table.count("<tr>") == 2 + len(POLICIES)
    assert table.count("✓ 0") == len(POLICIES)
    assert all(title(policy) in table for policy in POLICIES)
    assert "2.50" in table, "five words in two steps"
    assert policy_table(side_by_side(parted=True), TEXT).count("≠ 1") == len(POLICIES) - 1


def test_token_text_never_becomes_markup():
    html = columns(side_by_side(), "all", 2, TEXT)
    assert "&lt;b&gt;fox" in html
    assert "<b>" not in html
    assert "Story 0 &amp; more" in html
    assert "∎ the answer ends" in html


def test_guesses_that_passed_are_underlined_on_the_right_only():
    html = columns(side_by_side(), "all", 1, TEXT)
    left, right = html.split("<p class='ex-side'>")[1:]
    assert "ex-guessed" not in left
    assert "<span class='ex-guessed'>Once upon</span> a<span class='ex-guessed'>" in right


def test_where_texts_part_both_sides_are_marked_and_the_request_is_shown():
    html = columns(side_by_side(parted=True), "all", 1, TEXT)
    assert html.count("<p class='ex-asked'>") == 2, "the first request and the one that parts"
    assert html.count("<mark class='ex-differs'>") == 2
    assert "ex-behind-difference" in html
    assert "≠" in key(TEXT, differs=True)
    assert "≠" not in key(TEXT, differs=False)


def test_a_run_on_its_way_has_an_empty_right_column():
    html = columns(side_by_side(), "fixed:5", 1, TEXT)
    assert html.endswith("<p class='ex-side'></p></div>")
