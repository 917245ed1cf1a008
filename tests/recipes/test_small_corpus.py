"""A corpus of a few rows, as somebody tries the recipes with: enough where it can be, else told in one sentence."""

import argparse
import json
import lzma

import pytest
import torch
from transformers import PreTrainedTokenizerFast

from expediter.core.pairs import find
from models.recipes import teacher
from models.recipes.data import held_out
from models.recipes.dspark_texts import texts
from models.recipes.target import build
from models.recipes.teacher import own_text


@pytest.fixture(scope="module")
def tokenizer():
    return PreTrainedTokenizerFast.from_pretrained(find("mini-good").target)


@pytest.fixture
def target(tokenizer):
    torch.manual_seed(1)
    return build(1, 32, tokenizer).eval().requires_grad_(False)


def corpus(file, kept: int, known: int):
    """So many prompts that are held out, and so many that are learnt from."""
    asked = [f"What is {i} times 7?" for i in range(1000)]
    few = [p for p in asked if held_out(p)][:kept] + [p for p in asked if not held_out(p)][:known]
    with lzma.open(file, "wt", encoding="utf-8") as out:
        for prompt in few:
            out.write(json.dumps({"domain": "math", "prompt": prompt, "response": "It is a number.", "ended": True}) + "\n")
    return file


def chat(tmp_path, kept: int) -> argparse.Namespace:
    return argparse.Namespace(chat=True, corpus=corpus(tmp_path / "c.xz", kept, 12), read=1e4, seed=1, work=tmp_path)


def test_a_chat_model_is_judged_on_what_is_held_out_however_little(tokenizer, target, tmp_path):
    (learn,), held = texts(chat(tmp_path, 3), tokenizer, target, ())
    assert len(held.ids) == 3
    assert len(learn.ids) == 24, "sums are read twice"


def test_a_corpus_without_held_out_prompts_is_refused(tokenizer, target, tmp_path):
    with pytest.raises(ValueError, match=r"^c\.xz has no text to be judged on: take more rows\.$"):
        texts(chat(tmp_path, 0), tokenizer, target, ())


def test_a_target_writes_to_a_few_prompts_again_and_again(tokenizer, target, tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "LIMIT", 4)
    docs = own_text(target, tokenizer, ["One?", "Two?"], 40, tmp_path / "own", 1)
    assert sum(map(len, docs)) >= 40
    again = own_text(target, tokenizer, ["One?", "Two?"], 40, tmp_path / "own", 1)
    assert all((a == b).all() for a, b in zip(docs, again, strict=True))
    with pytest.raises(ValueError, match="no prompt to write none to"):
        own_text(target, tokenizer, [], 40, tmp_path / "none", 1)
