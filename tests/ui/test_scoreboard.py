"""The table of numbers says what the numbers say."""

from dataclasses import replace

from expediter.core.settings import Settings
from expediter.ui.numbers import of_step, rates
from expediter.ui.scoreboard import scoreboard, what_was_wasted, where_the_words_went
from tests.fakes import recording

RUN = recording(Settings(load=4), steps=3)
STEP = of_step(RUN[0])


def test_expected_stands_beside_measured():
    table = scoreboard(STEP, rates(RUN), "measured here")
    assert f"<td>{STEP.expected:.1f}</td><td>{STEP.got}</td>" in table
    assert "last 3 steps" in table
    assert "<small>table measured here</small>" in table


def test_numbers_read_as_they_do_on_the_stage():
    slow = replace(rates(RUN), predicted=8.74, measured=0.52, off=12.5, all=3005.6)
    table = scoreboard(STEP, slow, "measured here")
    for shown in ("<td>8.7</td><td>0.5</td>", "<td>13</td>", "<td>3,006</td>"):
        assert shown in table


def test_the_sentence_counts_every_word():
    step = replace(STEP, sent=1, passed=1, refused=0, behind=0, left=19, batch=5, orders=4)
    assert where_the_words_went(step) == (
        "1 guessed word sent, 0.3 for each request: 1 passed, 0 refused, 0 behind a refused word. 19 guessed words left on the dock. "
        "The batch had 5 words: 4 that the requests always send, and the 1 sent."
    )


def test_nothing_sent_is_said_plainly():
    step = replace(STEP, sent=0, passed=0, refused=0, behind=0, left=20, batch=4, orders=4)
    assert where_the_words_went(step) == (
        "No guessed words were sent; 20 left on the dock. The batch had only the 4 that the requests always send."
    )


def test_waste_is_told_in_words_and_in_time():
    step = replace(STEP, refused=2, behind=1, wasted_words=0.3, wasted_time=0.12)
    assert what_was_wasted(step) == "Read for nothing: 30 % of the words in the batch, but only 12 % of the step's time."
    assert what_was_wasted(replace(step, refused=0, behind=0)) == "No word was read for nothing."


def test_what_else_is_to_be_said_of_the_step_follows():
    assert "<p>too &lt;noisy&gt;</p></div></div>" in scoreboard(STEP, rates(RUN), "measured here", ["too <noisy>"])


def test_text_is_escaped():
    assert "<b>" not in scoreboard(STEP, rates(RUN), "<b>here</b>")


def test_simulated_times_never_stand_beside_real_ones():
    simulated = tuple(replace(trace, table_source="simulated clock") for trace in RUN)
    step = of_step(simulated[0])
    assert step.seconds == step.expected_seconds != step.wall
    table = scoreboard(step, rates(simulated), "simulated clock")
    assert "words real, time simulated" in table
    assert "measured" not in table
    assert f"{1000 * step.wall:.1f} ms for the step. That is another clock" in table
