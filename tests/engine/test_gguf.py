"""A GGUF file becomes a plain folder that says the same words; what is not one is told in one sentence."""

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from expediter.engine.gguf import FORMATS, read_gguf
from expediter.engine.gguf_llama import convert
from tests.engine.tiny_gguf import F32, Q4_1, Q8_0, q4_1, q8_0, tiny_llama, write

TEXT = torch.tensor([[1, 40, 50, 60, 70, 80, 90]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("gguf")
    convert(write(place / "tiny.gguf"), place / "plain")
    return place / "plain"


def test_the_converted_model_computes_what_the_original_computes(folder):
    made = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    wanted = tiny_llama()
    wanted.load_state_dict({name: weight.bfloat16().float() for name, weight in wanted.state_dict().items()})
    with torch.inference_mode():
        torch.testing.assert_close(made(TEXT).logits, wanted(TEXT).logits, rtol=1e-4, atol=1e-4)
    assert made.config.rms_norm_eps == wanted.config.rms_norm_eps
    assert made.get_output_embeddings().weight is made.get_input_embeddings().weight


def test_the_folder_has_the_chat_template_the_end_mark_and_digits_apart(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = tokenizer.apply_chat_template([{"role": "user", "content": "he  22"}], add_generation_prompt=True, return_dict=False)
    assert tokenizer.decode(ids) == "<|im_start|>user\nhe  22<|im_end|>\n<|im_start|>assistant\n"
    assert tokenizer.convert_ids_to_tokens(tokenizer("he  22")["input_ids"]) == ["he", "ĠĠ", "2", "2"]
    assert AutoModelForCausalLM.from_pretrained(folder).generation_config.eos_token_id == tokenizer.eos_token_id == 2
    assert tokenizer.decode([1, 2, 2], skip_special_tokens=True) == ""


@pytest.mark.parametrize(("kind", "error"), [(F32, 0.0), (Q8_0, 0.01), (Q4_1, 0.12)])
def test_every_number_format_is_read_as_near_as_it_is_kept(tmp_path, kind, error):
    gguf = read_gguf(write(tmp_path / "tiny.gguf", kind))
    value = gguf.tensor("blk.1.ffn_gate.weight")
    wanted = tiny_llama().state_dict()["model.layers.1.mlp.gate_proj.weight"].numpy()
    assert np.abs(value - wanted).max() <= error
    assert gguf.entries["blk.1.ffn_gate.weight"].kind == kind


def test_blocks_are_unpacked_number_by_number(tmp_path):
    numbers = np.arange(32, dtype=np.float32)
    data = np.frombuffer(q4_1(numbers), np.uint8)
    scale, least = (float(data[at : at + 2].view(np.float16)[0]) for at in (0, 2))
    slow = [scale * (data[4 + i % 16] >> 4 * (i // 16) & 15) + least for i in range(32)]
    np.testing.assert_allclose(FORMATS[Q4_1][3](data)[0], slow, rtol=1e-6)
    data = np.frombuffer(q8_0(numbers - 16), np.uint8)
    slow = [float(data[:2].view(np.float16)[0]) * data[2 + i].view(np.int8) for i in range(32)]
    np.testing.assert_allclose(FORMATS[Q8_0][3](data)[0], slow, rtol=1e-6)


@pytest.mark.parametrize("cut", [0, 3, 20, 400])
def test_half_a_file_is_told_in_one_sentence(tmp_path, cut):
    file = write(tmp_path / "tiny.gguf")
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(ValueError, match=r"tiny\.gguf is no usable GGUF file .*: fetch it again\."):
        read_gguf(file)


@pytest.mark.parametrize(
    ("changed", "told"),
    [({"general.architecture": "gpt2"}, "only llama is read here"), ({"tokenizer.ggml.pre": "other"}, "cuts text in a way")],
)
def test_other_models_are_refused(tmp_path, changed, told):
    with pytest.raises(ValueError, match=told):
        convert(write(tmp_path / "tiny.gguf", **changed), tmp_path / "plain")


def test_conversion_can_be_stopped(tmp_path):
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(write(tmp_path / "tiny.gguf"), tmp_path / "plain", stop)
    assert not (tmp_path / "plain" / "model.safetensors").exists()
