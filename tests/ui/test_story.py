"""The story's words and numbers: read off any trace, none invented, honest where a recording does not show the lesson."""

import json
from dataclasses import replace

import pytest

from expediter.core.pairs import find
from expediter.core.settings import DEFAULT_PAIR, Settings
from expediter.ui import story_numbers as numbers
from expediter.ui.story_data import SCENES, clamped, payload, words
from expediter.ui.story_models import Models, models_of
from expediter.ui.story_steps import busier, hero, settings_of, telling
from tests.ui.story_runs import FLAT, ROOT, plain, recorded_steps, run, told


@pytest.mark.parametrize(
    ("asked", "scene"),
    [(None, 1), ("", 1), ("4", 4), ("0", 1), ("-3", 1), ("99", SCENES), ("1e9", SCENES), ("4.7", 4), ("x", 1), ("inf", 1), ("nan", 1)],
)
def test_the_address_names_a_scene_that_there_is(asked, scene):
    assert clamped(asked) == scene


def test_the_step_told_stops_at_a_peak_with_words_on_both_sides(quiet):
    assert quiet.reason == "peak"
    assert 0 < quiet.stop < len(quiet.order)
    assert quiet.count("passed")
    assert quiet.count("refused")


def test_only_the_expediters_own_steps_can_tell_the_story():
    assert telling(run(policy="all") + run(policy="off")) is None
    assert telling([]) is None
    mixed = run(policy="all") + run(load=4)
    assert telling(mixed).policy == "early-stop"


def test_the_answer_shown_has_every_fate_where_one_has(quiet):
    def fates(request) -> set[str]:
        return {request.fate(j) for j in range(1, len(request.tokens) + 1)} - {"behind"}

    assert len(fates(quiet.requests[hero(quiet)])) == max(len(fates(request)) for request in quiet.requests)


def test_of_answers_with_equal_fates_the_one_of_whole_words_is_shown(quiet):
    slot = hero(quiet)
    rival = (slot + 1) % quiet.load
    signs, words_only = (replace(quiet.requests[slot], drafts=(text,) * len(quiet.requests[slot].drafts)) for text in ("\n", " fox"))
    requests = [signs if place == slot else words_only if place == rival else request for place, request in enumerate(quiet.requests)]
    assert hero(replace(quiet, requests=tuple(requests))) == rival


def test_of_equal_steps_the_one_is_told_whose_answer_can_be_read(quiet):
    def written(text: str):
        return replace(quiet, requests=tuple(replace(request, before=text) for request in quiet.requests))

    read = written("one two three four five six")
    assert telling([written("one"), written("one two\nthree four five six"), read]) is read


def test_of_equal_steps_the_one_is_told_whose_answer_meets_every_fate():
    def met(step) -> int:
        shown = step.requests[hero(step)]
        return len({shown.fate(j) for j in range(1, len(shown.tokens) + 1)})

    steps = [replace(step, uncertain=False) for step in run(load=16, steps=12)]
    assert met(telling(steps)) == max(map(met, steps)) == 4


def test_nine_scenes_in_order_with_nothing_left_to_fill(quiet, busy):
    data = payload(quiet, busy, title="Dice", start=4)
    assert [scene["number"] for scene in data["scenes"]] == list(range(1, SCENES + 1))
    assert data["start"] == 4
    filled = [scene[part] for scene in (*data["scenes"], data["reveal"]) for part in ("title", "text", "van", "after", "asks")]
    assert not [sentence for sentence in (*filled, data["label"]) if "{" in sentence]
    json.dumps(data)


def test_a_block_drafter_guesses_in_one_go_and_an_ordinary_one_word_by_word(quiet, busy):
    def scenes(at_once: bool) -> list[str]:
        return [scene["text"] for scene in payload(quiet, busy, title="Dice", at_once=at_once)["scenes"]]

    assert "in a row, one after the other." in scenes(False)[1]
    assert "in a row, all in one go." in scenes(True)[1]
    assert "has two more, and a machine room" in scenes(False)[-1]
    assert "Two more were at work beside it" in scenes(True)[-1]
    assert [a for a, b in zip(scenes(False), scenes(True), strict=True) if a != b] == [scenes(False)[1], scenes(False)[-1]]


def test_the_numbers_are_the_traces_own(quiet, busy):
    scenes = told(quiet, busy)
    assert f"{quiet.load} requests" in scenes["customers"]["text"]
    assert f"{1000 * quiet.step_seconds[0]:.1f} ms" in plain(scenes["customers"]["after"])
    assert f"all {quiet.batch} words aboard" in scenes["deliver"]["text"]
    delivered = scenes["deliver"]["after"]
    assert f"{quiet.count('passed')} passed, {quiet.count('refused')} refused" in delivered
    assert f"{quiet.count('left')} stayed on the dock: that costs a little speed and nothing else" in delivered
    assert f"{numbers.each(busy):.1f} guessed words go aboard instead of {numbers.each(quiet):.1f}" in scenes["rush"]["after"]


def test_every_place_on_the_pile_has_a_verdict_from_the_path(quiet):
    verdicts = numbers.verdicts(quiet, words()["verdict"])
    assert len(verdicts) == len(quiet.path)
    assert "exactly where the expediter did" in verdicts[quiet.stop]["sentence"]
    assert "early" in verdicts[0]["sentence"]
    assert "late" in verdicts[-1]["sentence"]
    assert f"{quiet.path[0]:,.0f} words per second" in verdicts[0]["sentence"]
    gap = round(quiet.theta) - round(quiet.path[0])  # of the numbers that are shown
    assert f"gets {quiet.theta:,.0f}, {gap:,} more" in verdicts[0]["sentence"]


def test_every_answer_is_met_kindly_and_with_the_reason(quiet):
    told = [verdict["sentence"] for verdict in numbers.verdicts(quiet, words()["verdict"])]
    close = [k for k, theta in enumerate(quiet.path) if numbers.NEAR * quiet.theta <= theta < quiet.theta - 1]
    assert close
    assert all(told[k].startswith("Very close.") for k in close)
    assert "The next words would have brought more than their time costs." in told[0]
    assert "Your last words took more time than they were worth." in told[-1]
    assert told[quiet.stop].startswith("Exactly right.")


def test_a_reader_who_beats_the_expediter_is_told_so(quiet):
    lifted = replace(quiet, path=(*quiet.path[:-1], 2 * quiet.theta))
    assert "more than the expediter's" in numbers.verdicts(lifted, words()["verdict"])[-1]["sentence"]


def test_a_difference_that_cannot_be_seen_is_no_difference(quiet):
    level = replace(quiet, path=(quiet.theta - 1e-6, *quiet.path[1:]))
    assert "no difference that can be seen" in numbers.verdicts(level, words()["verdict"])[0]["sentence"]


def test_the_stop_is_explained_by_what_the_next_word_is_worth(busy):
    quiet = next(step for step in run(load=16, steps=12) if numbers.of_next(step))
    k = quiet.stop
    more = quiet.step_seconds[k + 1] - quiet.step_seconds[k]
    slot, position = quiet.order[k]
    reason = numbers.of_next(quiet)
    assert reason["gain"] == f"{quiet.requests[slot].survival[position - 1]:.2f}"
    assert reason["worth"] == f"{quiet.theta * more:.2f}"
    assert reason["gain"] in told(quiet, busy)["stop"]["after"]
    assert f"{round(quiet.theta) * float(reason['ms'].removesuffix(' ms')) / 1000:.2f}" == reason["worth"], "the reader's own product"


def test_where_everything_goes_aboard_nothing_is_said_of_a_next_word():
    whole = telling(run(load=8, table=FLAT))
    assert whole.reason == "exhausted"
    scenes = told(whole, None)
    assert "Everything is aboard" in scenes["stop"]["after"]
    assert "difference is too small to see" in scenes["customers"]["after"]


def test_where_nothing_stayed_on_the_dock_it_costs_nothing():
    delivered = told(telling(run(load=8, table=FLAT)), None)["deliver"]["after"]
    assert "None stayed on the dock." in delivered
    assert "a little speed" not in delivered


def test_a_curve_that_begins_below_no_guessing_says_why(quiet, busy):
    later = replace(quiet, path=(quiet.theta_off / 2, *quiet.path[1:]))
    assert "making the guesses took time, too" in told(later, busy)["stop"]["text"]
    sooner = replace(quiet, theta_off=quiet.path[0])
    assert "making the guesses" not in told(sooner, busy)["stop"]["text"]


def test_the_shipped_recordings_tell_the_whole_story():
    info = find(DEFAULT_PAIR)
    quiet = telling(recorded_steps(DEFAULT_PAIR))
    busy = busier(recorded_steps("rush-hour"), quiet)
    models = models_of(info, quiet)
    assert (models.big, models.small) == (12, 2)
    assert models.reading is not None, "the recorded run was timed with another table than the shipped one: record it again"
    assert numbers.reading(models, len(quiet.requests[hero(quiet)].tokens))
    assert numbers.fewer(quiet, busy)
    assert numbers.dearer(quiet, busy)
    assert numbers.of_next(quiet)
    shown = quiet.requests[hero(quiet)]
    assert {shown.fate(j) for j in range(1, len(shown.tokens) + 1)} == {"passed", "refused", "behind", "left"}
    assert len(shown.before.split()) >= 6, "the first scene shows one reading after the other"
    assert all(word.strip().isalpha() for word in (shown.drafts[shown.accepted], shown.own)), "a word stands in place of a word"


def test_a_table_that_the_run_was_not_timed_with_says_nothing_of_it():
    quiet = replace(telling(recorded_steps(DEFAULT_PAIR)), table="another")
    assert models_of(find(DEFAULT_PAIR), quiet) == Models(12, 2)
    nowhere = replace(find(DEFAULT_PAIR), target=ROOT / "none", draft=ROOT / "none", folder=ROOT / "none")
    assert models_of(nowhere, quiet) == Models()


def test_the_promise_fits_the_temperature(quiet, busy):
    assert "same chances" in told(quiet, busy)["deliver"]["after"]
    assert "word for word" in told(replace(quiet, temperature=0.0), busy)["deliver"]["after"]


def test_odd_answers_stay_data(quiet):
    slot = hero(quiet)
    odd = replace(quiet.requests[slot], before="word " * 30 + "<b>x</b> \u202e y\n")
    letter = payload(replace(quiet, requests=(*quiet.requests[:slot], odd, *quiet.requests[slot + 1 :])), None, title="Dice")["letter"]
    assert letter["cut"]
    assert len(letter["before"]) == 14
    assert all(word.isprintable() for word in letter["before"])


def test_one_request_with_one_guess_is_a_story_too():
    least = telling(run(load=1, depth=1))
    scenes = told(least, None)
    assert "1 word in a row." in scenes["guesser"]["text"]
    assert "1 request at once" in scenes["customers"]["text"]
    assert "for the last" not in scenes["honest"]["after"]


def test_the_dock_opens_with_the_settings_of_the_step(quiet):
    assert settings_of(quiet) == Settings(load=16)
