"""What a pair gains here: policies interleaved in one run, medians; drafting beside verifying; attention's share of a step.

    python -m tests.benchmarks.pair_speed pocket-good --load 1 --temperature 0

Close other programs first.
"""

import argparse
from time import perf_counter
from unittest.mock import patch

import numpy as np

from expediter.core.settings import WORKLOADS, Settings
from expediter.engine import attention, lean_target
from expediter.engine.loader import Pair, load
from expediter.engine.loop import Engine
from expediter.engine.profile_store import stored
from expediter.engine.profiler import Bench

BLOCK = 40  # steps of one policy before the next takes its turn


def words_per_second(pair: Pair, policies: list[str], load_: int, depth: int, temperature: float, rounds: int) -> dict[str, float]:
    """Committed tokens over the wall time of whole steps, prefill aside; mean over the workloads of each one's median round."""
    means = {policy: [] for policy in policies}
    profile = stored(pair)
    for workload in WORKLOADS[1:]:
        engines = {
            p: Engine(
                pair, Settings(pair=pair.name, load=load_, depth=depth, temperature=temperature, policy=p, workload=workload), profile
            )
            for p in policies
        }
        rates = {policy: [] for policy in policies}
        for _ in range(rounds):
            for policy, engine in engines.items():
                traces = [engine.step() for _ in range(BLOCK)]
                rates[policy].append(sum(t.got for t in traces) / sum(t.seconds.step for t in traces))
        for policy in policies:
            means[policy].append(float(np.median(rates[policy])))
    return {policy: float(np.mean(values)) for policy, values in means.items()}


def attention_share(pair: Pair, requests: int = 64, each: int = 5, repeats: int = 7) -> float:
    """Share of a verification's time inside the attention function, `each` drafts sent for every request."""
    spent = 0.0
    inner = attention.attend

    def timed(*args, **kwargs):
        nonlocal spent
        begun = perf_counter()
        out = inner(*args, **kwargs)
        spent += perf_counter() - begun
        return out

    bench = Bench(pair, requests, 128, np.random.default_rng(0))
    shares = []
    with patch.object(attention, "attend", timed), patch.object(lean_target, "attend", timed):  # a plain Llama target has its own forward
        for _ in range(repeats):
            spent = 0.0
            whole = bench.seconds(lambda: bench.verify(requests * (1 + each)))
            shares.append(spent / whole)
    return float(np.median(shares))


def draft_share(pair: Pair, requests: int = 8, depth: int = 5, repeats: int = 25) -> float:
    """Time of drafting and scoring a block over the time of the target's step with nothing sent, interleaved."""
    bench = Bench(pair, requests, 96, np.random.default_rng(0))
    drafting, reading = [], []
    for _ in range(repeats):
        drafting.append(bench.seconds(lambda: bench.draft(depth)))
        reading.append(bench.seconds(lambda: bench.verify(requests)))
    return float(np.median(drafting) / np.median(reading))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair")
    parser.add_argument("--load", type=int, default=1)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--policies", default="off,early-stop,all")
    parser.add_argument("--rounds", type=int, default=3)
    o = parser.parse_args()
    subject = load(o.pair)
    rates = words_per_second(subject, o.policies.split(","), o.load, o.depth, o.temperature, o.rounds)
    print(f"{o.pair}, load {o.load}, depth {o.depth}, temperature {o.temperature:g}, {subject.target.place}")
    for policy, rate in rates.items():
        print(f"  {policy:14s} {rate:8.1f} tokens/s" + (f"  {rate / rates['off']:.2f} × off" if "off" in rates else ""))
    print(f"  a block of 5 for 8 requests takes {draft_share(subject):.2f} of the target's step with nothing sent")
    print(f"  attention takes {attention_share(subject):.2f} of a verification of 64 requests with 5 drafts each")
    profile = stored(subject)
    rate64 = profile.at(0.0).step_rate(64, 96, o.depth)
    nothing, everything = 1000 * rate64.verify_seconds(64), 1000 * rate64.step_seconds(64 * (1 + o.depth))
    print(f"  table: 64 requests, nothing sent {nothing:.1f} ms, drafted and all sent {everything:.1f} ms")
