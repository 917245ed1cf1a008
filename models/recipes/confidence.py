"""Calibrate a shipped pair on prompts of the corpus' own kinds: thousands of them, so that no two splits share one.

python -m models.recipes.confidence mini-good --probe 20000 --scaling 20000 --test 20000
python -m models.recipes.confidence mini-good --temperatures 0.6

The second adds a temperature, or does one again, and leaves the others as they are.
"""

import argparse
import time

import numpy as np
from tqdm import tqdm

from expediter.core.pairs import find
from expediter.core.workloads import PROMPTS
from expediter.engine.calibrate import TEMPERATURES, calibrate
from expediter.engine.calibration_store import read_calibration, read_figures, write_calibration
from expediter.engine.loader import load
from models.recipes.prompts import ask, new_task

APPS_OWN = {text for texts in PROMPTS.values() for text in texts}  # the pages measure on them, so no fit may see them


def prompts(count: int, seed: int) -> list[str]:
    """So many different prompts, the four domains in about equal shares, shuffled; none of those that the app itself brings."""
    rng = np.random.default_rng(seed)
    found: dict[str, set[str]] = {}
    # What a domain lacks in forms goes to the others.
    for _ in range(20 * count):
        domain, prompt = ask(rng)
        prompt = new_task(rng) if domain == "code" else prompt
        kept = found.setdefault(domain, set())
        if len(kept) < count // 4 + 1 and prompt not in APPS_OWN:
            kept.add(prompt)
    every = sorted(prompt for kept in found.values() for prompt in kept)
    return [every[i] for i in rng.permutation(len(every))][:count]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair")
    for split in ("probe", "scaling", "test"):
        parser.add_argument(f"--{split}", type=int, default=20_000, help="drafted blocks at each temperature")
    parser.add_argument("--prompts", type=int, default=3000)
    parser.add_argument("--temperatures", type=float, nargs="+", default=TEMPERATURES)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    o = options()
    begun = time.time()
    with tqdm(total=1000, unit="‰") as bar:

        def show(share: float, what: str) -> None:
            bar.set_description(what)
            bar.update(round(1000 * share) - bar.n)

        pair = load(o.pair, calibrated=False)
        blocks, asked = (o.probe, o.scaling, o.test), sorted(o.temperatures)
        fitted, figures = calibrate(pair, prompts(o.prompts, o.seed), blocks, o.seed, show, asked)
    about = {"seed": o.seed, "prompts": o.prompts, "machine": str(pair.target.place), "seconds": round(time.time() - begun)}
    folder = find(o.pair).folder
    if asked != sorted(TEMPERATURES) and (earlier := read_figures(folder)):
        fitted = read_calibration(folder).joined(fitted)
        if earlier["temperatures"].keys() - figures["temperatures"].keys():  # of what stays, the time counts too
            about["seconds"] += earlier["seconds"]
        every = {**earlier["temperatures"], **figures["temperatures"]}
        figures = {"temperatures": dict(sorted(every.items(), key=lambda item: float(item[0])))}
    write_calibration(folder, fitted, {**about, **figures})
