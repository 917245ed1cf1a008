"""`python -m expediter watch URL`: a running vLLM or SGLang server's load and acceptance, and what the expediter would send."""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep

from expediter.core.advice import Advice, advise
from expediter.core.clock import SimulatedClock
from expediter.core.digits import count
from expediter.core.page_fetch import FetchError, fetch, metrics_address
from expediter.core.refusal import refuse
from expediter.core.server_load import Live, between
from expediter.core.server_page import NoServer, Reading, read
from expediter.core.table_reader import read_bytes

TRY = """\
Show a server's live load, its acceptance by position, and how many drafts per request are worth checking.

Try:  python -m expediter watch http://localhost:8000 --table table.json
      python -m expediter watch http://localhost:30000 --once --json"""
GUIDE = """\
Nothing is sent to the server but a request for its metrics page. Two readings are needed, --every seconds apart, for counters count from
the server's start. vLLM's names of V0 and V1 are read, and those that Ray gives them. Where vLLM's adaptive verification cuts blocks,
older pages count what was proposed as sent. SGLang needs --enable-metrics; it has no acceptance by position, so an even one is derived
from its mean.

--table is the server's own cost table, in any form that profile --import reads; without it there is no advice. A server of several
data-parallel engines is advised for one of them, with its share of the requests. The advice takes every request to be like the mean one:
compare it with your num_speculative_tokens. A scheduler with confidences tells requests apart.

With --json, every line has: engine, running, engines (that have requests), tokens_per_s, speculates (whether drafts are counted), depth,
acceptance (by position, given that the ones before passed), even, sent (drafts per request and step), tokens_per_step, restarted, and
advice (load, per_request, batch, theta, theta_off, theta_all, depth, theta_depth, drafts). null is what the page does not tell.
"""


def register(subparsers: argparse._SubParsersAction) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a running vLLM or SGLang server and say how much it should check",
        description=TRY,
        epilog=GUIDE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", help="the server or its metrics page, for example http://localhost:8000")
    parser.add_argument("--table", type=Path, help="a cost table of that server, see profile --import")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two readings (default 2)")
    parser.add_argument("--once", action="store_true", help="stop after the first result")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Watch until interrupted. 2: the address, the page or the table is not usable."""
    try:
        if not 0.05 <= options.every <= 3600:
            raise ValueError("--every takes seconds from 0.05 to 3600: change it.")
        clock = SimulatedClock(read_bytes(options.table.read_bytes())) if options.table else None
        for live in _lives(metrics_address(options.url), options.every, options.once):
            advice = _advice(clock, live)
            print(json.dumps(_plain(live, advice)) if options.json else _told(live, advice, clock), flush=True)
    except KeyboardInterrupt:
        return 0
    except (OSError, ValueError) as error:
        return refuse("watch", error)
    return 0


def _lives(address: str, every: float, once: bool) -> Iterator[Live]:
    """The time between each reading and the next. A page that is missing once is told and tried again. Raises FetchError, NoServer."""
    before = _reading(address)
    while True:
        sleep(every)
        try:
            after = _reading(address)
        except (FetchError, NoServer) as error:
            if once:
                raise
            print(f"watch: {error}", file=sys.stderr, flush=True)
            continue
        yield between(before, after)
        if once:
            return
        before = after


def _reading(address: str) -> Reading:
    text = fetch(address)
    return read(text, monotonic())


def _advice(clock: SimulatedClock | None, live: Live) -> Advice | None:
    """For one engine. None without a table, without load, and while nothing is drafted."""
    if clock is None or live.load < 1 or not live.acceptance:
        return None
    unreached = (0.0,) * (live.depth - len(live.acceptance))
    return advise(clock, live.load, live.acceptance + unreached)


def _plain(live: Live, advice: Advice | None) -> dict:
    """For machines: null where a number is not known."""
    whole = asdict(live) | {"advice": asdict(advice) | {"drafts": advice.drafts} if advice else None}
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in whole.items()}


def _told(live: Live, advice: Advice | None, clock: SimulatedClock | None = None) -> str:
    """For people."""
    parts = [f"{datetime.now():%H:%M:%S}  {live.engine}", count(live.running, "request")]
    if live.engines > 1:
        parts[1] += f" on {live.engines} engines"
    if not math.isnan(live.tokens_per_s):
        parts.append(f"{live.tokens_per_s:.0f} tokens/s")
    if not math.isnan(live.tokens_per_step):
        parts.append(f"{live.tokens_per_step:.2f} tokens a request and step")
    lines = [" · ".join(parts) + (" · restarted" if live.restarted else "")]
    if live.acceptance:
        lines.append(_drafts(live))
    elif live.speculates:
        lines.append("  nothing drafted since the last reading")
    else:
        lines.append("  the page counts no drafts: speculative decoding is off, or its metrics are")
    if advice:
        lines.append(_advised(live, advice))
        if clock and advice.load * (1 + live.depth) > clock.table.batch[-1]:
            lines.append(f"  the table ends at {clock.table.batch[-1]} tokens: above, a step is taken to grow with its tokens")
    return "\n".join(lines)


def _drafts(live: Live) -> str:
    """What is sent and what of it passes."""
    kind = "one for all, from the mean" if live.even else "each if the ones before passed"
    chances = [f"{c:.2f}" for c in live.acceptance] + ["–"] * (live.depth - len(live.acceptance))
    told = f"  passes at position 1, 2, …: {' '.join(chances)}  ({kind})"
    if not math.isnan(live.sent):
        told = f"  sends {live.sent:.1f} drafts per request;{told[1:]}"
        if live.sent < live.depth - 0.05 and not live.even:
            told += "\n  blocks were cut: a draft that was not sent counts here as one that did not pass"
    return told


def _advised(live: Live, advice: Advice) -> str:
    """The best that the table knows of for one engine, and beside it what else there is. All for equal requests."""
    where = f" for an engine with {count(advice.load, 'request')}" if live.engines > 1 else ""
    if not advice.drafts:
        best = "do not draft"
    elif advice.theta < advice.theta_depth:
        best = f"send {count(advice.depth, 'draft')} of every request"
    else:
        best = f"send {count(round(advice.per_request, 1), 'draft')} per request on average, {count(advice.batch, 'token')} a step"
    return (
        f"  advice{where}: {best}. Tokens/s on the table: early stop {advice.theta:.0f} ({advice.per_request:.1f} per request), "
        f"one length for all {advice.theta_depth:.0f} ({advice.depth}), all {live.depth} sent {advice.theta_all:.0f}, "
        f"without drafting {advice.theta_off:.0f}"
    )
