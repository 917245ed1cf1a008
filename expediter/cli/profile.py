"""`python -m expediter profile PAIR`: measure on this machine what a step of the pair costs, and carry tables to and from other engines."""

import argparse
import math
import sys
from contextlib import nullcontext, redirect_stdout
from itertools import takewhile
from pathlib import Path

from expediter.core.case import LARGEST_BATCH
from expediter.core.digits import plain
from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR
from expediter.core.table_export import FORMATS

STDOUT = Path("-")
TRY = f"""\
Measure whole steps over loads, batch sizes and contexts, and remember them for the app.

Try:  python -m expediter profile {DEFAULT_PAIR} --stored --export table.json --format sglang
      python -m expediter profile --import table.json
      python -m expediter profile --import table.json --export - --format vllm > curves.json"""
GUIDE = """\
Close other programs first: a busy machine measures its neighbours. The app measures by itself when it has no profile.

Formats of --export (--import reads all but the last; SGLang 0.5.19 and vLLM 0.32, as of 2026-11):
  csv              batch,ms                     json   the step_ms, draft_ms and lookup of schedule
  sglang           for --speculative-dspark-sps-table-path: steps per second by tokens, at --load requests, drafting included;
                   SGLang uses it where SGLANG_RAGGED_VERIFY_MODE is compact
  sglang-additive  the same option's second form: a bias, a part by requests, a part by tokens, for all loads
  vllm             the two curves of vLLM's adaptive verification (vLLM measures its own and reads no file)
  vllm-dynamic     num_speculative_tokens_per_batch_size, to be put into vLLM's --speculative-config beside method and model;
                   vLLM leaves it aside with more than one data-parallel engine
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "profile",
        help="measure what a step of a pair costs on this machine; write and read tables of other engines",
        description=TRY,
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", nargs="?", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, help="write the profile here instead of into the cache")
    parser.add_argument("--stored", action="store_true", help="use the profile that is there instead of measuring")
    parser.add_argument("--import", type=Path, dest="table", metavar="FILE", help="read a table from a file instead of measuring")
    parser.add_argument("--export", type=Path, metavar="FILE", help="also write the table here, in --format; - for standard output")
    parser.add_argument("--format", choices=FORMATS, default="json", help="default json")
    parser.add_argument("--load", type=int, default=16, help="requests, for formats without that axis (default 16)")
    parser.add_argument("--context", type=int, default=96, help="tokens each request holds (default 96)")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--temperature", type=float, default=0.0, help="of the steps, and for vllm-dynamic of the acceptance (default 0)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure or read, show the table, keep and export it. 2: something cannot be loaded, read or written."""
    from expediter.core.pairs import UnknownPair
    from expediter.core.whole_file import can_be_written

    try:
        in_range = 1 <= options.load <= LARGEST_BATCH and options.context >= 0 and 1 <= options.depth <= 8
        if not (in_range and 0 <= options.temperature <= 1.5):
            raise ValueError("--load starts at 1, --context at 0, --depth is 1 to 8 and --temperature 0 to 1.5: change them.")
        if options.table and (options.stored or options.out):
            raise ValueError("--stored and --out are for a pair's own profile: leave them out with --import.")
        if not options.table and not options.pair:
            raise ValueError("name a pair to measure, or a table to read with --import.")
        can_be_written(None if options.export == STDOUT else options.export)
        with redirect_stdout(sys.stderr) if options.export == STDOUT else nullcontext():
            clock = _imported(options) if options.table else _profile(options)
        if options.export:
            _write(options, clock.at(options.temperature))
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("profile", error)
    return 0


def _profile(options: argparse.Namespace):
    """Measure, or take what is stored, and show it."""
    from expediter.core.profile_file import save_profile
    from expediter.core.whole_file import can_be_written
    from expediter.engine.loader import load
    from expediter.engine.profile_store import keep, path_of, stored
    from expediter.engine.profiler import measure
    from expediter.engine.progress import progress

    pair = load(options.pair)
    if options.stored:
        profile, kept = stored(pair), None
    else:
        kept = options.out or path_of(pair)
        can_be_written(kept)
        with progress() as show:
            profile = measure(pair, lambda share: show(share, "measuring"))
        if options.out:
            save_profile(profile, options.out)
        elif problem := keep(pair, profile):
            raise OSError(problem)
    where = f"kept in {options.out or kept.name}" if kept else f"{profile.source}, {profile.measured_at}"
    print(f"{pair.name} · {pair.target.place} · noise {100 * profile.noise(16):.1f} % · {where}")
    print("temperature   load  nothing sent    5 each sent    drafting 5    rest   (ms, 96 tokens of context)")
    for name, temperature in {"0": 0.0, "above 0": 1.0}.items() if profile.sampled else {"any": 0.0}.items():
        costs = profile.at(temperature)
        for load_ in sorted({1, 4, 16, 64, 256} & {*costs.loads}):
            rate = costs.step_rate(load_, 96, 5)
            few, many = (1000 * rate.verify_seconds(b) for b in (load_, 6 * load_))
            rest = 1000 * costs.rest_seconds(load_)
            print(f"{name:>11s} {load_:6d} {few:13.2f} {many:14.2f} {1000 * rate.draft_seconds:13.2f} {rest:7.2f}")
    return profile


def _imported(options: argparse.Namespace):
    """Read a table and show it."""
    from expediter.core.clock import SimulatedClock
    from expediter.core.table_reader import read_bytes

    table = read_bytes(options.table.read_bytes())
    print(f"{options.table.name} · {table.source}")
    if table.flat:
        print("It is flat: on it every draft looks free, and everything is sent. If it was never measured, measure it.")
    rate = table.step_rate(options.load)
    load, drafting = f"load {options.load}" if table.requests else "", f"and {plain(1000 * rate.draft_seconds)} ms of drafting"
    told = ", ".join(filter(None, (load, drafting if rate.draft_seconds else "")))
    print("batch       ms  steps/s" + (f"   ({told})" if told else ""))
    for batch, seconds in zip(rate.batch.tolist(), rate.seconds.tolist(), strict=True):
        print(f"{batch:5d} {1000 * seconds:8.3f} {1 / seconds:8.2f}")
    return SimulatedClock(table)


def _write(options: argparse.Namespace, clock) -> None:
    from expediter.core.table_export import export
    from expediter.core.whole_file import whole_file

    acceptance = _acceptance(options) if options.format == "vllm-dynamic" else ()
    text = export(options.format, clock, options.load, options.context, options.depth, acceptance)
    if options.export == STDOUT:
        print(text, end="")
        return
    with whole_file(options.export) as draft:
        draft.write_text(text, encoding="utf-8")
    print(f"written to {options.export} as {options.format}")


def _acceptance(options: argparse.Namespace) -> list[float]:
    """c_k of the pair as it was measured when it was calibrated, at the nearest temperature, as far as drafts were seen. [≤ γ]"""
    from expediter.core.figures import nearest_figures
    from expediter.core.pairs import find
    from expediter.engine.calibration_store import read_figures

    if not options.pair:
        raise ValueError("vllm-dynamic needs to know how often drafts pass: name a calibrated pair as well.")
    figures = nearest_figures(read_figures(find(options.pair).folder), options.temperature)
    if figures is None:
        raise ValueError(f"{options.pair} has no calibration.json: python -m expediter calibrate {options.pair} writes one.")
    return list(takewhile(math.isfinite, figures.acceptance[: options.depth]))
