"""Drafting beside a twin without its Markov head: the run is the same as without the twin, and the twin has the same chances."""

from itertools import islice

import pytest
import torch

from expediter.core.settings import Settings
from expediter.engine.head_off import steps
from expediter.engine.loop import Engine
from expediter.engine.matrix import Matrix
from tests.engine import tiny

CHOSEN = Settings(pair="tiny", load=4, depth=5, temperature=0.8, seed=3)


def engine(pair, settings: Settings = CHOSEN) -> Engine:
    return Engine(pair, settings, tiny.rising())


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_the_run_is_the_one_without_a_twin(temperature):
    settings = Settings(pair="tiny", load=4, depth=5, temperature=temperature, seed=3)
    alone, watched = engine(tiny.dspark_pair(), settings), steps(engine(tiny.dspark_pair(), settings))
    for trace, _ in islice(watched, 4):
        expected = alone.step()
        assert [r.tokens for r in trace.requests] == [r.tokens for r in expected.requests]
        assert [(r.accepted, r.own_token) for r in trace.requests] == [(r.accepted, r.own_token) for r in expected.requests]


def test_the_head_changes_words_but_never_where_it_is_zero():
    pair = tiny.dspark_pair()
    drawn = [block for _, blocks in islice(steps(engine(pair)), 4) for block in blocks]
    assert any(any(block.differs) for block in drawn)
    pair = tiny.dspark_pair()
    model = pair.drafter(1).model
    model.after = Matrix(torch.zeros(model.config.proposes, model.config.rank))
    drawn = [block for _, blocks in islice(steps(engine(pair)), 4) for block in blocks]
    assert not any(any(block.differs) for block in drawn)


def test_an_ordinary_draft_has_no_twin():
    drawn = [block for _, blocks in islice(steps(engine(tiny.pair())), 2) for block in blocks]
    assert drawn
    assert all(block.plain is None for block in drawn)


def test_a_step_that_drafts_nothing_gives_no_blocks():
    settings = Settings(pair="tiny", load=2, policy="off")
    assert [blocks for _, blocks in islice(steps(engine(tiny.dspark_pair(), settings)), 2)] == [[], []]
