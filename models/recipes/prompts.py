"""What the corpus' writer is asked: a domain by its share, one of its forms, and an entry of each list that the form names."""

import json
from pathlib import Path

import numpy as np

WORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
TASKS = json.loads(Path(__file__).with_name("tasks.json").read_text(encoding="utf-8"))


def ask(rng: np.random.Generator) -> tuple[str, str]:
    """A domain (story, chat, math or code) and a prompt of it."""
    domains = list(WORDS["shares"])
    domain = domains[rng.choice(len(domains), p=list(WORDS["shares"].values()))]
    forms = WORDS["forms"][domain]
    form = forms[rng.integers(len(forms))]
    fill = {name: entries[rng.integers(len(entries))] for name, entries in WORDS["lists"].items()}
    fill["one"], fill["other"] = rng.choice(WORDS["lists"]["name"], 2, replace=False)
    few, less, gap = rng.integers(2, 21, 3)  # a sum with "less" taken from "more" never goes below zero
    return domain, form.format(**fill, few=few, less=less, more=less + gap)


def new_task(rng: np.random.Generator) -> str:
    """A code prompt that the corpus does not ask. Its twenty tasks are known by heart: a confidence fitted on them trusts code too much."""
    form = TASKS["forms"][rng.integers(len(TASKS["forms"]))]
    fill = {name: entries[rng.integers(len(entries))] for name, entries in TASKS["lists"].items()}
    return f"Write a Python function that {form.format(**fill)}."
