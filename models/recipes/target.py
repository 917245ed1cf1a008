"""Train a pocket target from nothing, or go on from a finished one; resumable, with a progress bar.

    python -m models.recipes.target --corpus C --tokenizer T --layers 6 --tokens 4.4e6 --work W6 --out models/mini
    python -m models.recipes.target --corpus C --tokenizer T --layers 12 --start models/mini --peak 3e-3 --tokens 2.9e6 \\
        --work W12 --out models/pocket

--start goes on from a finished folder with as many layers or fewer. Growing stacks every layer on a copy of itself (G_stack:
Du et al. 2024, arXiv:2405.15319), which reaches a loss in fewer steps than training all twelve layers from the start. The
learning rate warms up, stays, and falls linearly over the last part (warm-up–stable–decay: Hu et al. 2024, arXiv:2404.06395).
Matrices use Muon (Jordan et al. 2024), the rest AdamW.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from tqdm import tqdm
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from models.recipes.data import documents, epoch
from models.recipes.muon import Muon

LENGTH = 256
BATCH = 16
WARMUP = 100  # steps
DECAY = 0.5  # share of the steps over which the rate falls to zero


def build(layers: int, width: int, tokenizer) -> LlamaForCausalLM:
    """A Llama with heads of 32, two K/V heads (one where there is one head), tied embeddings."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=width // 32,
        num_key_value_heads=min(2, width // 32),
        max_position_embeddings=512,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def grow(model: LlamaForCausalLM, shallow: dict[str, torch.Tensor], shallow_layers: int) -> None:
    """Fill a deep model from a shallow one: layer i of the deep takes layer i mod shallow_layers."""
    state = model.state_dict()
    for name in state:
        source = name
        if name.startswith("model.layers."):
            part = name.split(".")
            part[2] = str(int(part[2]) % shallow_layers)
            source = ".".join(part)
        if source in shallow:
            state[name] = shallow[source].clone()
    model.load_state_dict(state)


def rate(step: int, steps: int) -> float:
    """Share of the full learning rate at this step."""
    warm = min(1.0, (step + 1) / WARMUP)
    return warm * min(1.0, (steps - step) / (DECAY * steps))


def optimizers(model: torch.nn.Module, peak: float) -> list[torch.optim.Optimizer]:
    """Muon for the layers' matrices, AdamW for the embedding and the norms."""
    body = [p for n, p in model.named_parameters() if p.ndim == 2 and "layers" in n]
    rest = [p for n, p in model.named_parameters() if not (p.ndim == 2 and "layers" in n)]
    muon = Muon(body, lr=peak)
    adam = torch.optim.AdamW(rest, lr=peak, betas=(0.9, 0.95), weight_decay=0.0)
    for optimizer in (muon, adam):
        for group in optimizer.param_groups:
            group["peak"] = peak
    return [muon, adam]


def loss_of(model: LlamaForCausalLM, body, ids: torch.Tensor) -> torch.Tensor:
    """Mean next-token cross-entropy, nats. ids [N, L]"""
    hidden = body(ids).last_hidden_state[:, :-1]  # [N, L-1, d]
    logits = model.lm_head(hidden)  # [N, L-1, V]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


@torch.inference_mode()
def test_loss(model: LlamaForCausalLM, docs: list[np.ndarray]) -> float:
    """Held-out loss, nats a token, each document on its own row."""
    total, count = 0.0, 0
    for doc in docs:
        ids = torch.from_numpy(doc[:LENGTH].astype(np.int64))[None]
        total += float(loss_of(model, model.model, ids)) * (ids.shape[1] - 1)
        count += ids.shape[1] - 1
    return total / count


def save_state(work: Path, model, opts, step: int, record: dict) -> None:
    """Everything a restart needs, as one safetensors file: weights, optimizers, the step and what is known of the training."""
    flat = {f"model.{k}": v.contiguous().clone() for k, v in model.state_dict().items() if k != "lm_head.weight"}
    for o, opt in enumerate(opts):
        for index, values in opt.state_dict()["state"].items():
            flat |= {f"opt.{o}.{index}.{k}": v.clone() for k, v in values.items() if torch.is_tensor(v)}
    work.mkdir(parents=True, exist_ok=True)
    told = json.dumps({**record, "step": step}, indent=1)
    save_file(flat, work / "state.tmp", {"record": told})  # in one file with the weights: a kill never parts them
    (work / "state.tmp").replace(work / "state.safetensors")
    (work / "record.json").write_text(told)  # for the card


def begin_from(model: LlamaForCausalLM, folder: Path) -> dict:
    """Fill the model from a finished one; which one it was."""
    layers = LlamaConfig.from_pretrained(folder).num_hidden_layers
    grow(model, {name: value.float() for name, value in load_file(folder / "model.safetensors").items()}, layers)
    return {"name": folder.name, "layers": layers}


def kept_record(work: Path) -> dict | None:
    """What a saved state knows of its training, its step among it; None where nothing was saved."""
    if not (work / "state.safetensors").exists():
        return None
    with safe_open(work / "state.safetensors", "pt") as state:
        return json.loads(state.metadata()["record"])


def resume(work: Path, model, opts) -> int:
    """Put a saved state back; the next step to take."""
    flat = load_file(work / "state.safetensors")
    model.load_state_dict({k.removeprefix("model."): v for k, v in flat.items() if k.startswith("model.")}, strict=False)
    for o, opt in enumerate(opts):
        state = opt.state_dict()
        state["state"] = {}
        for key, value in flat.items():
            if key.startswith(f"opt.{o}."):
                _, _, index, name = key.split(".")
                state["state"].setdefault(int(index), {})[name] = value
        opt.load_state_dict(state)
    return kept_record(work)["step"]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--tokens", type=float, default=12e6)
    parser.add_argument("--peak", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="finished model folder of the same width to go on from; a shallower one is grown")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def main() -> None:
    o = options()

    torch.manual_seed(o.seed)
    tokenizer = AutoTokenizer.from_pretrained(o.tokenizer)
    train, test = documents(tokenizer, o.corpus, "train"), documents(tokenizer, o.corpus, "test")
    model = build(o.layers, o.width, tokenizer)
    opts = optimizers(model, o.peak)
    steps, first = int(o.tokens / (BATCH * LENGTH)), 0
    record = {
        "layers": o.layers,
        "width": o.width,
        "steps": steps,
        "seed": o.seed,
        "peak": o.peak,
        "batch": BATCH,
        "length": LENGTH,
        "seconds": 0.0,
    }
    if earlier := kept_record(o.work):
        first = resume(o.work, model, opts)
        record |= {name: earlier[name] for name in ("seconds", "started_from") if name in earlier}
    elif o.start:
        record["started_from"] = begin_from(model, o.start)

    body = torch.compile(model.model)
    rng = np.random.default_rng(o.seed)
    batches: list[np.ndarray] = []
    losses: list[float] = []
    bar = tqdm(total=steps, initial=0, unit="step", mininterval=5)
    started = time.time()
    for step in range(steps):
        if not batches:
            rows = epoch(train, LENGTH, rng)
            batches = [rows[i : i + BATCH] for i in range(0, len(rows) - BATCH + 1, BATCH)]
        ids = torch.from_numpy(batches.pop())
        bar.update()
        if step < first:
            continue
        for opt in opts:
            for group in opt.param_groups:
                group["lr"] = group["peak"] * rate(step, steps)
        loss = loss_of(model, body, ids)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for opt in opts:
            opt.step()
            opt.zero_grad()
        losses.append(float(loss.detach()))
        bar.set_postfix(loss=f"{np.mean(losses[-50:]):.3f}")
        if (step + 1) % 100 == 0 or step + 1 == steps:
            record["seconds"] += time.time() - started
            started = time.time()
            if (step + 1) % 500 == 0 or step + 1 == steps:
                record["test_loss"] = test_loss(model, test)
                print(f"\nstep {step + 1}: held-out {record['test_loss']:.4f}", flush=True)
            save_state(o.work, model, opts, step + 1, {**record, "train_loss": float(np.mean(losses[-100:]))})
    model.to(torch.bfloat16).save_pretrained(o.out)
    tokenizer.save_pretrained(o.out)


if __name__ == "__main__":
    main()
