"""`python -m expediter machines PAIR`: keep a few drafted blocks in full, for the page that takes the three machines apart."""

import argparse
from pathlib import Path

from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR, TEMPERATURE


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "machines",
        help="record a few drafted blocks of a pair in full: with and without the Markov head, confidence, outcome",
        description="Decode some steps at each temperature and keep one block a workload, one in which the Markov head matters if any.\n\n"
        f"Try:  python -m expediter machines {DEFAULT_PAIR} --out blocks.json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, help="the file to write (default: assets/machines/PAIR.json)")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, TEMPERATURE], help=f"0 to 1.5 (default 0 {TEMPERATURE:g})")
    parser.add_argument("--steps", type=int, default=8, help="steps to choose from (default 8)")
    parser.add_argument("--skip", type=int, default=4, help="steps to run before (default 4)")
    parser.add_argument("--load", type=int, default=16, help="requests at once, 1 to 64, with a GPU 256 (default 16)")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--seed", type=int, default=1, help="of prompts and draws (default 1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Record and say what was kept. 2: the pair cannot be loaded, a setting is unknown or the file not written."""
    from expediter.core import block
    from expediter.core.pairs import UnknownPair, find
    from expediter.core.settings import Settings, served
    from expediter.core.whole_file import can_be_written
    from expediter.engine.head_off import recorded
    from expediter.engine.loader import load

    try:
        if options.steps < 1 or options.skip < 0:
            raise ValueError("--steps keeps at least 1 step and --skip leaves out 0 or more: give larger numbers.")
        info = find(options.pair)
        out = options.out or block.path_of(info.name)
        can_be_written(out)
        asked = [Settings(info.name, options.load, options.depth, t, seed=options.seed).exactly() for t in options.temperatures]
        pair = load(info.name)
        served([options.load], pair.target.place.device.type)
        sets = [recorded(pair, info, chosen, options.skip, options.steps) for chosen in asked]
        block.save(out, sets)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("machines", error)
    for found in sets:
        head = "no Markov head" if found.differing is None else f"the Markov head changed a word in {found.differing}"
        print(f"temperature {found.temperature:g}: {len(found.blocks)} of {found.drawn} blocks kept, {head}")
    return 0
