"""`python -m expediter same-answer PAIR`: check on real runs that scheduling changes no answer, and keep what was seen."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from expediter.core.goodness import ALPHA
from expediter.core.refusal import refuse
from expediter.core.settings import DEFAULT_PAIR

CLOSE = 1e-4  # two best logits this near are a tie as far as float32 can tell
MOST_SAMPLES = 1_000_000  # hours
KEPT = 8  # requests whose texts a recording keeps, two of each workload


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "same-answer",
        help="check that scheduling changes no answer",
        description="At temperature 0, compare plain and scheduled answers token by token under every policy, in float32 and bfloat16.\n"
        "At temperature 1, test real samples of the first two tokens against the target's own distribution.\n"
        "Exit code 1: an answer changed.\n\n"
        f"Try:  python -m expediter same-answer {DEFAULT_PAIR} --requests 8 --tokens 32 --samples 2048",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pair", help=f"a pair from models/pairs, for example {DEFAULT_PAIR}")
    parser.add_argument("--out", type=Path, help="the recording to write, as JSON (default: only show the result)")
    parser.add_argument("--requests", type=int, default=64, help="answers to compare, 1 to 64, with a GPU 256 (default 64)")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of an answer, 1 to 96 (default 64)")
    parser.add_argument("--samples", type=int, default=16_384, help="samples at temperature 1, at most a million (default 16384)")
    parser.add_argument("--depth", type=int, default=5, help="drafted tokens a request, 1 to 8 (default 5)")
    parser.add_argument("--policy", default="early-stop", help="of the samples; see schedule --help (default early-stop)")
    parser.add_argument("--workload", default="stories", help="whose first prompt is sampled: stories, explanations, arithmetic or code")
    parser.add_argument("--seed", type=int, default=1, help="of prompts and draws (default 1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, sample, show, keep. 1: an answer changed. 2: the pair cannot be loaded, a number is out of range or the file not written."""
    from expediter.core.answer_file import AnswerFile, save
    from expediter.core.pairs import UnknownPair, find
    from expediter.core.policy import Policy
    from expediter.core.settings import Settings
    from expediter.core.weights import fingerprint
    from expediter.core.whole_file import can_be_written
    from expediter.core.workloads import prompt

    try:
        if not (options.requests >= 1 and 1 <= options.tokens <= 96 and 1 <= options.samples <= MOST_SAMPLES):
            raise ValueError(
                f"--requests takes at least 1, --samples 1 to {MOST_SAMPLES} and --tokens 1 to 96: give numbers in these ranges."
            )
        Policy.parse(options.policy)
        Settings(depth=options.depth, seed=options.seed).exactly()
        prompt(options.workload, options.seed, 0)
        can_be_written(options.out)
        weights = fingerprint(find(options.pair))
        runs = tuple(_compare(options, number_format).keeping(KEPT) for number_format in ("float32", "bfloat16"))
        sampled = _sample(options)
        if options.out:
            save(options.out, AnswerFile(datetime.now(UTC).isoformat(timespec="seconds"), weights, runs, sampled))
    except (UnknownPair, OSError, ValueError) as error:
        return refuse("same-answer", error)
    for found in runs:
        differences = len(found.differences)
        print(f"{found.number_format}: {found.compared} tokens compared under {len(found.comparisons)} policies, {differences} differ")
    fit = sampled.fit
    print(f"{sampled.drawn} samples, {fit.cells} cells: p = {fit.p_value:.3f}. Seen by 99 of 100 such runs: {_shift(sampled.visible)}")
    changed = [difference for difference in runs[0].differences if difference.lead > CLOSE]
    if changed:
        print(
            f"NO: in float32 {len(changed)} answers part where the best token led by more than {CLOSE:g}, which rounding does not explain."
        )
    if fit.fails:
        print(f"NO: the samples do not follow the target's own distribution (p below {ALPHA:g}).")
    return 1 if changed or fit.fails else 0


def _compare(options: argparse.Namespace, number_format: str):
    from contextlib import nullcontext

    from expediter.core.settings import Settings, served
    from expediter.engine.loader import load
    from expediter.engine.plain import reference
    from expediter.engine.profile_store import stored
    from expediter.engine.progress import progress
    from expediter.engine.same_answer import side_by_side

    pair = load(options.pair, dtype=number_format)
    device = pair.target.place.device.type
    requests = served([options.requests], device)[0]
    settings = Settings(pair.name, requests, options.depth, 0.0, seed=options.seed).exactly()
    with progress() as show:
        model = reference(pair.name, pair.target.place)
        watch = lambda share, picture: show(share, f"temperature 0, {number_format}")  # noqa: E731
        return side_by_side(pair, model, settings, stored(pair), options.tokens, nullcontext(), watch)


def _sample(options: argparse.Namespace):
    from contextlib import nullcontext

    from expediter.core.first_two import LOAD
    from expediter.core.settings import Settings
    from expediter.core.workloads import prompt
    from expediter.engine.loader import load
    from expediter.engine.plain import reference
    from expediter.engine.profile_store import stored
    from expediter.engine.progress import progress
    from expediter.engine.same_answer import sampling

    pair = load(options.pair)
    text = prompt(options.workload, options.seed, 0)[1]
    settings = Settings(pair.name, LOAD, options.depth, 1.0, policy=options.policy, seed=options.seed).exactly()
    with progress() as show:
        model = reference(pair.name, pair.target.place)
        watch = lambda share, picture: show(share, "temperature 1")  # noqa: E731
        return sampling(pair, model, settings, stored(pair), text, options.samples, "honest", nullcontext(), watch)


def _shift(visible: float | None) -> str:
    return "no shift at all" if visible is None else f"a shift of {visible:.3f} in total variation"
