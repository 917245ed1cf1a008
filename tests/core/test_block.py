"""Blocks in full: which are kept of a run, what the Markov head changed, and writing and reading them."""

from dataclasses import replace

import pytest

from expediter.core.block import Block, block_set, blocks_of, load, nearest, save
from expediter.core.settings import Settings
from tests.fakes import recording

TRACE = recording(Settings(load=8, depth=3), steps=1)[0]
SAME = [request.drafts for request in TRACE.requests]
OTHER = [(*drafts[:-1], "else") for drafts in SAME]


def test_without_a_head_nothing_differs():
    blocks = blocks_of(TRACE, None)
    assert len(blocks) == 8
    assert all(block.differs == (False, False, False) for block in blocks)
    assert block_set(TRACE, blocks, "", telling=True).differing is None


def test_words_that_the_head_changes_are_marked_by_position():
    assert blocks_of(TRACE, OTHER)[0].differs == (False, False, True)
    assert blocks_of(TRACE, SAME)[0].differs == (False, False, False)


def test_a_telling_choice_takes_blocks_that_differ_and_counts_all():
    plain = [*SAME[:4], *OTHER[4:]]  # the second request of each workload differs
    found = block_set(TRACE, blocks_of(TRACE, plain), "about", telling=True)
    assert [block.request.number for block in found.blocks] == [6, 7, 5, 4]  # arithmetic, code, explanations, stories
    assert (found.drawn, found.differing) == (8, 4)


def test_a_plain_choice_takes_the_first_of_each_workload():
    found = block_set(TRACE, blocks_of(TRACE, OTHER), "", telling=False)
    assert sorted(block.request.number for block in found.blocks) == [0, 1, 2, 3]


def test_without_a_head_the_block_in_which_most_happened_is_telling():
    def of(number: int, sent: int, accepted: int) -> Block:
        return Block(replace(TRACE.requests[0], number=number, sent=sent, accepted=accepted), None)

    found = block_set(TRACE, [of(0, 3, 3), of(1, 2, 0), of(2, 2, 1)], "", telling=True)
    assert [block.request.number for block in found.blocks] == [1]  # refused, behind, left; the third has passed, refused, left


def test_a_step_without_drafts_has_no_blocks():
    bare = replace(TRACE, requests=tuple(replace(r, drafts=(), tokens=(), confidence=(), survival=()) for r in TRACE.requests))
    assert blocks_of(bare, None) == []


def test_what_is_saved_reads_back_the_same(tmp_path):
    sets = (block_set(TRACE, blocks_of(TRACE, OTHER), "about", telling=True), block_set(TRACE, blocks_of(TRACE, None), "", telling=False))
    save(tmp_path / "machines" / "dice.json", sets)
    assert load(tmp_path / "machines" / "dice.json") == sets


@pytest.mark.parametrize("content", ["", "{}", '{"sets": [{}]}', "[]"])
def test_a_damaged_file_is_refused(tmp_path, content):
    path = tmp_path / "dice.json"
    path.write_text(content)
    with pytest.raises((ValueError, KeyError, TypeError)):
        load(path)


def test_the_nearest_temperature_is_found():
    cold, warm = (replace(block_set(TRACE, blocks_of(TRACE, None), "", telling=False), temperature=t) for t in (0.0, 0.8))
    assert nearest((cold, warm), 0.3) is cold
    assert nearest((cold, warm), 0.4) is cold
    assert nearest((cold, warm), 1.5) is warm
    assert nearest((), 1.0) is None
