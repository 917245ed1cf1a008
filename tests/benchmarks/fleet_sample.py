"""Freeze real runs of a pair, and texts recorded apart from them, for tests/core/test_fleet_sample.py.

    python -m tests.benchmarks.fleet_sample pocket-good --temperature 0.6         # about five minutes on one core

What each policy did in turn on the same requests is counted, and timed by the table that it was planned on: how fast the machine is, or how
busy, does not matter. Run it again only when the engine decides differently; new weights do not need it.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from expediter.core.pairs import find
from expediter.core.pause import LEAST, REQUESTS
from expediter.core.policy import Policy
from expediter.core.profile_file import load_profile
from expediter.core.recorded_places import stacked
from expediter.core.settings import TEMPERATURE, Settings
from expediter.core.weights import fingerprint

FOLDER = Path(__file__).parents[1] / "core"
LOADS = (64, 16, 4)
POLICIES = ("off", "all", "fixed:2", "threshold:0.5", "early-stop")
DEPTH = 5
REQUEST_STEPS = 6000  # of each policy at each load: ratios are then good to about a percent and a half, at 2000 to three
ROUNDS = 10
TEXTS = 192  # their luck is then about a percent; with 64 it was two
AGE = 40  # steps until the first answers have ended


def rows(pair, profile, temperature: float, request_steps: int) -> list[dict]:
    """What each policy did at each load."""
    from expediter.engine.loop import Engine
    from expediter.engine.relay import Relay, total

    relay = Relay(Engine(pair, Settings(pair.name, LOADS[0], DEPTH, temperature, policy="all", seed=5), profile))
    relay.run("all", AGE)
    made = []
    for load in LOADS:
        relay.serve(load)
        steps = request_steps // load // ROUNDS
        for name in POLICIES:
            relay.run(name, max(LEAST, REQUESTS // load) if Policy.parse(name).watches_theta else 1)
        stints = {name: [] for name in POLICIES}
        for number in range(ROUNDS):
            for name in POLICIES:
                stints[name].append(relay.run(name, steps))
            print(f"temperature {temperature:g}, {load} requests: {number + 1} of {ROUNDS} rounds", flush=True)
        for name, done in stints.items():
            counts = {what: int(total(done, what)) for what in ("steps", "words", "sent")}
            made.append({"load": load, "policy": name, **counts, "table_seconds": round(total(done, "table_seconds"), 5)})
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair")
    parser.add_argument("--temperature", type=float, default=TEMPERATURE)
    parser.add_argument("--steps", type=int, default=REQUEST_STEPS, help="request-steps of each policy at each load")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the two files go")
    options = parser.parse_args()

    from expediter.engine.loader import load
    from expediter.engine.record_blocks import unseen_prompts
    from expediter.engine.record_places import record_places

    info, temperature = find(options.pair), options.temperature
    pair, table = load(info.name), load_profile(info.folder / "step_rate.json")
    texts = record_places(pair, unseen_prompts(False, 11), temperature, TEXTS, 11).shallow(DEPTH)
    about = f"Real runs of {info.name}, weights {fingerprint(info)}, {DEPTH} drafts, on its own table {table.fingerprint}."
    sample = {"about": about, "profile": asdict(table), "real": rows(pair, table, temperature, options.steps)}
    path = options.folder / f"fleet_sample_{temperature:g}"
    path.with_name(f"{path.name}.json").write_text(json.dumps(sample, separators=(",", ":")) + "\n")
    np.savez_compressed(path.with_name(f"{path.name}.npz"), temperature=np.array([temperature]), **stacked([texts]))
