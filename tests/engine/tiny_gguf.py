"""A GGUF file as other tools write it, from a random Llama of a few thousand weights and a tokenizer that knows bytes."""

import struct
from pathlib import Path

import numpy as np
from tokenizers import pre_tokenizers

from tests.engine.tiny import model

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PIECES = (*MARKS, *sorted(pre_tokenizers.ByteLevel.alphabet()), "he", "Ġ2", "22", "ĠĠ")
MERGES = ("h e", "Ġ 2", "2 2", "Ġ Ġ")
NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
F32, Q4_1, Q8_0 = 0, 3, 8


def tiny_llama():
    """The model that the file holds."""
    return model(vocabulary=len(PIECES))


def write(path: Path, kind: int = F32, **changed) -> Path:
    """The file, its matrices in this number format."""
    tensors = _tensors(kind)
    fields = _fields() | changed
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields))
    head += b"".join(_string(name) + _value(value) for name, value in fields.items())
    body = b""
    for name, (shape, form, data) in tensors.items():
        head += _string(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape[::-1])
        head += struct.pack("<IQ", form, len(body))
        body += data + bytes(-len(data) % 32)
    path.write_bytes(head + bytes(-len(head) % 32) + body)
    return path


def q4_1(numbers: np.ndarray) -> bytes:
    """Blocks of 32 numbers as d, m and half bytes: the first sixteen in the lower halves."""
    out = b""
    for block in numbers.reshape(-1, 32):
        least = np.float16(block.min())
        scale = np.float16((block.max() - block.min()) / 15)
        q = np.clip(np.round((block - least) / max(scale, 1e-8)), 0, 15).astype(np.uint8)
        out += scale.tobytes() + least.tobytes() + (q[:16] | q[16:] << 4).tobytes()
    return out


def q8_0(numbers: np.ndarray) -> bytes:
    """Blocks of 32 numbers as d and signed bytes."""
    out = b""
    for block in numbers.reshape(-1, 32):
        scale = np.float16(np.abs(block).max() / 127)
        out += scale.tobytes() + np.round(block / max(scale, 1e-8)).astype(np.int8).tobytes()
    return out


def _tensors(kind: int) -> dict[str, tuple[tuple[int, ...], int, bytes]]:
    llama = tiny_llama()
    heads = {"attn_q": llama.config.num_attention_heads, "attn_k": llama.config.num_key_value_heads}
    found = {}
    for name, weight in llama.state_dict().items():
        if name == "lm_head.weight":
            continue  # tied
        name = name.removesuffix(".weight")
        number, part = name.removeprefix("model.layers.").split(".", 1) if ".layers." in name else ("", name)
        short, values = NAMES[part], weight.numpy()
        if short in heads:  # neighbours are turned together there
            values = values.reshape(heads[short], 2, -1, values.shape[1]).swapaxes(1, 2).reshape(values.shape)
        form = kind if values.ndim == 2 and values.shape[-1] % 32 == 0 else F32
        data = {F32: lambda v: v.astype("<f4").tobytes(), Q4_1: q4_1, Q8_0: q8_0}[form](np.ascontiguousarray(values))
        found[f"blk.{number}.{short}.weight" if number else f"{short}.weight"] = (values.shape, form, data)
    return found


def _fields() -> dict:
    config = tiny_llama().config
    return {
        "general.architecture": "llama",
        "llama.embedding_length": config.hidden_size,
        "llama.feed_forward_length": config.intermediate_size,
        "llama.block_count": config.num_hidden_layers,
        "llama.attention.head_count": config.num_attention_heads,
        "llama.attention.head_count_kv": config.num_key_value_heads,
        "llama.context_length": config.max_position_embeddings,
        "llama.attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "llama.rope.freq_base": float(config.rope_parameters["rope_theta"]),
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm",
        "tokenizer.ggml.tokens": list(PIECES),
        "tokenizer.ggml.token_type": [3] * len(MARKS) + [1] * (len(PIECES) - len(MARKS)),
        "tokenizer.ggml.merges": list(MERGES),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.padding_token_id": 2,
        "tokenizer.chat_template": TEMPLATE,
    }


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    kind = 8 if isinstance(value[0], str) else 5
    items = b"".join(_string(item) if kind == 8 else struct.pack("<i", item) for item in value)
    return struct.pack("<IIQ", 9, kind, len(value)) + items
