"""Blocks as HTML: text that a model wrote is never markup, every state has a mark and a label."""

from dataclasses import replace
from html import escape

import numpy as np

from expediter.core.acceptance_counts import acceptance_counts
from expediter.core.block import Block
from expediter.ui import block_rows
from expediter.ui.theme import STATES
from tests.machine_case import dice_set

TEXT = {"prompt": "Asked", "answer": "Answer", "begins": "(begins)", "head_on": "On", "head_off": "Off"}
BLOCK = dice_set(head=True).blocks[0]
EVIL = "<script>x</script>"


def test_words_are_escaped_everywhere():
    request = replace(BLOCK.request, drafts=(EVIL,) * 5, before=EVIL, prompt=EVIL, own=EVIL)
    block = Block(request, (f"{EVIL}!",) * 5)
    for html in (block_rows.setting(block, TEXT), block_rows.head_rows(block, TEXT), block_rows.chance_tiles(block)):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
    assert "<i>" not in block_rows.counts_table({"<i>": acceptance_counts(np.array([1]), 1)})


def test_only_words_that_differ_are_marked_and_said_to_differ():
    html = block_rows.head_rows(BLOCK, TEXT)
    assert html.count(block_rows.DIFFERS) == html.count("(differs)") == 2
    assert html.count("<li") == 10
    assert block_rows.DIFFERS not in block_rows.head_rows(Block(BLOCK.request, None), TEXT)


def test_every_fate_has_its_mark_and_label():
    html = block_rows.chance_tiles(Block(replace(BLOCK.request, sent=3, accepted=1), None))
    for fate, number in {"passed": 1, "refused": 1, "behind": 1, "left": 2, "own": 1}.items():
        assert html.count(f"ex-fate-{fate}") == number
        assert html.count(escape(f"{STATES[fate].mark} {STATES[fate].label}")) == number


def test_an_answer_that_ended_has_no_own_word():
    assert "ex-fate-own" not in block_rows.chance_tiles(Block(replace(BLOCK.request, own=None), None))


def test_a_long_answer_is_cut_in_front_and_an_empty_one_is_said():
    assert "…" in block_rows.setting(Block(replace(BLOCK.request, before="long " * 80), None), TEXT)
    assert "(begins)" in block_rows.setting(Block(replace(BLOCK.request, before="\n"), None), TEXT)


def test_a_shorter_drafter_has_dashes_where_it_does_not_guess():
    table = block_rows.counts_table({"A": acceptance_counts(np.array([2]), 2), "B": acceptance_counts(np.array([1]), 1)})
    assert table.count("–") == 1
    assert table.count("1 of 1") == 3
