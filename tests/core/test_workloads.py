"""Which request brings which prompt."""

from collections import Counter

import pytest

from expediter.core.settings import WORKLOADS
from expediter.core.workloads import PROMPTS, prompt


def test_there_is_one_list_for_every_workload_the_settings_allow():
    assert ("mixed", *PROMPTS) == WORKLOADS


@pytest.mark.parametrize("workload", PROMPTS)
def test_a_workload_has_enough_different_prompts(workload):
    assert len(PROMPTS[workload]) >= 24
    assert len(set(PROMPTS[workload])) == len(PROMPTS[workload])
    assert all(text == text.strip() and len(text.split()) <= 22 for text in PROMPTS[workload])


def test_mixed_gives_one_of_each_in_any_four_requests_in_a_row():
    for start in range(200):
        assert {prompt("mixed", 7, n)[0] for n in range(start, start + 4)} == set(PROMPTS)


@pytest.mark.parametrize("workload", PROMPTS)
def test_no_prompt_comes_twice_before_all_have_come(workload):
    size = len(PROMPTS[workload])
    for lap in range(3):
        texts = [prompt(workload, 3, n)[1] for n in range(lap * size, (lap + 1) * size)]
        assert sorted(texts) == sorted(PROMPTS[workload])


def test_mixed_repeats_nothing_before_the_shortest_list_is_used_up():
    count = 4 * min(len(texts) for texts in PROMPTS.values())
    assert max(Counter(prompt("mixed", 1, n) for n in range(count)).values()) == 1


def test_the_prompt_belongs_to_the_workload_it_is_named_with():
    for n in range(50):
        workload, text = prompt("mixed", 11, n)
        assert text in PROMPTS[workload]


def test_a_seed_fixes_the_order_and_another_seed_changes_it():
    def order(seed):
        return [prompt("stories", seed, n) for n in range(24)]

    assert order(5) == order(5)
    assert order(5) != order(6)


def test_a_later_lap_has_another_order():
    size = len(PROMPTS["code"])
    assert [prompt("code", 1, n) for n in range(size)] != [prompt("code", 1, size + n) for n in range(size)]


def test_the_order_is_the_same_on_every_machine():
    assert prompt("mixed", 1, 0) == ("stories", "Tell a short story about a teacher who meets a monkey at school.")
    assert prompt("code", 42, 100) == ("code", "Write a Python function that returns the largest of two numbers.")


def test_an_unknown_workload_is_named_with_the_way_out():
    with pytest.raises(ValueError, match=r"workload is 'poems': use mixed, stories"):
        prompt("poems", 1, 0)


def test_a_negative_number_is_refused():
    with pytest.raises(ValueError, match="counted from 0"):
        prompt("mixed", 1, -1)
