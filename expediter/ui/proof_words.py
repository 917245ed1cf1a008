"""What a benchmark says, in sentences and tables. Pure: a result in, text out; no sentence that other numbers could make false."""

import re
from html import escape

from expediter.core.bars import MET, MISSED, SCHEDULER, UNSURE, Bar, bars, counted
from expediter.core.bench import Bench
from expediter.core.bench_text import about, columns, rate
from expediter.ui.captions import count, percent
from expediter.ui.captions import rate as speed
from expediter.ui.figures_proof import LOOKS, times_plain
from expediter.ui.policy_look import name as policy_name
from expediter.ui.theme import STATES

LEVEL = 0.02  # a difference below this share is none to the eye
SHARES = 0.5  # a bar below this is a share that must not be exceeded; the others are ratios that must be reached
WHOLE = {"whole-depth": "expediter that always guesses the whole depth"}
# The mark and style of each verdict. One that is still open is nobody's success or failure.
VERDICTS = {MET: (STATES["passed"].mark, "ex-met"), MISSED: (STATES["refused"].mark, "ex-missed"), UNSURE: ("≈", "ex-unsure")}
# A bar's name in this page's words.
SAID = {"no drafts": "no guessing", "all drafts": "checking every word", "every fixed length": "every limit by hand"}


def who(name: str) -> str:
    """A policy's or peer's name for people."""
    if name in LOOKS or name in WHOLE:
        return LOOKS[name].name if name in LOOKS else WHOLE[name]
    try:
        return policy_name(name)
    except ValueError:  # a peer's
        return name


def progress(sentence: str) -> str:
    """How far a run is, "load 4: oracle, block 1 of 5", with the names that the page uses."""
    return re.sub("(?<=: )[^,]+(?=, block )", lambda match: who(match[0]), sentence)


def origin(bench: Bench, here: bool, when: str, text: dict[str, str]) -> str:
    """Where the figures come from."""
    return text["here" if here else "recorded"].format(about=about(bench), ago=when, profile=re.sub(r"T\d\d:\S*", "", bench.profile))


def cautions(bench: Bench, here: bool, other_weights: bool, chosen: float, text: dict[str, str]) -> list[str]:
    """What a reader should know before believing a figure."""
    said = [text["short"]] if here else []
    if abs(bench.temperature - chosen) > 0.005:
        said.append(text["other_temperature"].format(temperature=f"{bench.temperature:g}", chosen=f"{chosen:g}"))
    if other_weights:
        said.append(text["other_weights"])
    if bench.noisy:
        said.append(text["noisy"].format(loads=", ".join(map(str, bench.noisy))))
    return said


def headline(bench: Bench) -> str:
    """The expediter beside plain decoding, at the lightest and the heaviest load; empty where either was not run."""
    times = times_plain(bench).get(LOOKS[SCHEDULER].name, {})
    if not times:
        return ""
    first, last = min(times), max(times)
    said = (
        f"At temperature {bench.temperature:g} the expediter writes, for {count(first, 'request')}, {times[first]:.2f} times the words per "
        "second of plain decoding"
    )
    return f"{said}." if first == last else f"{said}, for {count(last, 'request')} {times[last]:.2f} times."


def verdict(bench: Bench) -> str:
    """How many bars are met, how many missed, and how many the run cannot tell."""
    found = bars(bench)
    if not found:
        return "There are too few figures for any bar."
    of = counted(found)
    if of[MET] == len(found):
        return f"{count(len(found), 'bar')}: all met."
    said = [f"{of[verdict]} {verdict}" for verdict in (MET, MISSED, UNSURE) if of[verdict]]
    return f"{count(len(found), 'bar')}: {', '.join(said)}."


def speed_alt(bench: Bench) -> str:
    """The chart in words."""
    parts = [
        f"{name}: {', '.join(f'{value:.2f} at {load}' for load, value in points.items())}" for name, points in times_plain(bench).items()
    ]
    return f"Lines over load, in times plain decoding. {'; '.join(parts)}."


def rates_table(bench: Bench) -> str:
    """Words per second as HTML: one line for each way, one column for each load."""
    head = "".join(f"<th scope='col'>{escape(count(load, 'request'))}</th>" for load in bench.loads)
    lines = []
    for name in columns(bench):
        cells = "".join(f"<td>{_cell(rate(bench, load, name))}</td>" for load in bench.loads)
        lines.append(f"<tr><th scope='row'>{escape(who(name))}</th>{cells}</tr>")
    body = "".join(lines)
    return (
        "<div class='ex-board ex-ways ex-proof' tabindex='0' role='region' aria-label='Words per second'>"
        f"<table><thead><tr><th scope='col'>who decides</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: float | None) -> str:
    return "–" if value is None else speed(value)


def bars_list(bench: Bench) -> str:
    """Every bar as HTML: its mark, what was needed, what was found, and where."""
    return f"<ul class='ex-bars'>{''.join(_bar(bar) for bar in bars(bench))}</ul>"


def _bar(bar: Bar) -> str:
    mark, style = VERDICTS[bar.verdict]
    if bar.bound < SHARES:
        found = f"<strong>{percent(abs(bar.value))}</strong>, at most {percent(bar.bound)}"
    else:
        found = f"<strong>{bar.value:.2f} ×</strong>, at least {bar.bound:g} ×"
    phrase = re.sub("|".join(SAID), lambda match: SAID[match[0]], bar.name)
    sure = f", 95 % sure of {bar.interval}" if bar.interval else ""
    where = re.sub("(?<=against )[^;]+", lambda match: who(match[0]), bar.where)
    return f"<li class='{style}'>{mark} {bar.verdict} <span>{escape(phrase)}: {found}{sure}; {escape(where)}</span></li>"


def forecast(bench: Bench) -> str:
    """How good the predicted words per second were; empty where nothing was predicted."""
    if bench.prediction is None:
        return ""
    bias, reach = bench.prediction.bias, bench.prediction.p90_abs_error
    mean = (
        "as fast as it turned out" if abs(bias) < LEVEL else f"{percent(abs(bias))} {'faster' if bias > 0 else 'slower'} than it turned out"
    )
    return f"In the mean the step was expected to be {mean}; nine blocks in ten are off by at most {percent(reach)}."


def outside(bench: Bench) -> str:
    """The share of a step that neither model works in."""
    parts = ", ".join(f"{percent(share)} at load {load}" for load, share in bench.overhead.items())
    return f"Of a step's time, this share is spent outside both models (choosing words, scoring, deciding, judging): {parts}."
