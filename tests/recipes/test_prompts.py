"""What the corpus' writer is asked."""

from collections import Counter

import numpy as np
import pytest

from expediter.core.workloads import PROMPTS
from models.recipes.confidence import prompts
from models.recipes.prompts import WORDS, ask, new_task


def many(count: int, seed: int = 1) -> list[tuple[str, str]]:
    rng = np.random.default_rng(seed)
    return [ask(rng) for _ in range(count)]


def test_domains_come_by_their_shares():
    counts = Counter(domain for domain, _ in many(4000))
    for domain, share in WORDS["shares"].items():
        assert counts[domain] / 4000 == pytest.approx(share, abs=0.03)


def test_no_prompt_keeps_a_hole_of_its_form():
    assert all("{" not in prompt and "}" not in prompt for _, prompt in many(500))


def test_nobody_gives_away_more_than_they_had_or_to_themselves():
    for _, prompt in many(3000):
        if " and gave " in prompt:
            words = prompt.split()
            assert int(words[2]) > int(words[6])
            assert words[0] != words[8].rstrip(".")


def test_a_seed_fixes_the_prompts():
    assert many(20, 5) == many(20, 5) != many(20, 6)


def test_new_tasks_are_many_and_none_is_the_corpus_own():
    rng = np.random.default_rng(0)
    tasks = {new_task(rng) for _ in range(2000)}
    assert len(tasks) > 500
    assert not tasks & {f"Write a Python function that {task}." for task in WORDS["lists"]["task"]}
    assert all("{" not in task for task in tasks)


def test_a_confidence_is_fitted_on_all_domains_and_on_no_prompt_of_the_app():
    asked = prompts(400, 7)
    assert len(set(asked)) == len(asked) == 400
    assert not set(asked) & {text for texts in PROMPTS.values() for text in texts}
    assert 0.2 < np.mean([text.startswith("Write a Python") for text in asked]) < 0.3
