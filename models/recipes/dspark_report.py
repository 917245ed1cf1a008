"""What a draft brings when it serves: free-running acceptance by place, tokens a step, and what a block costs.

    python -m models.recipes.dspark_report --target models/pocket --draft models/pocket-dspark --draft models/pocket-draft-good

Every draft is verified; held-out prompts; a drafter with a Markov head is judged with and without it. Times are medians over
interleaved repeats, as shares of the target's step that reads the same requests' anchors alone.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import numpy as np
import torch

from expediter.core.pairs import PairInfo
from expediter.engine.collect import decode
from expediter.engine.loader import Pair, load
from expediter.engine.requests import Requests
from models.recipes.data import held_out, rows

TEMPERATURES = (0.0, 0.8)
LOADS = (1, 8)
CONTEXT, REPEATS = 90, 25


def served(pair: Pair, prompts: list[str], temperature: float, blocks: int, depth: int) -> dict:
    """Acceptance by place, given the places before, and tokens a step when all is sent."""
    passed = np.concatenate([step.passed for step in decode(pair, prompts, blocks, depth, temperature, seed=1)])
    reach = [(passed >= k).mean() for k in range(depth + 1)]
    return {
        "acceptance": [round(float(b / a), 3) if a else None for a, b in pairwise(reach)],
        "tokens_per_step": round(float(1 + passed.mean()), 3),
    }


def sides(pair: Pair, name: str) -> Iterator[tuple[str, Pair]]:
    """The pair, and once more without its Markov head where it has one."""
    yield name, pair
    if pair.plain:
        yield f"{name}, no Markov head", replace(pair, drafter=pair.plain)


@torch.inference_mode()
def cost(pair: Pair, count: int, depth: int, temperature: float) -> dict:
    """Median milliseconds of a block for `count` requests and of the target reading their anchors."""
    rng = np.random.default_rng(0)
    requests = Requests(count)
    for slot in range(count):
        requests.start(slot, slot, rng.integers(1, 1000, CONTEXT).tolist(), requests.room, "", "")
    store = pair.target.store(count, requests.tokens.shape[1])
    drafter, slots = pair.drafter(count, store), np.arange(count)
    pair.target.prefill(store, requests, slots)
    draft, target = [], []
    for _ in range(REPEATS):
        requests.length[:] = CONTEXT - 3  # three tokens are new to the drafter, as after a step that brought three
        drafter.propose(requests, count, depth, temperature, 0)
        requests.length[:] = CONTEXT
        begun = perf_counter()
        drafter.propose(requests, count, depth, temperature, 0)
        middle = perf_counter()
        pair.target.read(store, requests.anchors(count)[:, None], np.ones_like(slots), requests.length - 1, slots)
        draft.append(middle - begun)
        target.append(perf_counter() - middle)
    d, t = float(np.median(draft)), float(np.median(target))
    return {"block_ms": round(1e3 * d, 2), "target_ms": round(1e3 * t, 2), "share": round(d / t, 3)}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--draft", type=Path, action="append", required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="for its held-out prompts")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=4000)
    return parser.parse_args()


def main() -> None:
    o = options()
    prompts = sorted({row["prompt"].strip() for row in rows(o.corpus) if held_out(row["prompt"])})
    for folder in o.draft:
        info = PairInfo(folder.name, "", "", o.target, folder, o.depth, folder)
        for name, pair in sides(load(folder.name, "cpu", info=info, calibrated=False), folder.name):
            for temperature in TEMPERATURES:
                print(f"{name}, T={temperature:g}:", json.dumps(served(pair, prompts, temperature, o.blocks, o.depth)), flush=True)
            for count in LOADS:
                print(f"{name}, a block of {o.depth} for {count}:", json.dumps(cost(pair, count, o.depth, 0.8)), flush=True)


if __name__ == "__main__":
    main()
