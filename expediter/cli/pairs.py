"""`python -m expediter pairs`: which pairs there are."""

import argparse

from expediter.core.pairs import pairs


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser("pairs", help="list the pairs that can be run", description="The pairs in models/pairs.")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """One line a pair."""
    for info in pairs():
        megabytes = sum(file.stat().st_size for folder in (info.target, info.draft) for file in folder.glob("*.safetensors")) / 1e6
        print(f"{info.name:14s} {info.title:34s} {megabytes:6.1f} MB  {info.about}")
    return 0
