"""Two readings of a server's page become its load and its acceptance, whatever ranks, restarts and gaps there are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.metrics_page import read_page
from expediter.core.server_load import NoServer, between, read
from tests.core.metrics_pages import sglang, vllm


def test_a_sample_has_its_name_labels_and_value():
    (sample,) = read_page('# HELP a b\n\na:b_total{x="1",y="say \\"hi\\", {ok}\\n"} 2.5e3 1700000000000\n')
    assert (sample.name, sample.labels, sample.value) == ("a:b_total", {"x": "1", "y": 'say "hi", {ok}\n'}, 2500.0)


@pytest.mark.parametrize("line", ["", "# a 1", "a", "a{b=1} 2", 'a{b="c" 2', "a NaN", "a +Inf", "a x", "1a 2"])
def test_a_line_that_is_no_sample_is_left_out(line):
    assert read_page(line) == []


@given(st.text(max_size=200))
def test_no_page_breaks_the_reader(text):
    read_page(text)


def test_vllms_differences_become_conditional_acceptance():
    before, after = read(vllm(4, 1000, 100, (80, 60, 30)), 10.0), read(vllm(8, 1460, 300, (240, 160, 80)), 12.0)
    live = between(before, after)
    assert live.running == 8
    assert live.tokens_per_s == pytest.approx(230)
    assert live.acceptance == pytest.approx((160 / 200, 100 / 160, 50 / 100))
    assert live.tokens_per_step == pytest.approx(1 + 310 / 200)
    assert not live.even
    assert not live.restarted


def test_vllms_engines_are_added_up():
    page = vllm(4, 100, 10, (8,), "0") + vllm(3, 50, 10, (6,), "1")
    reading = read(page, 0.0)
    assert (reading.running, reading.generated, reading.drafts, reading.by_position) == (7, 150, 20, (14,))


def test_a_restarted_server_counts_from_its_new_start():
    live = between(read(vllm(4, 100_000, 9000, (5000, 2000)), 0.0), read(vllm(1, 30, 10, (8, 4)), 2.0))
    assert live.restarted
    assert live.acceptance == pytest.approx((0.8, 0.5))
    assert live.tokens_per_s == 15


def test_nothing_drafted_is_no_acceptance():
    page = vllm(0, 100, 10, (8, 4))
    live = between(read(page, 0.0), read(page, 2.0))
    assert live.acceptance == ()
    assert math.isnan(live.tokens_per_step)


def test_a_vllm_without_speculation_still_tells_its_load():
    page = 'vllm:num_requests_running{model_name="m"} 5\n'
    live = between(read(page, 0.0), read(page, 1.0))
    assert live.running == 5
    assert live.acceptance == ()
    assert math.isnan(live.tokens_per_s)


def test_sglangs_ranks_count_once_and_its_mean_becomes_an_even_acceptance():
    before, after = read(sglang(12, 500, 2.9, 8), 0.0), read(sglang(14, 900, 2.5, 8), 2.0)
    live = between(before, after)
    assert live.running == 14
    assert live.tokens_per_s == 200
    assert live.even
    assert len(live.acceptance) == 7
    c = live.acceptance[0]
    assert 1 + sum(c**j for j in range(1, 8)) == pytest.approx(2.5)


def test_sglangs_priorities_have_one_sum():
    page = 'sglang:num_running_reqs{priority=""} 14\nsglang:num_running_reqs{priority="0"} 9\nsglang:num_running_reqs{priority="1"} 5\n'
    assert read(page, 0.0).running == 14


def test_sglangs_length_of_zero_means_that_nothing_was_drafted():
    page = sglang(0, 0, 0.0, 0)
    assert between(read(page, 0.0), read(page, 1.0)).acceptance == ()


@pytest.mark.parametrize("page", ["", "<html>hello</html>", "process_cpu_seconds_total 5\n"])
def test_another_page_is_told_so(page):
    with pytest.raises(NoServer, match="none of vLLM's or SGLang's"):
        read(page, 0.0)
