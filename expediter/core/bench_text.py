"""A benchmark's result as tables: for the terminal, and as Markdown for the documentation."""

import re

from expediter.core.bars import SCHEDULER, Bar, bars, rivals
from expediter.core.bench import Bench
from expediter.core.digits import count

BAR = 12  # characters of a bar that stands for plain decoding's speed


def columns(bench: Bench) -> list[str]:
    """Policies in the order they were asked for, then peers."""
    return [*dict.fromkeys(row.policy for row in bench.rows), *dict.fromkeys(peer.name for peer in bench.peers)]


def rate(bench: Bench, load: int, name: str) -> float | None:
    """Tokens per second of a policy or peer; None when it was not run at this load."""
    found = bench.row(load, name) or bench.peer(load, name)
    return found.tokens_per_s if found else None


def about(bench: Bench) -> str:
    """One sentence: what was measured, where, when and with what."""
    return (
        f"{bench.pair}, weights {bench.weights}, temperature {bench.temperature:g}, up to {bench.depth} drafts a request, {bench.machine}, "
        f"{bench.measured_at[:10]}."
    )


def run(bench: Bench) -> str:
    """One sentence: how long the run was and by which step-rate table it decided."""
    fingerprint, _, origin = re.sub(r"T\d\d:\S*", "", bench.profile).partition(", ")
    blocks = min((len(row.blocks) for row in bench.rows), default=0)
    return (
        f"{count(blocks, 'block')} of every policy at each load, {count(round(bench.seconds), 'second')} in all; decided by the step-rate "
        f"table {fingerprint}" + (f" ({origin})." if origin else ".")
    )


def markdown(bench: Bench) -> str:
    """Everything: words per second, what was sent, the bars."""
    names = columns(bench)
    parts = [f"### {bench.pair}, temperature {bench.temperature:g}", "", about(bench), run(bench), ""]
    parts += ["Words per second, median of the blocks:", ""]
    parts += _table(["load", *names], [[str(load), *(_rate(bench, load, name) for name in names)] for load in bench.loads])
    if plot := _plot(bench):
        parts += [
            "",
            "Over the words per second of no drafts, early-stop and the best fixed number of drafts:",
            "",
            "```text",
            *plot,
            "```",
        ]
    parts += ["", "Words per step and request / share of what the target read that did not pass:", ""]
    policies = [name for name in names if any(row.policy == name for row in bench.rows)]
    parts += _table(["load", *policies], [[str(load), *(_step(bench, load, name) for name in policies)] for load in bench.loads])
    parts += ["", "Bars:", ""]
    parts += _table(["bar", "needed", "found", "95 %", "verdict", "where"], [_bar(bar) for bar in bars(bench)])
    parts += ["", *_remarks(bench)]
    return "\n".join(parts) + "\n"


def table(bench: Bench) -> str:
    """Words per second, one line a policy, and the bars, for a terminal."""
    width = max(map(len, columns(bench)))
    lines = [about(bench), "", "words per second".ljust(width) + "".join(f"{f'load {load}':>10}" for load in bench.loads)]
    for name in columns(bench):
        lines.append(name.ljust(max(width, 16)) + "".join(f"{_rate(bench, load, name):>10}" for load in bench.loads))
    lines += [
        "",
        *(_bar_line(bar) for bar in bars(bench)),
    ]
    return "\n".join([*lines, *_remarks(bench)]) + "\n"


def _plot(bench: Bench) -> list[str]:
    """By load, a bar for the scheduler and one for the best fixed number of drafts, where plain decoding was run as well."""
    lines = []
    for load in bench.loads:
        off, ours = (bench.row(load, policy) for policy in ("off", SCHEDULER))
        others = [row for row in rivals(bench, load) if row.policy != "off"]
        if not (off and ours and others):
            continue
        for row in (ours, max(others, key=lambda row: row.tokens_per_s)):
            times = row.tokens_per_s / off.tokens_per_s
            lines.append(f"{f'load {load}' if row is ours else '':8s}{row.policy:11s}{'█' * round(BAR * times)} {times:.2f}")
    return lines


def _remarks(bench: Bench) -> list[str]:
    found = list(bench.notes)
    if bench.noisy:
        found.append(f"Noisy, something else was running: load {', '.join(map(str, bench.noisy))}.")
    if any(row.policy == "oracle" for row in bench.rows) and bench.temperature > 0:
        found.append("The oracle peeks: above temperature 0 its words do not have the target's distribution.")
    return found


def _rate(bench: Bench, load: int, name: str) -> str:
    value = rate(bench, load, name)
    return "" if value is None else f"{value:.0f}"


def _step(bench: Bench, load: int, policy: str) -> str:
    row = bench.row(load, policy)
    return "" if row is None else f"{row.tokens_per_step / load:.2f} / {100 * row.wasted_share:.0f} %"


def _bar(bar: Bar) -> list[str]:
    return [bar.name, f"{bar.bound:g}", f"{bar.value:.2f}", bar.interval, bar.verdict, bar.where]


def _bar_line(bar: Bar) -> str:
    sure = f", 95 % {bar.interval}" if bar.interval else ""
    return f"{bar.verdict:<12}  {bar.name}: {bar.value:.2f}{sure}, bar {bar.bound:g} ({bar.where})"


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]
