"""The stage's sentences carry the trace's numbers."""

from dataclasses import replace

import pytest

from expediter.core.settings import Settings
from expediter.ui.captions import count, end_sentence, exact, percent, phase_captions, rate, small_percent, worth
from tests.fakes import FakeEngine


@pytest.fixture(scope="module")
def trace():
    return FakeEngine(Settings(load=16, depth=5)).step()


def test_every_phase_has_a_caption_without_holes(trace):
    captions = phase_captions(trace)
    assert list(captions) == ["draft", "score", "sort", "load", "check", "deliver"]
    assert not any("{" in text or "None" in text for text in captions.values())


def test_captions_count_what_happened(trace):
    captions = phase_captions(trace)
    assert "80 words for 16 requests" in captions["draft"]
    assert f"{trace.batch} words" in captions["check"]
    assert captions["deliver"].startswith(f"{trace.got} words delivered")
    assert f"{trace.count('behind')} words come back: they stood behind a refused one." in captions["deliver"]


def test_an_answer_that_ended_is_not_promised_an_own_word(trace):
    ended = replace(trace, requests=(replace(trace.requests[0], own=None, own_token=None, ended=True), *trace.requests[1:]))
    assert "one for each customer" in phase_captions(trace)["deliver"]
    assert "an answer that ended needs none" in phase_captions(ended)["deliver"]


def test_the_stop_is_told_as_the_sum_of_the_next_word(trace):
    k = trace.stop
    following = trace.requests[trace.order[k][0]].survival[trace.order[k][1] - 1]
    longer = trace.step_seconds[k] + 0.05 / trace.theta + following / trace.theta  # worth five hundredths of a word more than it brings
    path = (*trace.path[: k + 1], (trace.tau + following) / longer, *trace.path[k + 2 :])
    steep = replace(trace, path=path, step_seconds=(*trace.step_seconds[: k + 1], longer, *trace.step_seconds[k + 2 :]))
    ms = 1000 * (longer - trace.step_seconds[k])
    cost = f"+{ms:.2f} ms, time worth {trace.theta * ms / 1000:.2f} words"
    assert end_sentence(steep) == f"The next: +{following:.2f} words, {cost} → score would fall. So loading stops here."


def test_a_difference_that_two_digits_do_not_show_is_not_told_as_a_worth(trace):
    k = trace.stop
    following = trace.path[k] * trace.step_seconds[k + 1] - 1e-6  # words: the next one is worth its time but for a hair
    level = (*trace.path[: k + 1], following / trace.step_seconds[k + 1], *trace.path[k + 2 :])
    told = end_sentence(replace(trace, path=level))
    assert "worth" not in told
    assert told.endswith("ms → score would fall. So loading stops here.")


def test_a_stop_at_a_dip_is_not_told_as_the_peak(trace):
    higher = (*trace.path[:-1], 2 * trace.theta)
    assert end_sentence(replace(trace, path=higher)).endswith("would fall. Loading never looks past a dip.")


def test_a_score_that_only_stands_still_is_not_called_a_fall(trace):
    path = list(trace.path)
    path[trace.stop + 1] = path[trace.stop]
    assert "would not rise" in end_sentence(replace(trace, path=tuple(path)))


@pytest.mark.parametrize(("stop", "words"), [(3, "would have been later"), (60, "was earlier")])
def test_a_policy_that_misses_the_peak_says_on_which_side_it_lies(trace, stop: int, words: str):
    assert words in end_sentence(replace(trace, policy="threshold:0.5", reason="policy", stop=stop))


def test_numbers_read_like_numbers():
    assert (count(1, "word"), count(2000, "word")) == ("1 word", "2,000 words")
    assert (rate(8.74), rate(3005.6), percent(0.618)) == ("8.7", "3,006", "62 %")
    assert (rate(9.94), rate(9.96), rate(10.4)) == ("9.9", "10", "10")  # one spelling of ten
    assert (rate(8.25), rate(12.5), rate(13.5)) == ("8.3", "13", "14")  # as toFixed and Math.round say it
    assert (rate(1e30), rate(float("nan"))) == (f"{1e30:,.0f}", "nan")
    assert [exact(value) for value in (1.134, 330.275, 400.0, 5872.05)] == ["1.134", "330.3", "400", "5,872"]
    assert [small_percent(share) for share in (0.0, 0.004, 0.01)] == ["0 %", "under 1 %", "1 %"]


def test_only_what_is_certain_reads_as_none_or_all():
    assert [percent(share) for share in (0.0, 1.0, 0.006, 0.994)] == ["0 %", "100 %", "1 %", "99 %"]
    assert [percent(share) for share in (0.996, 0.9997, 1 - 1e-9)] == ["99.6 %", "99.97 %", "over 99.99 %"]
    assert [percent(share) for share in (0.004, 0.0003, 1e-9)] == ["0.4 %", "0.03 %", "under 0.01 %"]


@pytest.mark.parametrize(("theta", "ms", "shown"), [(1014.36, 0.3045, ("0.304", "0.31")), (284.2, 1.11, ("1.11", "0.32"))])
def test_what_a_longer_reading_must_bring_is_the_readers_own_product(theta: float, ms: float, shown: tuple[str, str]):
    assert worth(theta, ms) == dict(zip(("ms", "worth"), shown, strict=True))
