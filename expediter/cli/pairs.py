"""`python -m expediter pairs`: which pairs there are; add one of your own, look one over, remove it."""

import argparse
import json
import sys

from expediter.core.model_size import model_size
from expediter.core.pairs import PairInfo, UnknownPair, listed
from expediter.core.refusal import refuse

GUIDE = """\
A model is a folder with safetensors, config.json and tokenizer.json, a model that is here already (pocket, mini, smollm2-135m), a GGUF
file of SmolLM2, or a name on the model hub (HF_ENDPOINT names another hub). Target and draft must have the same tokenizer. The draft may
also be a DSpark drafter.
No code from a model is ever run. A download that was stopped goes on where it was.

Try:  python -m expediter pairs add --target gpt2 --draft distilgpt2
      python -m expediter pairs add --target HuggingFaceTB/SmolLM2-360M-Instruct --draft smollm2-135m --name smol
      python -m expediter pairs check smol
      python -m expediter pairs remove smol --models
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command and its own."""
    parser = subparsers.add_parser(
        "pairs",
        help="list the pairs; add, check and remove your own",
        description="Without a further word: the pairs that there are.",
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--json", action="store_true", help="the list as JSON: name, title, megabytes of weights, and what a pair waits for"
    )
    parser.set_defaults(run=run)
    commands = parser.add_subparsers(metavar="COMMAND")
    adding = commands.add_parser("add", help="make a pair of two models, and measure it here")
    adding.add_argument("--target", required=True, metavar="T", help="the big model: a folder, or a name on the hub")
    adding.add_argument("--draft", required=True, metavar="D", help="the small model that guesses for it: the same")
    adding.add_argument("--name", metavar="N", help="what the pair is called (default: made of both names)")
    adding.set_defaults(run=add)
    checking = commands.add_parser("check", help="load a pair and see whether everything about it holds")
    checking.add_argument("pair")
    checking.add_argument("--temperature", type=float, default=0.0, help="0 to 1.5: is it calibrated there? (default 0)")
    checking.set_defaults(run=check)
    removing = commands.add_parser("remove", help="forget a pair of your own")
    removing.add_argument("pair")
    removing.add_argument("--models", action="store_true", help="also what was fetched for it and no other pair needs")
    removing.set_defaults(run=remove)


def run(options: argparse.Namespace) -> int:
    """One line a pair, with what it waits for."""
    if options.json:
        rows = [{"name": i.name, "title": i.title, "megabytes": _megabytes(i), "missing": i.missing or None} for i in listed()]
        print(json.dumps(rows))
        return 0
    for info in listed():
        size = _megabytes(info)
        here = "not here" if size is None else f"{size:.1f} MB"
        print(f"{info.name:14s} {info.title:34s} {here:>9s}  {info.missing or info.about}")
    return 0


def _megabytes(info: PairInfo) -> float | None:
    """Of both models' weights; None where one of them is not here."""
    sizes = [model_size(folder) for folder in (info.target, info.draft)]
    return round(sum(size.weights for size in sizes) / 1e6, 1) if all(sizes) else None


def add(options: argparse.Namespace) -> int:
    """Fetch, check, calibrate, profile. 2: it cannot be done, 130: stopped by the reader."""
    from expediter.core.figures import table
    from expediter.engine import own_pairs
    from expediter.engine.calibration_store import read_figures
    from expediter.engine.progress import progress

    try:
        with progress() as show:
            info = own_pairs.add(options.target, options.draft, options.name, show)
    except KeyboardInterrupt:
        print("pairs add: stopped; what was fetched is kept, and the same command goes on from there.", file=sys.stderr)
        return 130
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("pairs add", error)
    print(*table(read_figures(info.folder)), sep="\n")
    print(f"{info.name} is in the page's list now. Try:  python -m expediter bench --pair {info.name} --quick")
    return 0


def check(options: argparse.Namespace) -> int:
    """One line for everything that was looked at. 1: something does not hold, 2: there is nothing to look at."""
    from expediter.engine.pair_report import findings

    broken = False
    try:
        for finding in findings(options.pair, options.temperature):
            broken |= not finding.holds
            print(f"{'yes' if finding.holds else 'NO ':3s}  {finding.sentence}")
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("pairs check", error)
    return 1 if broken else 0


def remove(options: argparse.Namespace) -> int:
    """Forget it. 2: there is no such pair, or it is a shipped one."""
    from expediter.engine import own_pairs

    try:
        idle = own_pairs.remove(options.pair, options.models)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("pairs remove", error)
    print(f"{options.pair} is forgotten.")
    for folder in idle:
        print(f"No pair needs {folder} any more; it was left there (--models removes such folders).")
    return 0
