"""`python -m expediter profile PAIR`: measure on this machine what a step of the pair costs."""

import argparse
import sys
from pathlib import Path


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "profile",
        help="measure what a step of a pair costs on this machine",
        description="Measure whole steps over loads, batch sizes and contexts, and remember them for the app.",
        epilog="Close other programs first: a busy machine measures its neighbours. The app measures by itself when it has no profile.",
    )
    parser.add_argument("pair", help="a pair from models/pairs, for example pocket-good")
    parser.add_argument("--out", type=Path, help="write the profile here instead of into the cache")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, show the table, keep it. 2: the pair cannot be loaded or the file not written."""
    from tqdm import tqdm

    from expediter.core.pairs import UnknownPair
    from expediter.core.profile_file import save_profile
    from expediter.engine.loader import load
    from expediter.engine.profile_store import keep, path_of
    from expediter.engine.profiler import measure

    try:
        pair = load(options.pair)
        with tqdm(total=100, unit="%", desc="measuring", file=sys.stderr) as bar:
            profile = measure(pair, lambda share: bar.update(round(100 * share) - bar.n))
        if options.out:
            save_profile(profile, options.out)
        elif problem := keep(pair, profile):
            raise OSError(problem)
    except (UnknownPair, OSError, ValueError) as error:
        print(f"profile: {error}", file=sys.stderr)
        return 2
    print(f"{pair.name} · {pair.target.place} · noise {100 * profile.noise(16):.1f} % · kept in {options.out or path_of(pair).name}")
    print("load  nothing sent    5 each sent    drafting 5    rest   (ms, 96 tokens of context)")
    for load_ in (1, 4, 16, 64):
        rate = profile.step_rate(load_, 96, 5)
        few, many = (1000 * rate.verify_seconds(b) for b in (load_, 6 * load_))
        print(f"{load_:4d} {few:13.2f} {many:14.2f} {1000 * rate.draft_seconds:13.2f} {1000 * profile.rest_seconds(load_):7.2f}")
    return 0
