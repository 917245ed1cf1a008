"""Drafts of other architectures give transformers' numbers through the same drafter, and words only one of the two knows do no harm."""

import pytest
import torch
from transformers import CohereConfig, CohereForCausalLM, Gemma3ForCausalLM, Gemma3TextConfig, GraniteConfig, GraniteForCausalLM

from expediter.engine.any_draft import NEVER, AnyDraft
from expediter.engine.confidence import evidence
from expediter.engine.drafter import OneByOne
from expediter.engine.target import Target
from tests.engine import tiny
from tests.engine.test_lean import check, go_through_history, serving

SHAPE = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
SHAPE |= {"intermediate_size": 48, "max_position_embeddings": 256, "initializer_range": 0.3}


def drafter(model, slots: int, vocabulary: int = 64) -> OneByOne:
    return OneByOne(AnyDraft(Target(model, tiny.PLACE), vocabulary, 176), slots)


@pytest.mark.parametrize("kind", ["llama", "qwen3", "gpt-neox", "gpt2"])
def test_drafts_equal_the_plain_model_through_refusals_pauses_and_newcomers(kind):
    reference, ours = tiny.model(kind, seed=3), drafter(tiny.model(kind, seed=3), 3)
    go_through_history(reference, ours, steps=7)


@pytest.mark.parametrize(
    ("config", "model"),
    [
        (GraniteConfig(**SHAPE, logits_scaling=3.0), GraniteForCausalLM),
        (CohereConfig(**SHAPE, logit_scale=0.5), CohereForCausalLM),
        (Gemma3TextConfig(**SHAPE, head_dim=8, final_logit_softcapping=2.0), Gemma3ForCausalLM),
    ],
    ids=["granite", "cohere", "gemma"],
)
def test_what_a_family_does_to_its_logits_is_done(config, model):
    torch.manual_seed(0)
    made = model(config).eval()
    requests = serving([5, 12])
    draft = drafter(made, 2).propose(requests, 2, 4, 0.0, 0)
    made.set_attn_implementation("eager")
    check(made, requests, draft, 2)


def test_a_word_that_only_the_target_has_is_never_drafted_and_may_be_read():
    requests = serving([5, 12])
    requests.tokens[0, 3] = 70  # the target's own word, which this draft has no embedding for
    draft = drafter(tiny.model("gpt2"), 2, vocabulary=80).propose(requests, 2, 5, 1.5, 0)
    assert draft.logits.shape == draft.distribution.shape == (2, 5, 80)
    assert (draft.logits[..., 64:] == NEVER).all()
    assert (draft.distribution[..., 64:] == 0).all()
    assert draft.tokens.max() < 64
    assert torch.isfinite(evidence(draft)).all()


def test_a_word_that_only_the_draft_has_is_never_drafted():
    draft = drafter(tiny.model("qwen3", scale=0.01), 2, vocabulary=9).propose(serving([5, 12]), 2, 8, 1.0, 0)
    assert draft.logits.shape == (2, 8, 9)
    assert draft.tokens.max() < 9
    torch.testing.assert_close(draft.distribution.sum(dim=-1), torch.ones(2, 8))
