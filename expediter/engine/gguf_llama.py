"""A Llama model out of a GGUF file: written as a plain folder that transformers reads, with safetensors in bfloat16."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import GenerationConfig, LlamaConfig, PreTrainedTokenizerFast

from expediter.engine.gguf import Gguf, read_gguf

CONTROL = 3  # token type of marks that are never text
WHOLE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def convert(source: Path, folder: Path, report: Callable[[float], None] = lambda share: None) -> None:
    """Write config, tokenizer with chat template, generation config and weights of a GGUF file into a folder.

    report gets the share done, and may raise to stop. Raises ValueError with one sentence for a file that is not read here, and OSError.
    """
    gguf = read_gguf(source)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        config = _config(gguf)
        config.save_pretrained(folder)
        ends = {name: getattr(config, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
        GenerationConfig(**ends).save_pretrained(folder)
        _tokenizer(gguf).save_pretrained(folder)
        save_file(_weights(gguf, config, report), folder / "model.safetensors", metadata={"format": "pt"})
    except SafetensorError as error:
        raise OSError(f"{folder / 'model.safetensors'} could not be written ({error}): free some space and try again.") from error
    except KeyError as error:
        raise ValueError(f"{source.name} lacks {error.args[0]}: it is not read here.") from error


def _config(gguf: Gguf) -> LlamaConfig:
    fields = gguf.fields
    if fields["general.architecture"] != "llama":
        raise ValueError(f"{gguf.path.name} holds a {fields['general.architecture']} model, and only llama is read here.")
    return LlamaConfig(
        architectures=["LlamaForCausalLM"],
        vocab_size=len(fields["tokenizer.ggml.tokens"]),
        hidden_size=fields["llama.embedding_length"],
        intermediate_size=fields["llama.feed_forward_length"],
        num_hidden_layers=fields["llama.block_count"],
        num_attention_heads=fields["llama.attention.head_count"],
        num_key_value_heads=fields["llama.attention.head_count_kv"],
        max_position_embeddings=fields["llama.context_length"],
        rms_norm_eps=float(str(np.float32(fields["llama.attention.layer_norm_rms_epsilon"]))),  # 1e-05, not its nearest float32
        rope_parameters={"rope_theta": fields["llama.rope.freq_base"], "rope_type": "default"},
        tie_word_embeddings="output.weight" not in gguf.entries,
        bos_token_id=fields["tokenizer.ggml.bos_token_id"],
        eos_token_id=fields["tokenizer.ggml.eos_token_id"],
        pad_token_id=fields["tokenizer.ggml.padding_token_id"],
        dtype="bfloat16",
    )


def _tokenizer(gguf: Gguf) -> PreTrainedTokenizerFast:
    fields = gguf.fields
    pieces, kinds = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    if (fields["tokenizer.ggml.model"], fields["tokenizer.ggml.pre"]) != ("gpt2", "smollm"):
        raise ValueError(f"{gguf.path.name} cuts text in a way ({fields['tokenizer.ggml.pre']}) that is not read here.")
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    backend = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges))
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    backend.decoder = decoders.ByteLevel()
    marks = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == CONTROL]
    backend.add_special_tokens([AddedToken(mark, special=True, normalized=False) for mark in marks])
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token=pieces[fields["tokenizer.ggml.bos_token_id"]],
        eos_token=pieces[fields["tokenizer.ggml.eos_token_id"]],
        unk_token=pieces[fields["tokenizer.ggml.unknown_token_id"]],
        pad_token=pieces[fields["tokenizer.ggml.padding_token_id"]],
        model_max_length=fields["llama.context_length"],
        clean_up_tokenization_spaces=False,
        chat_template=fields["tokenizer.chat_template"],
    )


def _weights(gguf: Gguf, config: LlamaConfig, report: Callable[[float], None]) -> dict[str, torch.Tensor]:
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    found = {}
    for done, name in enumerate(gguf.entries):
        report(done / len(gguf.entries))
        part = name.split(".")[-2]
        weight = gguf.tensor(name)
        if part in heads:
            weight = _rotated_in_halves(weight, heads[part])
        found[_renamed(name)] = torch.from_numpy(np.ascontiguousarray(weight)).to(torch.bfloat16)
    return found


def _rotated_in_halves(weight: np.ndarray, heads: int) -> np.ndarray:
    """GGUF turns neighbouring numbers of a head together, transformers number i and i + D/2: [H·D, d] with each head's rows put back."""
    return weight.reshape(heads, -1, 2, weight.shape[-1]).swapaxes(1, 2).reshape(weight.shape)


def _renamed(name: str) -> str:
    """A tensor's name in transformers. Raises KeyError."""
    *layer, part, kind = name.split(".")
    return f"model.layers.{layer[1]}.{LAYER[part]}.{kind}" if layer else f"{WHOLE[part]}.{kind}"
