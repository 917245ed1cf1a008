"""The sentences of Rush hour say what is in the sweep, whatever is in it."""

from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui import rush_words as words
from tests.fake_sweeps import USUAL, sweep


def with_all(*rates: float):
    """The usual sweep with other rates for "all" at 1, 8 and 64."""
    return sweep({**USUAL, "all": dict(zip((1, 8, 64), rates, strict=True))})


def test_the_load_where_checking_everything_stops_paying():
    assert words.crossing(sweep()) == 64
    assert words.crossing_sentence(sweep()).startswith(
        "Between 8 and 64 requests at once, checking every word falls below not guessing at all"
    )
    assert "at 64 it brings 1,500 words per second, no guessing 2,000" in words.crossing_sentence(sweep())


@pytest.mark.parametrize(
    ("rates", "marked", "told"),
    [
        ((180, 700, 2500), None, "Up to 64 requests at once, checking every word was never slower"),
        ((90, 500, 1500), 1, "is slower than not guessing at every load measured"),
        ((90, 700, 2500), None, "slower than not guessing at 1 at once, but not at 64"),
        ((180, 500, 1500), 8, "Between 1 and 8 requests at once"),
    ],
)
def test_other_shapes_are_told_as_they_are(rates, marked, told):
    assert words.crossing(with_all(*rates)) == marked
    assert told in words.crossing_sentence(with_all(*rates))


def test_the_pace_at_both_ends():
    said = words.pace_sentence(sweep())
    assert "With 1 request at once the expediter writes 182 words per second, no guessing 100, checking every word 180." in said
    assert "With 64 requests at once the expediter writes 2,150" in said


def test_one_limit_by_hand_or_several():
    assert "(3 words each with 1 request at once, 1 at 8, 1 at 64)" in words.limit_sentence(sweep())
    one = {policy: line for policy, line in USUAL.items() if policy != "fixed:3"}
    assert words.limit_sentence(sweep(one)) == "Among limits by hand, 1 word each came out best at every load here."
    none = {policy: line for policy, line in one.items() if policy != "fixed:1"}
    assert words.limit_sentence(sweep(none)) == ""


def test_words_per_request_fall_while_the_batch_grows():
    said = words.sent_sentence(sweep())
    assert "falls from 4.0 to 0.9 words per request" in said
    assert "The batch still grows, from 5 to 122 words" in said
    rising = sweep(sent=lambda policy, load: load / 10)
    assert "rises from 0.1 to 6.4" in words.sent_sentence(rising)
    assert "moves right" not in words.sent_sentence(rising)


def test_an_expediter_that_stopped_guessing_has_no_stop_that_moves_right():
    said = words.sent_sentence(sweep(sent=lambda policy, load: 4.0 if load == 1 else 0.0, drafting=0.0))
    assert "At 64 it has stopped guessing: the standing orders alone fill the batch." in said
    assert "moves right" not in said
    rarely = words.sent_sentence(sweep(sent=lambda policy, load: 4.0 if load == 1 else 0.04, drafting=0.03))
    assert rarely.endswith("At 64 it guessed in only 3 % of its steps: the standing orders alone fill the batch.")


def test_what_stays_the_same_is_not_said_to_stay_from_one_number_to_the_same():
    assert "what the expediter sends stays at 2.0 words per request." in words.sent_sentence(
        sweep(sent=lambda policy, load: 2.0 + load / 1e4)
    )
    assert [words.course(*ends) for ends in ((5.0, 1.5), (0.1, 6.4))] == ["falls from 5.0 to 1.5", "rises from 0.1 to 6.4"]


def test_a_rise_on_the_way_is_not_hidden():
    assert words.rebound({1: 4.0, 8: 0.0, 16: 3.0, 64: 0.9}) == " Not steadily: it is 0.0 at 8 and 3.0 at 16."
    assert words.rebound({1: 4.0, 8: 2.4, 16: 2.6, 64: 0.9}) == ""
    assert words.rebound({1: 0.1, 8: 4.0}) == ""
    assert "Not steadily" in words.sent_sentence(sweep(sent=lambda policy, load: {1: 4.0, 8: 0.1, 64: 0.9}[load]))


def test_waste_at_the_fullest_load():
    assert words.wasted_sentence(sweep()) == (
        "With 64 requests at once, 62 % of the guesses that “check every word” checks do not pass; of the expediter's, 11 %."
    )


def test_giving_up_guessing_is_told_only_where_it_wins():
    assert words.gone_too_far(sweep()) is None
    assert words.rest_sentence(sweep()) == ""
    lost = {**USUAL, "off": {1: 100.0, 8: 600.0, 64: 2600.0}, "early-stop": {1: 182.0, 8: 790.0, 64: 2550.0}}
    noticed = sweep(lost, drafting=0.03)
    said = words.rest_sentence(noticed)
    assert "not guessing brings 2,600 words per second; of the policies that guess, the best is “at most 1 each” with 2,100" in said
    assert "The engine notices: under the expediter it guessed in only 3 % of its steps" in said
    assert "guessed in none of its steps" in words.rest_sentence(sweep(lost, drafting=0.0))
    late = sweep({**lost, "early-stop": {1: 182.0, 8: 790.0, 64: 2000.0}}, drafting=0.9)
    assert "not guessing brings" in words.rest_sentence(late)
    assert "notices" not in words.rest_sentence(late)


def test_where_the_numbers_come_from():
    text = {"origin_here": "here {when}", "origin_recorded": "{when}: {depth}, {workload}, {table}", "workloads": {"mixed": "a mix"}}
    assert words.origin(sweep(), False, "2 days ago", text) == "2 days ago: 5 words, a mix, 123"
    assert words.origin(sweep(), True, "just now", text) == "here just now"


def test_other_settings_are_noticed():
    chosen = Settings(depth=5, temperature=0.8)
    assert not words.differs(sweep(), chosen)
    assert all(words.differs(sweep(), replace(chosen, **other)) for other in ({"depth": 4}, {"temperature": 0.0}, {"workload": "code"}))


def test_every_chart_is_told_in_words():
    assert "Expediter: 182 at 1; 790 at 8; 2,150 at 64." in words.rates_alt(sweep())
    assert "No guessing: 1.00 at 1" in words.ratio_alt(sweep())
    assert "Best limit by hand: 3.0 at 1; 1.0 at 8; 1.0 at 64." in words.sent_alt(sweep())
    assert "Check every word: 62 % at 1" in words.wasted_alt(sweep())
    assert "Expediter: 182 and 182 at 1; 99 and 790 at 8; 34 and 2,150 at 64." in words.frontier_alt(sweep())


def test_a_sweep_of_one_load_reads_well():
    alone = sweep({policy: {64: line[64]} for policy, line in USUAL.items()})
    assert words.pace_sentence(alone).count("With 64") == 1
    assert words.frontier_sentence(alone) == ""
    assert words.sent_sentence(alone) == "The expediter sends 0.9 words per request."
