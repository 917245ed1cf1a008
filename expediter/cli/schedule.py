"""`python -m expediter schedule case.json`: what the scheduler would do with your confidences and your cost table."""

import argparse
import json
import sys
from pathlib import Path

from expediter.core.case import CaseError, read_case
from expediter.core.explain import explain
from expediter.core.plan import Plan
from expediter.core.policy import SPELLINGS
from expediter.core.refusal import refuse
from expediter.core.scheduler import schedule

LARGEST_FILE = 64 * 2**20  # bytes; a million confidences written out in full fit

TRY = """\
Decide how many drafted tokens of every request are worth checking.

Try:  echo '{"confidences": [[0.8, 0.2], [0.8, 0.2]], "step_ms": {"2": 10, "4": 10.9, "6": 12.1}}' | python -m expediter schedule -
      python -m expediter schedule case.json --explain"""
GUIDE = f"""\
The case is a JSON object:
  confidences  a list per request of c[k], the chance that draft k passes given that the ones before it did;
               lists may differ in length and may be empty
  step_ms      an object from batch size to milliseconds of one target step, for example {{"1": 10, "8": 14}};
               or sps, the same in steps per second
  policy       {SPELLINGS} (default early-stop)
  lookup       between measured sizes: interp (linear in time, the default), ceil or floor
  draft_ms     time that drafting adds to a step
  budget       most drafts admitted
  budget_from  older confidences, from which "stale" takes its budget (absent: all 1.0, a cold start)
  repeat       use the list of requests this many times

The answer, as JSON: lengths (drafts sent per request), admitted, batch, tau (expected tokens), theta (expected tokens per
second), order ([request from 0, position from 1], surest first), path (theta after 0, 1, … admissions), stop_reason (peak,
exhausted, budget, policy), cold, and the baselines off (nothing drafted), none (drafted, nothing sent) and all.
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "schedule",
        help="decide how many drafts to check, for confidences and a cost table of your own",
        description=TRY,
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("case", help="a JSON file, or - for standard input")
    parser.add_argument("--policy", help="use this policy instead of the case's own")
    parser.add_argument("--lookup", help="use this lookup instead of the case's own")
    parser.add_argument("--explain", action="store_true", help="say in words what is sent and why, instead of JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the plan, or one line on standard error and exit code 2."""
    try:
        case = read_case(_read(options.case), policy=options.policy, lookup=options.lookup)
        plan = schedule(case.confidence, case.step_rate, case.policy, budget=case.budget, older=case.older)
    except CaseError as error:
        return refuse("schedule", error)
    if options.explain:
        print(explain(plan, case), end="")
    else:
        print(json.dumps(answer(plan), allow_nan=False))
    return 0


def answer(plan: Plan) -> dict:
    """The plan as the command prints it: lists and plain numbers."""
    return {
        "lengths": plan.lengths.tolist(),
        "admitted": plan.stop,
        "batch": plan.batch,
        "tau": plan.tau,
        "theta": plan.theta,
        "stop_reason": plan.reason,
        "cold": plan.cold,
        "baselines": {"off": plan.theta_off, "none": plan.theta_none, "all": plan.theta_all},
        "order": plan.order.tolist(),
        "path": plan.path.tolist(),
    }


def _read(name: str) -> str:
    if name == "-" and sys.stdin is None:
        raise CaseError("standard input is closed: give a JSON file, or send one to -")
    try:
        if name == "-":
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable name"
        raise CaseError(f"{json.dumps(name)} cannot be read ({reason}): give a JSON file, or - for standard input") from None
    if len(data) > LARGEST_FILE:
        raise CaseError(f"the case is too large: at most {LARGEST_FILE // 2**20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseError("the case is not UTF-8 text: give JSON saved as UTF-8") from None
