"""The story's rush hour and its readings: what more load changes, told only where the numbers show it."""

import json
from dataclasses import replace

import pytest

from expediter.ui import story_numbers as numbers
from expediter.ui.story_data import payload, words
from expediter.ui.story_models import Models
from expediter.ui.story_steps import busier, hero, telling
from tests.ui.story_runs import plain, run, told


def test_rush_hour_is_the_same_pair_under_more_load(quiet, busy):
    others = [replace(busy, pair="another"), replace(busy, depth=busy.depth + 1), replace(busy, machine="another"), quiet]
    assert busier(others, quiet) is None
    assert busier([*others, busy], quiet) is busy


def test_without_a_busier_recording_rush_hour_says_so_and_shows_no_picture(quiet):
    rush = told(quiet, None)["rush"]
    assert "There is no second recording" in rush["text"]
    assert (rush["show"], rush["run"], rush["after"]) == ("", "quiet", "")


def test_two_steps_that_do_not_show_the_lesson_do_not_claim_it(quiet, busy):
    greedy = replace(busy, requests=tuple(replace(request, sent=len(request.tokens)) for request in busy.requests))
    rush = told(quiet, greedy)["rush"]
    assert "do not show it" in rush["after"]
    assert "fewer parcels" not in rush["van"]


def test_a_difference_that_nobody_sees_is_not_called_fewer(quiet):
    almost = replace(quiet, requests=(replace(quiet.requests[0], sent=max(0, quiet.requests[0].sent - 1)), *quiet.requests[1:]))
    assert numbers.each(almost) < numbers.each(quiet)
    assert not numbers.fewer(quiet, almost)


def test_the_gap_is_the_difference_of_the_numbers_shown(quiet):
    close = replace(quiet, path=(quiet.path[0], *(1183.4 for _ in quiet.path[1:])))
    close = replace(close, path=(1172.6, *close.path[1:]))
    assert "1,173 words per second. The expediter gets 1,183, 10 more." in numbers.verdicts(close, words()["verdict"])[0]["sentence"]


def test_rush_hour_tells_where_even_guessing_does_not_pay(quiet, busy):
    slower = replace(busy, theta_off=2 * busy.theta)
    assert f"{2 * busy.theta:,.0f} words per second" in told(quiet, slower)["rush"]["after"].replace("\u00a0", " ")
    assert "stops guessing" not in told(quiet, replace(busy, theta_off=busy.theta / 2))["rush"]["after"]


def test_loads_are_compared_by_words_per_request_and_never_by_sooner(quiet, busy):
    rows = payload(quiet, busy, title="Dice")["compare"]
    assert [row["label"] for row in rows] == ["16 requests", "64 requests"]
    assert rows[1]["each"] < rows[0]["each"]
    assert "sooner" not in json.dumps(words())


def test_rush_hour_says_how_sure_a_guess_must_be(quiet, busy):
    slot, position = busy.order[busy.stop - 1]
    assert numbers.least(busy) == busy.requests[slot].survival[position - 1]
    rush = plain(told(quiet, busy)["rush"]["after"])
    now, before = numbers.percent(numbers.least(busy)), numbers.percent(numbers.least(quiet))
    says = f"the shakiest one aboard has {now}, with {quiet.load} requests it had {before}"
    assert (says in rush) == (numbers.least(busy) > numbers.least(quiet))
    slower = replace(busy, path=tuple(theta / 10 for theta in busy.path))
    assert "surer" not in told(quiet, slower)["rush"]["after"]


def test_one_reading_is_told_by_what_it_brought_and_what_it_would_have_brought(quiet, busy):
    passed, own = quiet.count("passed"), sum(request.own is not None for request in quiet.requests)
    assert passed + own == quiet.got
    brought = f"{quiet.got} words from one reading: {passed} guesses that passed and {own} of the big model's own."
    assert f"{brought} Without guesses it would have been {quiet.load}." in told(quiet, busy)["deliver"]["after"]


def test_a_reading_is_told_where_it_was_measured_and_takes_little_longer(quiet, busy):
    def slow(reading: tuple[float, float] | None) -> tuple[str, dict]:
        data = payload(quiet, busy, title="Dice", models=Models(12, 2, reading))
        return plain(data["scenes"][0]["after"]), data["reading"]

    guesses = len(quiet.requests[hero(quiet)].tokens)
    said, drawn = slow((0.0131, 0.0162))
    assert f"{1 + guesses} words in 16.2 ms, one word in 13.1 ms" in said
    assert drawn["share"] == pytest.approx(0.0162 / (0.0131 * (1 + guesses)), abs=1e-4)
    for unknown in (None, (0.01, 0.09)):
        said, drawn = slow(unknown)
        assert "almost as fast as at one." in said
        assert drawn == {}


def test_a_pile_with_fewer_guesses_for_each_is_told(quiet, busy):
    short, most = telling(run(load=64, depth=2)), numbers.most_guessed(quiet)
    assert f"guesses fewer words now, 2 for each instead of {most}" in told(quiet, short)["rush"]["after"]
    assert "guesses fewer words now" not in told(quiet, busy)["rush"]["after"]
    row = numbers.comparison(quiet, busy)[0]
    assert row["text"] == f"{numbers.each(quiet):.1f} of {most} guesses go aboard for each"
    assert row["share"].endswith(f"in all {quiet.stop} of {len(quiet.order)} guesses")
    assert row["most"] == most
