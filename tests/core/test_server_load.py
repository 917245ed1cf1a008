"""Two readings of a server's page become its load and its acceptance, whatever ranks, restarts and gaps there are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.metrics_page import read_page
from expediter.core.server_load import between
from expediter.core.server_page import NoServer, read
from tests.core.metrics_pages import ray, sglang, sglang_old, vllm, vllm_v0


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
    assert (live.depth, live.sent, live.engines, live.load) == (3, 3, 1, 8)
    assert not live.even
    assert not live.restarted


def test_blocks_that_vllm_cut_are_told_from_those_it_proposed():
    proposed = vllm(4, 0, 0, (0, 0, 0)), vllm(8, 460, 200, (160, 100, 50))
    assert between(*(read(page, at) for at, page in enumerate(proposed))).sent == 3
    count = 'vllm:spec_decode_num_verified_draft_tokens_total{{engine="0"}} {}.0\n'
    cut = between(*(read(page + count.format(sent), at) for at, (page, sent) in enumerate(zip(proposed, (0, 350), strict=True))))
    assert (cut.depth, cut.sent) == (3, 1.75)
    assert cut.tokens_per_step == pytest.approx(1 + 310 / 200)


def test_rays_names_and_counters_without_an_ending_say_the_same():
    pages = vllm(4, 1000, 100, (80, 60, 30)), vllm(8, 1460, 300, (240, 160, 80))
    usual = between(*(read(page, at) for at, page in enumerate(pages)))
    assert between(*(read(ray(page), at) for at, page in enumerate(pages))) == usual
    assert between(*(read(page.replace("_total{", "{"), at) for at, page in enumerate(pages))) == usual


def test_vllms_engines_are_added_up_and_each_has_its_share_of_the_load():
    before = vllm(4, 0, 0, (0,), "0") + vllm(3, 0, 0, (0,), "1") + vllm(0, 0, 0, (0,), "2")
    after = vllm(5, 100, 10, (8,), "0") + vllm(3, 50, 10, (6,), "1") + vllm(0, 0, 0, (0,), "2")
    live = between(read(before, 0.0), read(after, 1.0))
    assert (live.running, live.engines, live.load) == (8, 2, 4)
    assert live.tokens_per_s == 150
    assert live.acceptance == pytest.approx((14 / 20,))


def test_one_engine_of_two_begins_anew_and_the_other_counts_on():
    before = vllm(4, 1000, 100, (80,), "0") + vllm(4, 5000, 900, (800,), "1")
    after = vllm(4, 1200, 200, (170,), "0") + vllm(1, 30, 20, (15,), "1")
    live = between(read(before, 0.0), read(after, 1.0))
    assert live.restarted
    assert live.tokens_per_s == 200 + 30
    assert live.acceptance == pytest.approx(((90 + 15) / (100 + 20),))


def test_an_engine_that_joins_counts_from_its_start():
    live = between(read(vllm(4, 1000, 100, (80,), "0"), 0.0), read(vllm(4, 1100, 150, (120,), "0") + vllm(2, 40, 10, (9,), "1"), 1.0))
    assert (live.restarted, live.tokens_per_s) == (False, 140)
    assert live.acceptance == pytest.approx((49 / 60,))


def test_positions_that_nothing_reached_are_known_to_exist():
    live = between(read(vllm(1, 0, 0, (0, 0, 0)), 0.0), read(vllm(1, 9, 4, (0, 0, 0)), 1.0))
    assert (live.depth, live.acceptance) == (3, (0.0,))


def test_blocks_that_were_cut_are_told():
    page = (
        vllm(8, 100, 100, (60, 20)).replace("draft_tokens_total{", "draft_tokens_total_was{")
        + "vllm:spec_decode_num_draft_tokens_total 130\n"
    )
    live = between(read(vllm(8, 0, 0, (0, 0)).replace("draft_tokens_total{", "gone{"), 0.0), read(page, 1.0))
    assert live.sent == pytest.approx(1.3)
    assert live.depth == 2


def test_without_counts_by_position_an_even_acceptance_is_derived():
    def short(page: str) -> str:
        return "\n".join(line for line in page.splitlines() if "per_pos" not in line)

    live = between(read(short(vllm(1, 0, 0, (0, 0))), 0.0), read(short(vllm(1, 99, 40, (20, 10))), 1.0))
    assert (live.even, live.depth) == (True, 2)
    assert live.acceptance[0] == pytest.approx(0.5)


def test_vllms_old_counters_give_the_depth_and_the_mean_away():
    before, after = read(vllm_v0(4, 0, 1000, 2900, 5), 0.0), read(vllm_v0(6, 500, 1200, 2900 + 350, 5), 2.0)
    live = between(before, after)
    assert (live.running, live.tokens_per_s, live.depth, live.sent, live.even) == (6, 250, 5, 5, True)
    assert live.tokens_per_step == pytest.approx(350 / 200)
    assert sum(live.acceptance[0] ** j for j in range(6)) == pytest.approx(1.75)


@pytest.mark.parametrize("length", [2.0, 2.37, 3.6])
def test_sglangs_old_rate_and_its_new_one_give_the_same_depth(length):
    old = between(*[read(sglang_old(8, 400.0, length, 5), at) for at in (0.0, 1.0)])
    new = between(*[read("\n".join(x for x in sglang(8, 0, length, 5).splitlines() if "num_draft" not in x), at) for at in (0.0, 1.0)])
    assert old.depth == new.depth == 4
    assert old.acceptance == new.acceptance
    assert old.tokens_per_s == 400


def test_sglangs_rate_is_its_own_gauge_for_its_counter_waits_for_requests_to_end():
    pages = [sglang(8, 0, 2.0, 5) + f'sglang:gen_throughput{{dp_rank="{rank}",tp_rank="0"}} 150.5\n' for rank in (0, 1)]
    live = between(read(pages[0], 0.0), read(pages[0] + pages[1].splitlines()[-1] + "\n", 1.0))
    assert live.tokens_per_s == 301


def test_dsparks_cut_blocks_are_judged_by_what_was_sent_or_by_the_whole_block():
    cut = sglang(8, 0, 2.0, 8) + "sglang:spec_cap_length 3.0\n"
    live = between(read(cut, 0.0), read(cut, 1.0))
    c = live.acceptance[0]
    assert (live.depth, live.sent) == (7, 2.0)
    assert 1 + c + c**2 == pytest.approx(2.0)
    whole = cut + "sglang:spec_block_accept_length 2.5\n"
    live = between(read(whole, 0.0), read(whole, 1.0))
    assert sum(live.acceptance[0] ** j for j in range(8)) == pytest.approx(2.5)


def test_a_routers_page_is_told_what_it_lacks():
    with pytest.raises(NoServer, match="has metrics of SGLang but not sglang:num_running_reqs"):
        read("sglang:num_requests_total 5\n", 0.0)
    with pytest.raises(NoServer, match="has metrics of vLLM"):
        read('vllm:time_to_first_token_seconds_bucket{le="1"} 5\nvllm:time_to_first_token_seconds_count 5\n', 0.0)


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
    assert not live.speculates
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
    assert between(read(page, 0.0), read(page, 1.0)).running == 14


def test_sglangs_length_of_zero_means_that_nothing_was_drafted():
    page = sglang(0, 0, 0.0, 0)
    assert between(read(page, 0.0), read(page, 1.0)).acceptance == ()


@pytest.mark.parametrize("page", ["", "<html>hello</html>", "process_cpu_seconds_total 5\n"])
def test_another_page_is_told_so(page):
    with pytest.raises(NoServer, match="none of vLLM's or SGLang's"):
        read(page, 0.0)
