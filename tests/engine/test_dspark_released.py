"""A checkpoint in the layout of deepseek-ai/dspark_qwen3_4b_block7, tiny and random: its target is Qwen3, its weights come in two files."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from expediter.core.pairs import PairInfo
from expediter.core.settings import Settings
from expediter.engine.loader import load
from expediter.engine.loop import Engine
from tests.engine import tiny
from tests.engine.test_loader import SHIPPED

V = 4096
RELEASED = {
    "architectures": ["Qwen3DSparkModel"],
    "attention_bias": False,
    "attention_dropout": 0.0,
    "block_size": 7,
    "confidence_head_with_markov": True,
    "enable_confidence_head": True,
    "head_dim": 8,
    "hidden_act": "silu",
    "hidden_size": 32,
    "intermediate_size": 48,
    "layer_types": ["full_attention", "full_attention"],
    "markov_head_type": "vanilla",
    "markov_rank": 8,
    "mask_token_id": 4095,
    "model_type": "qwen3",
    "num_anchors": 512,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "num_target_layers": 2,
    "rms_norm_eps": 1e-06,
    "rope_parameters": {"rope_theta": 1000000, "rope_type": "default"},
    "target_layer_ids": [0, 1],
    "tie_word_embeddings": False,
    "vocab_size": V,
}


def folder(tmp_path: Path, **changes) -> PairInfo:
    """The pair on disk; the draft's copies of embedding and head are the target's, as released."""
    target = tiny.model("qwen3", V)
    target.save_pretrained(tmp_path / "big")
    for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        (tmp_path / "big" / file).write_bytes((SHIPPED / file).read_bytes())
    draft = tmp_path / "small"
    draft.mkdir()
    (draft / "config.json").write_text(json.dumps(RELEASED | changes))
    weights = tiny.dspark_weights(tiny.dspark_config(V)) | {
        "embed_tokens.weight": target.model.embed_tokens.weight.detach().clone(),
        "lm_head.weight": target.lm_head.weight.detach().clone(),
    }
    names = sorted(weights)
    parts = {"model-00001-of-00002.safetensors": names[:10], "model-00002-of-00002.safetensors": names[10:]}
    for file, held in parts.items():
        save_file({name: weights[name].to(torch.bfloat16) for name in held}, draft / file)
    index = {"metadata": {}, "weight_map": {name: file for file, held in parts.items() for name in held}}
    (draft / "model.safetensors.index.json").write_text(json.dumps(index))
    return PairInfo("released", "Released", "", tmp_path / "big", draft, 7, tmp_path / "pair")


def test_it_loads_drafts_and_trusts_its_own_confidence_head(tmp_path):
    pair = load("released", info=folder(tmp_path), device="cpu")
    engine = Engine(pair, Settings(pair="released", load=3, depth=8, temperature=0.8, policy="all"), tiny.rising())
    trace = engine.step()
    assert len(trace.requests[0].tokens) == 7  # the block's own size
    draft = engine.drafter.propose(engine.requests, 3, 7, 0.8, 1)
    weights = tiny.dspark_weights(tiny.dspark_config(V))
    w = weights["confidence_head.proj.weight"][0].to(torch.bfloat16).float()
    torch.testing.assert_close(torch.from_numpy(pair.scorer.score(draft, 0.8)).float(), torch.sigmoid(draft.hidden @ w), atol=1e-5, rtol=0)


def test_a_missing_part_is_told(tmp_path):
    info = folder(tmp_path)
    (info.draft / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(ValueError, match="/small could not be read"):
        load("released", info=info)


def test_a_checkpoint_for_a_deeper_target_is_refused(tmp_path):
    with pytest.raises(ValueError, match="reads layer 9 of its target, which has 2"):
        load("released", info=folder(tmp_path, target_layer_ids=[1, 9]))
