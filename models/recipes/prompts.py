"""What the corpus' writer is asked: a domain by its share, one of its forms, and an entry of each list that the form names."""

import json
from pathlib import Path

import numpy as np

WORDS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


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
