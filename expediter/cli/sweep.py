"""`python -m expediter sweep PAIR`: every policy at every load, on this machine."""

import argparse
from pathlib import Path

from expediter.cli.bench import loads
from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR, TEMPERATURE


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "sweep",
        help="measure every policy at every load",
        description="Serve 1 to 64 requests at once (256 on a GPU) under every policy, interleaved, and remember the result for the app.",
        epilog="Close other programs first. The app shows assets/sweeps/PAIR.json until this machine has a sweep of its own.",
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, help="write the sweep here instead of into the cache")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--temperature", type=float, default=TEMPERATURE, help=f"0 to 1.5 (default {TEMPERATURE:g})")
    parser.add_argument("--workload", default="mixed", help="mixed, stories, explanations, arithmetic or code")
    parser.add_argument("--seed", type=int, default=1, help="of prompts and draws (default 1)")
    parser.add_argument("--loads", type=loads, help="loads to measure, for example 4,16,64 (default 1 to 64 or 256)")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for one policy at one load (default 1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Sweep, show the table, keep it. 2: the pair cannot be loaded or the file not written."""
    from expediter.core import cache
    from expediter.core.pairs import UnknownPair
    from expediter.core.settings import Settings, served
    from expediter.core.sweep import save_sweep
    from expediter.core.sweep_store import keep
    from expediter.core.whole_file import can_be_written
    from expediter.engine.loader import load
    from expediter.engine.profile_store import stored
    from expediter.engine.progress import progress
    from expediter.engine.sweep import sweep

    chosen = {name: getattr(options, name) for name in ("pair", "depth", "temperature", "workload", "seed")}
    try:
        if not 0 < options.seconds <= 60:
            raise ValueError("--seconds takes more than 0 and at most 60: change it.")
        settings = Settings(**chosen).exactly()
        can_be_written(options.out or cache.file("sweeps", settings.pair))
        pair = load(options.pair)
        served(options.loads or (), pair.target.place.device.type)
        with progress() as show:
            made = sweep(pair, settings, stored(pair), show, loads=options.loads, seconds=options.seconds)
        if options.out:
            save_sweep(options.out, made)
        elif problem := keep(made):
            raise OSError(problem)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("sweep", error)
    print(f"{made.pair} · {made.machine} · γ {made.depth} · temperature {made.temperature:g} · table {made.table} · words per second")
    print("load " + "".join(f"{policy:>15s}" for policy in made.policies))
    for load_ in made.loads:
        row = [made.at(policy, load_) for policy in made.policies]
        print(f"{load_:4d} " + "".join(f"{point.words_per_second:9.0f}{point.sent:6.2f}" for point in row))
    return 0
