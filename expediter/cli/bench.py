"""`python -m expediter bench --pair PAIR`: is it really faster, against every other way and against what people would use instead."""

import argparse
from pathlib import Path

from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR, GPU_LOAD, MAX_LOAD

SHIPPED = Path(__file__).parents[2] / "assets" / "bench"
QUICK_LOADS = (1, 4, 16, 64, 256)  # as far as the device takes them
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
GUIDE = f"""\
Every policy decodes the same words of the same prompts, in short turns whose order is drawn anew; the figures are medians of blocks of
several turns, and a bar's verdict follows the interval over them: met, missed, or within noise. Two ceilings that no engine can have run
beside them: best-plan (the best plan that the same confidences allow) and oracle (knows which drafts pass). --peers adds transformers'
generate and, for one request, its assisted generation, on the same weights.

Close other programs first, and profile the pair on the quiet machine: python -m expediter profile PAIR, or --profile in the same run. A
whole run takes about four minutes with a small pair and seven with SmolLM2, --quick one to two. More blocks make the intervals narrower.

Try:  python -m expediter bench --pair {DEFAULT_PAIR} --quick --peers --json out.json
      python -m expediter bench --markdown out.json
      python -m expediter bench --markdown --into docs/benchmarks.md
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "bench",
        help="measure words per second of every policy, and of transformers' own generation",
        description="Measure a pair's words per second by load and policy, with the bars that the project sets itself.",
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pair", default=DEFAULT_PAIR, help=f"a pair from models/pairs (default {DEFAULT_PAIR})")
    parser.add_argument("--loads", type=loads, help="requests at once, for example 1,4,16 (default 1,2,4,8,16,32,64, with a GPU to 256)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 to 1.5 (default 0)")
    parser.add_argument("--policies", type=_policies, help="see schedule --help; whole-depth, best-plan, oracle (default: all)")
    parser.add_argument("--peers", action="store_true", help="also run transformers' generate and assisted generation")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--blocks", type=int, help="blocks of every policy, 5 or more for figures that count (default 8, with --quick 5)")
    parser.add_argument("--seconds", type=float, help="plain decoding's time for one block (default 0.45, with --quick 0.3)")
    parser.add_argument("--quick", action="store_true", help="loads 1, 4, 16, 64, with a GPU 256, and shorter blocks")
    parser.add_argument("--profile", action="store_true", help="measure the step-rate table of these loads first, and decide by it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result here")
    parser.add_argument(
        "--markdown", type=Path, nargs="*", metavar="FILE", help="measure nothing: print results (default: the shipped ones)"
    )
    parser.add_argument("--into", type=Path, metavar="FILE", help="with --markdown: put them between this file's marks instead")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print, or print what was measured. 2: the pair or a file is not usable, or an argument is wrong."""
    from expediter.core.pairs import UnknownPair

    try:
        if options.markdown is None:
            _measure(options)
        else:
            _tell(options.markdown or sorted(SHIPPED.glob("*.json")), options.into)
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("bench", error)
    return 0


def _tell(files: list[Path], into: Path | None) -> None:
    """Print results as Markdown, or write them between the marks of a document."""
    from expediter.core.bench import load_bench
    from expediter.core.bench_text import markdown
    from expediter.core.whole_file import whole_file

    if not files:
        raise ValueError("there is no result to tell of: run the benchmark with --json first.")
    told = "\n".join(markdown(load_bench(file)) for file in files)
    if into is None:
        print(told, end="")
        return
    text = into.read_text(encoding="utf-8")
    if not 0 <= text.find(BEGIN) < text.find(END):
        raise ValueError(f"{into} has no {BEGIN} … {END}: put these two lines where the figures belong.")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    with whole_file(into) as draft:
        draft.write_text(f"{before}\n\n{told}\n{after}", encoding="utf-8")


def _measure(options: argparse.Namespace) -> None:
    from expediter.core.bench import to_json
    from expediter.core.bench_text import table
    from expediter.core.pairs import find
    from expediter.core.settings import served, widest
    from expediter.core.whole_file import can_be_written, whole_file
    from expediter.engine.bench import Plan, bench
    from expediter.engine.loader import load
    from expediter.engine.profile_store import stored
    from expediter.engine.profiler import loads_for, measure
    from expediter.engine.progress import progress

    if not (1 <= options.depth <= 8 and (options.blocks is None or options.blocks >= 1) and 0 <= options.temperature <= 1.5):
        raise ValueError("--depth is 1 to 8, --blocks 1 or more and --temperature 0 to 1.5: change them.")
    if options.seconds is not None and not 0 < options.seconds <= 60:
        raise ValueError("--seconds takes more than 0 and at most 60: change it.")
    chosen = {name: getattr(options, name) for name in ("loads", "policies", "blocks", "seconds") if getattr(options, name) is not None}
    fixed = {"temperature": options.temperature, "depth": options.depth, "peers": options.peers}
    info = find(options.pair)
    can_be_written(options.json)
    pair = load(options.pair, info=info)
    place = pair.target.place
    usual = [load for load in QUICK_LOADS if load <= widest(place.device.type)] if options.quick else loads_for(place)
    chosen["loads"] = served(chosen.get("loads", usual), place.device.type)
    plan = (Plan.quick if options.quick else Plan)(**fixed, **chosen)
    with progress() as report:
        if options.profile:
            profile = measure(pair, lambda share: report(0.0, f"timing steps, {share:.0%}"), loads=chosen["loads"])
        else:
            profile = stored(pair)
        result = bench(pair, info, profile, plan, report)
    try:
        if options.json:
            with whole_file(options.json) as draft:
                draft.write_text(to_json(result), encoding="utf-8")
    finally:  # minutes of measuring are shown, whatever became of the file
        print(table(result), end="")


def loads(text: str) -> tuple[int, ...]:
    """ "4,1,16" as an argument, ascending and each once. Raises ArgumentTypeError."""
    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not 1 <= found[0] <= found[-1] <= GPU_LOAD:
        raise argparse.ArgumentTypeError(
            f"{text!r}: loads are whole numbers from 1 to {MAX_LOAD}, on a GPU to {GPU_LOAD}, with commas between them, for example 1,4,16"
        )
    return tuple(found)


def _policies(text: str) -> tuple[str, ...]:
    from expediter.core.policy import Policy

    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    try:
        for name in names:
            if name not in ("best-plan", "oracle", "whole-depth"):
                Policy.parse(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}, or whole-depth, best-plan, oracle") from None
    return names
