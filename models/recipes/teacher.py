"""What a draft learns from: text that the target wrote itself, and the target's last hidden states, both kept on disk.

One token's distribution is 4,096 numbers, its hidden state 320: the states are stored once in half precision and the head turns
them back into distributions, so that every training step after the first pass is free of the target's layers.
"""

import hashlib
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from tqdm import tqdm
from transformers import LlamaForCausalLM

from models.recipes.data import TEMPLATE
from models.recipes.writer import write

TOGETHER = 96  # prompts written at once
LIMIT = 176  # tokens an answer, as in the corpus
TEMPERATURE = 0.8


def own_text(model: LlamaForCausalLM, tokenizer, prompts: list[str], tokens: int, folder: Path, seed: int) -> list[np.ndarray]:
    """Documents of the target's own writing, at least `tokens` tokens in all, to prompts drawn from a list. int32 [length]

    One file a batch: an interrupted run goes on where it stopped. Raises ValueError where there is no prompt.
    """
    if not prompts:
        raise ValueError(f"There is no prompt to write {folder.name} to: the corpus is too small, take more rows.")
    folder.mkdir(parents=True, exist_ok=True)
    docs: list[np.ndarray] = []
    bar = tqdm(total=tokens, unit="token", desc=folder.name, mininterval=5)
    batch = 0
    while sum(map(len, docs)) < tokens:
        file = folder / f"{batch:04}.safetensors"
        if not file.exists():
            pick = np.random.default_rng((seed, batch)).choice(len(prompts), min(TOGETHER, len(prompts)), replace=False)
            texts = [TEMPLATE.format(prompt=prompts[i], response="") for i in pick]
            asked = tokenizer(texts, add_special_tokens=False)["input_ids"]
            generator = torch.Generator().manual_seed(seed * 100_003 + batch)
            written = dict(write(model, asked, {tokenizer.eos_token_id}, LIMIT, TEMPERATURE, None, generator))
            made = {f"{i:04}": np.asarray(asked[i] + written[i], dtype=np.int32) for i in range(len(pick))}
            save_file(made, file.with_suffix(".part"))
            file.with_suffix(".part").replace(file)
        fresh = list(load_file(file).values())
        docs += fresh
        bar.update(sum(map(len, fresh)))
        batch += 1
    return docs


@torch.inference_mode()
def hidden_states(model: LlamaForCausalLM, ids: np.ndarray, file: Path, together: int = 16, layers: tuple[int, ...] = ()) -> np.ndarray:
    """The target's last hidden states (after its final norm) of rows of ids. [N, L] → float16 [N, L, d], mapped from `file`.

    With layers, their outputs stand before it: [N, L, n·d + d]. Resumable: a text file beside it names the rows and the model and
    counts the rows that are done; others are begun anew.
    """
    shape, count = (*ids.shape, (len(layers) + 1) * model.config.hidden_size), file.with_suffix(".done")
    name = hashlib.sha256(ids.tobytes() + model.model.norm.weight.float().numpy().tobytes() + bytes(layers)).hexdigest()
    known, done = count.read_text().split() if count.exists() and file.exists() else ("", "0")
    first = int(done) if known == name else 0
    states = np.memmap(file, dtype=np.float16, mode="r+" if first else "w+", shape=shape)
    model.set_attn_implementation("sdpa")
    kept: dict[int, torch.Tensor] = {}  # outputs of the layers, as the engine takes them
    hooks = [model.model.layers[i].register_forward_hook(lambda _, __, output, i=i: kept.update({i: output})) for i in layers]
    for start in tqdm(range(first, len(ids), together), unit="batch", desc=f"target reads {file.stem}", mininterval=5):
        chunk = torch.from_numpy(ids[start : start + together].astype(np.int64))
        last = model.model(chunk, use_cache=False).last_hidden_state  # [n, L, d]
        states[start : start + together] = torch.cat([*(kept[i] for i in layers), last], dim=-1).half().numpy()
        count.write_text(f"{name} {min(start + together, len(ids))}")
    for hook in hooks:
        hook.remove()
    return states


@torch.inference_mode()
def log_normalisers(states: np.ndarray, head: torch.Tensor, where: np.ndarray, file: Path, together: int = 4096) -> np.ndarray:
    """log Σ exp of the target's logits at every token that is asked for, so that a few of its chances can be had without all.

    states [N, L, d] the last hidden states, head [V, d], where bool [N, L] → float32 [N, L], 0 elsewhere. Kept in `file`, an .npy.
    """
    if file.exists() and np.array_equal((known := np.load(file)) != 0, where):
        return known
    made, at = np.zeros(where.shape, dtype=np.float32), np.argwhere(where)  # [M, 2]
    for start in tqdm(range(0, len(at), together), unit="batch", desc=f"normalisers {file.stem}", mininterval=5):
        row, place = at[start : start + together].T
        h = torch.from_numpy(states[row, place]).to(head.dtype)
        made[row, place] = (h @ head.T).float().logsumexp(-1).numpy()
    np.save(file, made)
    return made
