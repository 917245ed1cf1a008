"""Write the cards: a target's from its training record with twenty unpicked samples, a pair's from its calibration.

python -m models.recipes.card target models/mini --record work/record.json
python -m models.recipes.card pair mini-good --record work/record.json
"""

import argparse
import json
from pathlib import Path

import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM, AutoTokenizer

from expediter.core.catalogue import CATALOGUE
from expediter.core.pairs import find
from expediter.core.settings import TEMPERATURE
from expediter.core.workloads import prompt
from expediter.engine.calibration_store import read_figures
from expediter.engine.dspark_config import is_dspark
from models.recipes.target import BATCH, LENGTH

SAMPLES, LONGEST = 20, 110


def parameters(folder: Path) -> int:
    """Weights in a model folder; the tied head counts once."""
    with safe_open(folder / "model.safetensors", "pt") as file:
        return sum(torch.Size(file.get_slice(name).get_shape()).numel() for name in file.keys())  # noqa: SIM118 (not a dict)


def samples(folder: Path, temperature: float = TEMPERATURE, seed: int = 1) -> list[tuple[str, str]]:
    """Prompt and answer of the first twenty requests of a mixed run, none left out."""
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, local_files_only=True).eval()
    torch.manual_seed(seed)
    found = []
    for number in range(SAMPLES):
        text = prompt("mixed", seed, number)[1]
        turn = [{"role": "user", "content": text}]
        ids = tokenizer.apply_chat_template(turn, add_generation_prompt=True, return_tensors="pt", return_dict=False)
        choice = {"do_sample": True, "temperature": temperature, "top_k": 0, "max_new_tokens": LONGEST}
        out = model.generate(ids, attention_mask=torch.ones_like(ids), **choice)
        found.append((text, tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True)))
    return found


def target_card(folder: Path, record: dict) -> str:
    """Markdown."""
    config = json.loads((folder / "config.json").read_text())
    begun = record.get("started_from") or record.get("grown_from")
    before = f" It began as {begun.get('name', 'a model')} with {begun['layers']} layers." if begun else ""
    shape = f"{config['num_hidden_layers']} layers × {config['hidden_size']}, vocabulary {config['vocab_size']:,}, tied embeddings"
    lines = [
        f"# {folder.name}: a pocket target",
        "",
        f"A Llama trained from nothing for The Expediter: {shape}, {parameters(folder) / 1e6:.1f} M parameters, stored in bfloat16. "
        "It writes short stories, explanations, sums and Python in the manner of its training text; what it says is often wrong.",
        "",
        "| | |",
        "|---|---|",
        "| text | about 3.2 M tokens written by SmolLM2-135M-Instruct (Apache-2.0), made by `models/recipes/corpus.py` |",
        f"| recipe | `models/recipes/target.py`, seed {record['seed']} |",
        f"| steps | {record['step']:,} of {record['batch']} × {record['length']} tokens |",
        f"| training | Muon and AdamW, peak rate {record['peak']}, {record['seconds'] / 60:.0f} minutes on a shared 2-core CPU.{before} |",
        f"| loss | {record['test_loss']:.3f} nats a token on held-out prompts, {record['train_loss']:.3f} on the last training batches |",
        "| licence | MIT, like the project |",
        "",
        f"## {SAMPLES} unpicked samples",
        "",
        f"The first twenty requests of a mixed run, seed 1, temperature {TEMPERATURE:g}, cut at 110 tokens.",
        "",
    ]
    for text, answer in samples(folder):
        lines += [f"**{text}**", "", "~~~text", answer.strip().replace("~~~", "~ ~ ~"), "~~~", ""]
    return "\n".join(lines)


def made_by(draft: Path, record: dict) -> str:
    """How a draft came to be, the end of a sentence. The record is its training's."""
    config = json.loads((draft / "config.json").read_text())
    steps, seed = record.get("steps") or record.get("step", 0), record.get("seed", 1)
    few = config.get("draft_vocab_size")
    if few and not is_dspark(config):
        texts, minutes = f"{record['tokens']:,} tokens ({steps:,} steps of {record['texts']} texts", record["seconds"] / 60
        return (
            f"one layer × {config['hidden_size']} that knows the {few:,} tokens most common in the corpus' answers, distilled from the "
            f"target by `models/recipes/chat_draft.py` on {texts}, {minutes:.0f} minutes on one core of a shared CPU, seed {seed}; "
            f"loss {record['train_loss']:.3f} nats in the end). Teacher-forced on held-out texts a guess passes with "
            f"{_chances(record['acceptance'])}."
        )
    if not is_dspark(config):
        batches = f"{steps:,} steps of {BATCH} × {LENGTH} tokens"
        return f"distilled from the target by `models/recipes/draft.py` ({batches}{_told(record)}, seed {seed})."
    return (
        f"{config['num_hidden_layers']} layers over the outputs of target layers {', '.join(map(str, config['target_layer_ids']))}, "
        f"blocks of {config['block_size']}, Markov head of rank {config['markov_rank']}"
        f"{f', proposing the {few:,} tokens most common in the corpus answers' if few else ''}, trained by `models/recipes/dspark.py` on "
        f"{sum(record.get('tokens', [])):,} tokens ({steps:,} steps{_told(record)}, seed {seed})."
    )


def _told(record: dict) -> str:
    """Time and loss of a training, as far as they were kept."""
    told = f", {record['seconds'] / 60:.0f} minutes" if "seconds" in record else ""
    return told + (f", loss {record['train_loss']:.3f} in the end" if "train_loss" in record else "")


def _licence(target: Path) -> str:
    """Under which terms the pair is here."""
    fetched = CATALOGUE.get(target.name)
    return "Licence: MIT, like the project." + (f" The target is fetched: {fetched.title}, {fetched.licence}." if fetched else "")


def _chances(acceptance: dict[str, float]) -> str:
    return ", ".join(f"{chance:.3f} at temperature {temperature}" for temperature, chance in acceptance.items())


def pair_card(name: str, record: dict) -> str:
    """Markdown."""
    info, figures = find(name), read_figures(find(name).folder)
    row = lambda values: " | ".join("–" if v is None else f"{v:.3f}" for v in values)  # noqa: E731
    lines = [
        f"# {name}: {info.title}",
        "",
        info.about,
        "",
        f"Target `{info.target.name}`, {parameters(info.target) / 1e6:.1f} M parameters. "
        f"Draft `{info.draft.name}`, {parameters(info.draft) / 1e6:.2f} M, {made_by(info.draft, record)}",
        "",
        "Confidence: a linear probe, a bend of its logits and Sequential Temperature Scaling, by `models/recipes/confidence.py`, "
        f"seed {figures['seed']}, "
        f"{figures['prompts']:,} prompts in three splits, {figures['seconds'] / 60:.0f} minutes.",
        "",
        _licence(info.target),
        "",
    ]
    for temperature, f in figures["temperatures"].items():
        places = range(1, len(f["ece"]) + 1)
        lines += [
            f"## Temperature {temperature}",
            "",
            f"{f['blocks']:,} held-out blocks, every draft verified; {f['tokens_per_step']:.2f} tokens a step when all are sent.",
            "",
            "| position | " + " | ".join(map(str, places)) + " |",
            "|---" * (len(f["ece"]) + 1) + "|",
            f"| acceptance, given the ones before | {row(f['acceptance'])} |",
            f"| ECE of the survival | {row(f['ece'])} |",
            f"| the same before scaling | {row(f['ece_before_scaling'])} |",
            f"| AUC of the confidence | {row(f['auc'])} |",
            f"| AUC of c* itself | {row(f['auc_of_true_chance'])} |",
            "",
        ]
    return "\n".join(lines)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("target", "pair"))
    parser.add_argument("what", help="a target's folder or a pair's name")
    parser.add_argument("--record", type=Path, required=True, help="record.json of the training that made it")
    return parser.parse_args()


if __name__ == "__main__":
    o = options()
    found = json.loads(o.record.read_text())
    if o.kind == "target":
        (Path(o.what) / "README.md").write_text(target_card(Path(o.what), found))
    else:
        (find(o.what).folder / "README.md").write_text(pair_card(o.what, found))
