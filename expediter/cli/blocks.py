"""`python -m expediter blocks PAIR`: keep drafted blocks with their confidences and outcomes, for the pages that need many of them."""

import argparse
from pathlib import Path

from expediter.core.recorded_blocks import BLOCKS, path_of, save_blocks
from expediter.core.recorded_places import TEXTS
from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "blocks",
        help="record drafted blocks of a pair with their confidences and outcomes",
        description="Decode with every draft verified, at several temperatures, on prompts that the confidence was not fitted on;\n"
        "and let the target write texts, with a block at every place of them. A few minutes.\n\n"
        f"Try:  python -m expediter blocks {DEFAULT_PAIR} --out blocks.npz",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, help="the file to write (default: assets/blocks/PAIR.npz)")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"drafted blocks to keep at each temperature (default {BLOCKS})")
    parser.add_argument("--texts", type=int, default=TEXTS, help=f"texts to keep at each temperature, for the fleet (default {TEXTS})")
    parser.add_argument("--seed", type=int, default=11, help="of prompts and draws (default 11)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Record, keep and show. 2: the pair cannot be loaded, there is nothing to keep, or the file is not written."""
    from expediter.core.pairs import UnknownPair, find
    from expediter.core.whole_file import can_be_written
    from expediter.engine.calibrate import TEMPERATURES
    from expediter.engine.loader import load
    from expediter.engine.progress import progress
    from expediter.engine.record_blocks import recording

    out = options.out or path_of(options.pair)
    try:
        if options.blocks < 1 or options.texts < 1:
            raise ValueError("--blocks and --texts take at least 1: give larger numbers.")
        info = find(options.pair)
        can_be_written(out)
        with progress() as show:
            made = recording(load(info.name), info, TEMPERATURES, options.blocks, options.texts, options.seed, show)
        save_blocks(out, made)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("blocks", error)
    first, size = made.blocks[0], out.stat().st_size // 1000
    print(f"{len(first)} blocks of {first.depth} at each temperature, {made.origin.prompts} prompts, {size} kB")
    for blocks, places in zip(made.blocks, made.places, strict=True):
        of = f"{len(places)} places of {places.texts} texts"
        print(f"temperature {blocks.temperature:g}: {1 + blocks.passed.mean():.2f} tokens a step; {of}")
    return 0
