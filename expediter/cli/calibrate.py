"""`python -m expediter calibrate PAIR`: make a pair's confidences honest, from its own decoding."""

import argparse
from pathlib import Path

from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR

GUIDE = f"""\
It takes some minutes. The result takes the place of calibration.safetensors and calibration.json in the pair's folder; the Garage's own
button keeps a shipped pair's calibration aside. More prompts make more honest figures: at temperature 0 the same prompt always brings the
same words.

Try:  python -m expediter calibrate my-pair
      python -m expediter calibrate {DEFAULT_PAIR} --prompts prompts.txt --blocks 2000
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="fit a pair's confidence on its own decoding",
        description="Decode with every draft verified, fit the probe, scale it, and measure on prompts that neither has seen.",
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--prompts", type=Path, help="a text file with one prompt a line (default: the four workloads' own)")
    parser.add_argument(
        "--blocks", type=int, default=6000, help="drafted blocks at each temperature for each of probe, scaling and test (default 6000)"
    )
    parser.add_argument("--seed", type=int, default=7, help="of prompts and draws (default 7)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fit, keep and show. 2: the pair or the prompts cannot be read, or the result not written."""
    from expediter.core.figures import table
    from expediter.core.pairs import UnknownPair, find
    from expediter.core.whole_file import can_be_written
    from expediter.core.workloads import PROMPTS
    from expediter.engine.calibrate import calibrate
    from expediter.engine.calibration_store import FILE, write_calibration
    from expediter.engine.loader import load
    from expediter.engine.progress import progress

    try:
        prompts = [text for texts in PROMPTS.values() for text in texts]
        if options.prompts:
            prompts = [line.strip() for line in options.prompts.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
        folder = find(options.pair).folder
        can_be_written(folder / FILE)
        pair = load(options.pair, calibrated=False)
        with progress() as show:
            fitted, figures = calibrate(pair, prompts, (options.blocks,) * 3, options.seed, show)
        prompts_of = "a file" if options.prompts else "workloads"
        about = {"seed": options.seed, "prompts": len(prompts), "prompts_of": prompts_of, "machine": str(pair.target.place)}
        write_calibration(folder, fitted, {**about, **figures})
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("calibrate", error)
    print(*table(figures), sep="\n")
    return 0
