"""A pair as HTML: what a newcomer asks first, and everything else folded away. Pure; all text is escaped."""

import math
from collections.abc import Mapping, Sequence
from html import escape

from expediter.ui import garage_words as words
from expediter.ui.captions import count, percent
from expediter.ui.garage_data import Card

BAR = 1.6  # rem, a guess that always passes


def head(card: Card, text: Mapping) -> str:
    """Title, where it stands, and what it is."""
    state = text["states"][card.state]
    marks = [f"<span class='ex-tag'>{escape(text['chosen'])}</span>"] if card.chosen else []
    marks += [f"<span class='ex-tag'>{escape(text['own'])}</span>"] if card.own else []
    where = (
        f"<span class='ex-where'><i aria-hidden='true'>{escape(state['mark'])}</i> {escape(state['name'])}: {escape(state['about'])}</span>"
    )
    return (
        f"<h2 class='ex-pair'>{escape(card.info.title)} {''.join(marks)}</h2><p class='ex-standing'>{where}</p>"
        f"<p class='ex-read'>{escape(card.info.about)}</p>"
    )


def figures(card: Card, text: Mapping) -> str:
    """The three numbers that a glance should catch, and where the times come from. Nothing for a pair that is not there yet."""
    if card.state == "missing":
        return ""
    found = card.figures
    tiles = [_tile(*words.guesses(found), _bars(found.acceptance))] if found else [_tile("–", text["no_figures"])]
    tiles += [_tile(*words.pace(speed)) for speed in card.speeds] or [_tile("–", text["no_table"])]
    source = words.origin(card.table, text) if card.table else ""
    return f"<ul class='ex-figures'>{''.join(tiles)}</ul><p class='ex-footer'>{escape(source)}</p>"


def facts(card: Card, load: int, text: Mapping) -> str:
    """Honesty, size, memory and licence in a line each."""
    names = text["facts"]
    rows = {
        names["honesty"]: words.honesty(card.figures) if card.figures else "",
        names["size"]: words.bulk(card),
        names["memory"]: words.memory(card, load),
        names["licence"]: words.licences(card, text),
    }
    told = (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows.items() if value)
    return f"<dl class='ex-facts'>{''.join(told)}</dl>"


def everything(card: Card, text: Mapping) -> str:
    """Both models, licence and origin, the folder, and the figures by position."""
    parts = text["parts"]
    rows = []
    for name, model in ((parts["target"], card.target), (parts["draft"], card.draft)):
        rows.append((name, f"{words.makes(model)}; {words.source(model, text)}."))
    if card.kin:
        rows.append((parts["kin"], ", ".join(card.kin)))
    rows.append((parts["folder"], str(card.info.folder)))
    if card.figures:
        rows.append((parts["calibration"], words.block(card.figures)))
    if card.table:
        steps = f"{card.table.device}, {card.table.dtype}, {count(card.table.threads, 'thread')}, {words.day(card.table.measured_at)}; "
        rows.append((parts["steps"], f"{steps}fingerprint {card.table.fingerprint}"))
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f"<dl class='ex-asked'>{told}</dl>{_positions(card, text['positions'])}"


def _tile(value: str, about: str, more: str = "") -> str:
    """more: HTML of our own."""
    return f"<li><b>{escape(value)}</b> <span>{escape(about)}</span>{more}</li>"


def _bars(acceptance: Sequence[float]) -> str:
    """How often each guess passes, as a row of bars with the same in words."""
    shares = [share if math.isfinite(share) else 0.0 for share in acceptance]
    bars = "".join(f"<i style='height:{max(BAR * share, 0.1):.2f}rem'></i>" for share in shares)
    alt = f"Guesses 1 to {len(shares)} pass, if all before them did: {', '.join(map(percent, shares))}."
    return f"<span class='ex-spark' role='img' aria-label='{escape(alt)}'>{bars}</span>"


def _positions(card: Card, text: Mapping[str, str]) -> str:
    """Acceptance, calibration error and sorting quality by position."""
    found = card.figures
    if not found:
        return ""
    columns = (found.acceptance, found.ece, found.auc)
    heads = "".join(f"<th scope='col'>{escape(text[name])}</th>" for name in ("position", "acceptance", "ece", "auc"))
    rows = "".join(
        f"<tr><th scope='row'>{k}</th><td>{_percent(passed)}</td><td>{_points(ece)}</td><td>{_percent(auc)}</td></tr>"
        for k, (passed, ece, auc) in enumerate(zip(*columns, strict=False), 1)
    )
    title = escape(text["title"].format(temperature=f"{found.temperature:g}"))
    return f"<div class='ex-board'><table><caption>{title}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"


def _percent(share: float) -> str:
    return percent(share) if math.isfinite(share) else "–"


def _points(error: float) -> str:
    return f"{100 * error:.1f}" if math.isfinite(error) else "–"
