"""The comparison at one load: best first, bars from zero, and nothing called faster that the rounds cannot tell apart."""

import re

from expediter.ui.page import page_words
from expediter.ui.policy_look import BEST
from expediter.ui.rush_compare import comparison, noise_sentence, standings
from tests.fake_sweeps import USUAL, sweep
from tests.ui.test_rush_verdict import changed

TEXT = page_words("rush_hour")


def test_policies_stand_in_the_order_of_their_speed_and_the_best_limit_is_named():
    assert list(standings(sweep(), 8)) == ["early-stop", BEST, "threshold:0.5", "all", "off"]
    assert next(iter(standings(sweep(), 64))) == "early-stop"
    assert "best limit by hand (at most 1 each)" in comparison(sweep(), 64, TEXT)


def test_bars_begin_at_zero_and_the_best_is_a_hundred():
    drawn = comparison(sweep(), 64, TEXT)
    shares = [float(width) for width in re.findall(r"width:([\d.]+)%", drawn)]
    assert shares[0] == 100
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == round(100 * USUAL["all"][64] / USUAL["early-stop"][64], 1)
    assert "2,150 words/s · 100 %" in drawn
    assert "1,500 words/s · 70 %" in drawn
    assert drawn.count("<li") == drawn.count("class='ex-share'") == 5
    assert drawn.count("class='ex-mine'") == 1


def test_rows_tell_what_was_sent_and_what_one_user_gets():
    assert "5.0 sent each · one user gets 23 words/s · rounds from 1,350 to 1,650" in comparison(sweep(), 64, TEXT)


def test_what_the_rounds_cannot_tell_apart_is_not_called_slower():
    said = noise_sentence(sweep(), 64)
    assert said.startswith("“best limit by hand”")
    assert said.endswith("stand within the spread of the repeated rounds of “expediter”: which of them is faster was not measured.")
    assert "check every word" not in said
    clear = sweep()
    for policy, rates in USUAL.items():
        clear = changed(clear, policy, 64, low=rates[64] - 1, high=rates[64] + 1)
    assert noise_sentence(clear, 64) == ""


def test_text_from_a_file_is_never_markup():
    assert "<b><i>" not in comparison(sweep(), 1, {**TEXT, "compare_rate": "<b><i>{rate} {share}"})
