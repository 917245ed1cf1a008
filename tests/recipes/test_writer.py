"""Batched writing against transformers' own generation, one prompt at a time."""

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from models.recipes.writer import sample, write

COLD = 1e-5  # so low that the best token is always drawn
PROMPTS = [[5, 6, 7, 8, 9], [3, 4], [11, 12, 13], [20], [7, 7, 9, 1, 2, 3, 4]]


@pytest.fixture
def model() -> LlamaForCausalLM:
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=48,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    )
    model = LlamaForCausalLM(config).eval()
    for weight in model.parameters():
        if weight.ndim == 2:
            weight.data.mul_(8)  # far from uniform, so that two best tokens are never close
    return model


def one_by_one(model, prompt: list[int], limit: int) -> list[int]:
    """Plain greedy decoding without any cache."""
    model.set_attn_implementation("eager")
    ids = list(prompt)
    with torch.inference_mode():
        for _ in range(limit):
            ids.append(int(model(torch.tensor([ids]), use_cache=False).logits[0, -1].argmax()))
    return ids[len(prompt) :]


def test_a_batch_of_unequal_prompts_writes_what_each_would_write_alone(model):
    expected = {i: one_by_one(model, prompt, 12) for i, prompt in enumerate(PROMPTS)}
    assert dict(write(model, PROMPTS, set(), 12, COLD, None, torch.Generator().manual_seed(0))) == expected


def test_an_answer_stops_at_its_end_and_the_others_go_on_unchanged(model):
    whole = {i: one_by_one(model, prompt, 12) for i, prompt in enumerate(PROMPTS)}
    ends = {whole[0][3], whole[2][1]}
    expected = {i: next((t[: n + 1] for n, token in enumerate(t) if token in ends), t) for i, t in whole.items()}
    assert min(map(len, expected.values())) < 12  # some rows finish early and are compacted away
    assert dict(write(model, PROMPTS, ends, 12, COLD, None, torch.Generator().manual_seed(0))) == expected


def test_top_k_never_draws_a_token_below_the_k_best():
    logits = torch.arange(10.0).repeat(500, 1)
    drawn = sample(logits, 50.0, 3, torch.Generator().manual_seed(1))
    assert set(drawn.tolist()) == {7, 8, 9}


def test_a_seed_fixes_what_is_written(model):
    def text(seed):
        return dict(write(model, PROMPTS, set(), 8, 1.0, 20, torch.Generator().manual_seed(seed)))

    assert text(1) == text(1)
    assert text(1) != text(2)
