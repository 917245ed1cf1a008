"""Plain decoding by transformers and scheduled decoding by the engine, both watched while they grow, on random models."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from expediter.core.answers import POLICIES
from expediter.core.settings import Settings
from expediter.engine.plain import plain_answers
from expediter.engine.same_answer import sampling, side_by_side
from tests.engine import tiny

PAIR = tiny.pair()
PROMPTS = {n: ("stories", f"prompt {n}") for n in range(3)}


def reference():
    """The target's weights with transformers' own attention."""
    plain = tiny.model("llama", 64, 0)
    plain.load_state_dict(PAIR.target.model.state_dict())
    return plain


def test_plain_answers_grow_token_by_token():
    seen = []
    answers = plain_answers(reference(), PAIR, PROMPTS, 6, nullcontext(), seen.append)
    assert [len(grown[0].tokens) for grown in seen] == [1, 2, 3, 4, 5, 6]
    assert all(len(answer.tokens) == len(answer.leads) == 6 for answer in answers.values())
    assert answers[0].tokens == seen[-1][0].tokens
    assert min(answers[0].leads) >= 0


def test_an_answer_stops_behind_its_end_mark():
    whole = plain_answers(reference(), PAIR, PROMPTS, 6, nullcontext())[0].tokens
    ends = replace(PAIR, tokenizer=replace(PAIR.tokenizer, eos_token_id=whole[2]))
    assert plain_answers(reference(), ends, PROMPTS, 6, nullcontext())[0].tokens == whole[: whole.index(whole[2]) + 1]


def test_both_ways_are_watched_and_agree_in_the_end():
    shares, pictures = [], []
    settings = Settings(pair="tiny", load=4, depth=3, temperature=0.8, seed=2)

    def watch(share, picture):
        shares.append(share)
        pictures.append(picture)

    run = side_by_side(PAIR, reference(), settings, tiny.rising(), 8, nullcontext(), watch)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert tuple(run.comparisons) == POLICIES
    assert run.differences == ()
    assert run.compared == len(POLICIES) * 4 * 8
    assert not pictures[0].served
    assert all(token in picture.words for picture in pictures for answer in picture.plain.values() for token in answer.tokens)


def test_a_watcher_can_end_the_run():
    class Enough(Exception):
        pass

    def watch(share, picture):
        raise Enough

    settings = Settings(pair="tiny", load=2, depth=3, temperature=1.0, seed=2)
    with pytest.raises(Enough):
        side_by_side(PAIR, reference(), settings, tiny.rising(), 8, nullcontext(), watch)
    with pytest.raises(Enough):
        sampling(PAIR, reference(), settings, tiny.rising(), "", 50, "honest", nullcontext(), watch)


def test_the_running_p_value_ends_at_the_planned_sample():
    settings = Settings(pair="tiny", load=8, depth=3, temperature=1.0, seed=2)
    run = sampling(PAIR, reference(), settings, tiny.rising(), "", 300, "honest", nullcontext(), lambda share, picture: None)
    assert run.complete
    assert run.trail[-1] == (300, run.fit.p_value)
    assert len(run.trail) <= 65
    assert sum(run.sent) > 0
