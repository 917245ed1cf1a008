"""Plain and scheduled answers side by side: what counts as compared, where texts part, what a recording keeps."""

from dataclasses import replace

import pytest

from expediter.core.answers import Comparison, Difference, PlainAnswer, ServedAnswer, SideBySide, compare
from expediter.core.settings import Settings
from tests.fakes import recording


def plain(number: int, *tokens: int) -> PlainAnswer:
    return PlainAnswer(number, "stories", "Tell a story.", tokens, tuple(float(token) for token in tokens))


def served(number: int, *tokens: int, steps: int = 1) -> ServedAnswer:
    return ServedAnswer(number, tokens, (True,) * len(tokens), steps)


PLAIN = {0: plain(0, 5, 6, 7), 1: plain(1, 8, 9)}


def test_equal_answers_are_compared_whole():
    found = compare("all", PLAIN, {0: served(0, 5, 6, 7), 1: served(1, 8, 9, steps=2)})
    assert found == Comparison("all", 5, (), 5, 3)
    assert found.same
    assert found.pace == pytest.approx(5 / 3)


def test_behind_a_difference_nothing_is_compared():
    found = compare("all", PLAIN, {0: served(0, 5, 1, 7), 1: served(1, 8, 9)})
    assert found.differences == (Difference(0, 1, 6, 1, 6.0),)
    assert found.compared == 4


def test_an_answer_on_its_way_is_compared_as_far_as_it_goes():
    assert compare("all", PLAIN, {0: served(0, 5)}).compared == 1
    assert compare("all", PLAIN, {}).compared == 0


def test_a_step_adds_what_passed_and_the_own_word():
    request = recording(Settings(load=4), steps=1)[0].requests[0]
    answer = ServedAnswer(request.number).then(request, limit=100)
    assert answer.tokens == (*request.tokens[: request.accepted], request.own_token)
    assert answer.guessed == (*[True] * request.accepted, False)
    assert answer.steps == 1
    ended = replace(request, own=None, own_token=None)
    assert len(ServedAnswer(request.number).then(ended, limit=100).tokens) == request.accepted
    assert len(answer.then(request, limit=2).tokens) == 2


def test_a_recording_keeps_the_first_texts_and_some_that_part():
    found = compare("all", PLAIN, {0: served(0, 5, 6, 7), 1: served(1, 8, 1)})
    run = SideBySide("p", "float32", 2, 3, "dice", PLAIN, {"all": {0: served(0, 5, 6, 7), 1: served(1, 8, 1)}}, {"all": found}, {})
    words = {token: f"w{token}" for token in range(10)}
    whole = run.spelled(words)
    assert set(whole.words) == {1, 5, 6, 7, 8, 9}
    assert (whole.compared, len(whole.differences)) == (5, 1)
    assert list(whole.keeping(2).plain) == [0, 1]
    third = replace(whole, plain={7: PLAIN[0], 1: PLAIN[1]}, served={"all": {7: served(7, 5, 6, 7), 1: served(1, 8, 1)}})
    kept = third.keeping(1)
    assert list(kept.plain) == []
    assert kept.comparisons == whole.comparisons
    assert list(third.keeping(2).plain) == [1]
    assert set(third.keeping(2).words) == {1, 8, 9}
