"""`python -m expediter record PAIR`: keep a real run, so that the app can show one before any model is loaded."""

import argparse
from pathlib import Path

from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR, TEMPERATURE


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "record",
        help="record a real run of a pair as a trace file",
        description="Decode some steps and write everything that happened as JSON: the app replays it, a script can read it.\n\n"
        f"Try:  python -m expediter record {DEFAULT_PAIR} --out run.json --load 32",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, required=True, help="the trace file to write")
    parser.add_argument("--steps", type=int, default=24, help="steps to keep (default 24)")
    parser.add_argument("--skip", type=int, default=8, help="steps to run before keeping any (default 8)")
    parser.add_argument("--load", type=int, default=16, help="requests at once, 1 to 64, with a GPU 256 (default 16)")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--temperature", type=float, default=TEMPERATURE, help=f"0 to 1.5 (default {TEMPERATURE:g})")
    parser.add_argument("--policy", default="early-stop", help="see schedule --help (default early-stop)")
    parser.add_argument("--workload", default="mixed", help="mixed, stories, explanations, arithmetic or code")
    parser.add_argument("--seed", type=int, default=1, help="of prompts and draws (default 1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Record and say what was recorded. 2: the pair cannot be loaded, a setting is unknown or the file not written."""
    from expediter.core import trace
    from expediter.core.pairs import UnknownPair
    from expediter.core.settings import Settings, served
    from expediter.core.whole_file import can_be_written
    from expediter.engine.loader import load
    from expediter.engine.loop import Engine
    from expediter.engine.profile_store import stored
    from expediter.engine.progress import progress

    chosen = {name: getattr(options, name) for name in ("pair", "load", "depth", "temperature", "policy", "workload", "seed")}
    try:
        if options.steps < 1 or options.skip < 0:
            raise ValueError("--steps keeps at least 1 step and --skip leaves out 0 or more: give larger numbers.")
        settings = Settings(**chosen).exactly()
        can_be_written(options.out)
        pair = load(options.pair)
        served([options.load], pair.target.place.device.type)
        profile = stored(pair)
        engine = Engine(pair, settings, profile)
        traces, all_steps = [], options.skip + options.steps
        with progress() as show:
            for number in range(all_steps):
                traces.append(engine.step())
                show((number + 1) / all_steps, f"step {number + 1} of {all_steps}")
        traces = traces[options.skip :]
        table = f"step-rate table {profile.fingerprint}, {profile.source}, {profile.measured_at}"
        about = f"A real run of {pair.name} on {pair.target.place}; {table}."
        trace.save(options.out, traces, about)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("record", error)
    best = max(traces, key=lambda t: t.theta / max(t.theta_off, t.theta_all))
    print(
        f"{len(traces)} steps, {sum(t.got for t in traces)} tokens. Largest margin of the stop over off and all: "
        f"{100 * (best.theta / max(best.theta_off, best.theta_all) - 1):.0f} % at step {best.step}."
    )
    return 0
