"""Two models are refused as a pair before anything is loaded, in one sentence, whenever they could not work together here."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import MistralConfig, MistralForCausalLM

from expediter.core.pairs import PairInfo
from expediter.engine import memory_need
from expediter.engine.loader import load
from expediter.engine.memory_need import Need, need
from expediter.engine.model_folder import read_model
from expediter.engine.model_shape import Shape, parameters, shape
from expediter.engine.packed_check import check_draft, check_target
from expediter.engine.same_words import brings_words, same_words
from expediter.engine.target import Target
from tests.engine import folders, tiny

NAMES = ("Big", "Small")


@pytest.mark.parametrize("kind", folders.KINDS)
def test_every_known_kind_passes_as_target_and_as_draft(tmp_path, kind):
    big = folders.save(tmp_path / "big", kind)
    small = folders.save(tmp_path / "small", kind, 4224, seed=1, layers=1, words=False)
    info = PairInfo("pair", "Pair", "", big, small, 8, tmp_path / "pair")
    pair = load("pair", info=info, device="cpu", calibrated=False)
    check_target(pair.target, "Big")
    check_draft(pair.drafter(4, pair.target.store(4, 176)), Target(read_model(small, tiny.PLACE), tiny.PLACE), "Small")
    ids = pair.encode("Tell me a story.")
    assert pair.tokenizer.decode(ids).startswith("Tell me a" if kind == "gpt2" else "<|prompt|>Tell me a")
    assert shape(big, "Big") == Shape(2, 2 if kind in ("llama", "qwen3") else 4, 8, 32, 4096)


def test_a_number_that_only_pads_the_vocabulary_reads_as_nothing(tmp_path):
    big = folders.save(tmp_path / "big", "qwen3", 4100)
    pair = load("pair", info=PairInfo("pair", "Pair", "", big, big, 8, tmp_path / "pair"), device="cpu", calibrated=False)
    assert len(pair.pieces) == 4100
    assert pair.pieces[4096:] == [""] * 4


def test_a_model_that_looks_back_less_is_found_out_by_its_numbers():
    config = {"vocab_size": 64, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    torch.manual_seed(0)
    window = MistralForCausalLM(MistralConfig(**config, intermediate_size=48, sliding_window=16, initializer_range=0.3)).eval()
    with pytest.raises(ValueError, match=r"Small answers differently when requests are read together \(a mistral"):
        check_target(Target(window, tiny.PLACE), "Small")
    whole = MistralForCausalLM(MistralConfig(**config, intermediate_size=48, sliding_window=None, initializer_range=0.3)).eval()
    check_target(Target(whole, tiny.PLACE), "Small")


def test_a_model_that_cannot_be_packed_at_all_is_told():
    target = Target(tiny.model("gpt2"), tiny.PLACE)
    target.kv_heads = 3  # as of a model whose config says something else than its layers do
    with pytest.raises(ValueError, match=r"Big cannot be read packed \(RuntimeError in a gpt2\)"):
        check_target(target, "Big")


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"is_encoder_decoder": True}, "is an encoder-decoder"),
        ({"model_type": "own", "auto_map": {"AutoModelForCausalLM": "modeling_own.Own"}}, "brings code of its own, which is never run"),
        ({"model_type": "own"}, "of a kind that is not known here"),
        ({"model_type": "vit"}, "is a vit, which is no language model"),
        ({"quantization_config": {"quant_method": "gptq"}}, "is stored quantised"),
        ({"sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"]}, "looks back only 128 tokens"),
        ({"layer_types": ["linear_attention", "full_attention"]}, "layers of the kind linear_attention"),
        ({"attn_logit_softcapping": 50.0}, "bends its attention scores"),
        ({"max_position_embeddings": 128}, "knows 128 positions"),
        ({"num_attention_heads": "four"}, "is not understood"),
        ({"model_type": None}, "of a kind that is not known here"),
    ],
)
def test_a_config_that_cannot_run_here_is_refused_by_name(tmp_path, config, told):
    with pytest.raises(ValueError, match=f"Big .*{told}.*pick another model") as error:
        shape(folders.save(tmp_path / "big", **config), "Big")
    assert "\n" not in str(error.value)


def test_a_window_that_is_wider_than_any_text_here_is_no_matter(tmp_path):
    shape(folders.save(tmp_path / "big", sliding_window=4096, layer_types=["sliding_attention", "full_attention"]), "Big")


def test_a_folder_without_a_config_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"Big has no readable config\.json"):
        shape(tmp_path, "Big")


def test_weights_that_are_not_safetensors_are_refused(tmp_path):
    assert parameters(folders.save(tmp_path / "big"), "Big") > 100_000
    (tmp_path / "big" / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ValueError, match="Big has damaged weights"):
        parameters(tmp_path / "big", "Big")
    (tmp_path / "big" / "model.safetensors").rename(tmp_path / "big" / "pytorch_model.bin")
    with pytest.raises(ValueError, match=r"only as pytorch_model\.bin, a format that can run code"):
        parameters(tmp_path / "big", "Big")


def test_a_model_that_lacks_a_tensor_is_refused_instead_of_filled_with_chance(tmp_path):
    big = folders.save(tmp_path / "big")
    weights = load_file(big / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, big / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match=r"lacks model\.layers\.1\.mlp\.up_proj\.weight"):
        read_model(big, tiny.PLACE)


def test_tokenizers_with_other_words_are_refused_with_the_first_difference(tmp_path):
    big, small = folders.save(tmp_path / "big"), folders.save(tmp_path / "small", seed=1)
    same_words(big, small, NAMES)
    data = json.loads((small / "tokenizer.json").read_text())
    first, second = [word for word, number in sorted(data["model"]["vocab"].items(), key=lambda item: item[1]) if number in (300, 301)]
    data["model"]["vocab"][first], data["model"]["vocab"][second] = 301, 300
    (small / "tokenizer.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"Big and Small cut text differently \(4096 and 4096 words; .* is 301 in the one and 300"):
        same_words(big, small, NAMES)


def test_tokenizers_with_the_same_words_and_other_cuts_are_refused(tmp_path):
    big, small = folders.save(tmp_path / "big"), folders.save(tmp_path / "small", seed=1)
    data = json.loads((small / "tokenizer.json").read_text())
    data["normalizer"] = {"type": "Lowercase"}
    (small / "tokenizer.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match="cut text differently, though they have the same words"):
        same_words(big, small, NAMES)
    assert not brings_words(folders.save(tmp_path / "bare", words=False))


def test_memory_is_told_in_numbers_before_loading(monkeypatch):
    big, small = Shape(36, 8, 128, 2560, 151_936), Shape(28, 8, 128, 1024, 151_936)
    needed = need((big, 4_000_000_000), (small, 600_000_000), tiny.PLACE)
    assert needed.weights == 4 * (4_000_000_000 + 2 * 600_000_000)
    assert needed.store == 64 * 176 * 2 * (36 + 28) * 8 * 128 * 4
    monkeypatch.setattr(memory_need, "free", lambda place: 2_000_000_000)
    with pytest.raises(ValueError, match=r"needs about \d+\.\d GB \(weights 20\.8 GB, 64 requests' .*2\.0 GB are free here: close other"):
        memory_need.check(needed, tiny.PLACE)
    memory_need.check(Need(10**9, 10**8, 10**8, 64), tiny.PLACE)
    monkeypatch.setattr(memory_need, "free", lambda place: None)
    memory_need.check(needed, tiny.PLACE)


def test_free_memory_is_read_here():
    assert memory_need.free(tiny.PLACE) > 10**7
