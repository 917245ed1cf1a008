"""The tables of Honest numbers as HTML. Pure; every piece of text is escaped."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from expediter.core.honesty import Honesty
from expediter.ui.captions import rate
from expediter.ui.figures_honest import LUCK
from expediter.ui.honest_costs import Costs
from expediter.ui.honest_words import signed
from expediter.ui.theme import STATES


def chain_table(chances: np.ndarray, passed: int, text: Mapping[str, str]) -> str:
    """One request's guesses: c, a and what became of each. chances [γ]"""
    places = range(1, len(chances) + 1)
    fates = ["passed" if k <= passed else "refused" if k == passed + 1 else "behind" for k in places]
    rows = [
        (text["chain_c"], [f"{c:.2f}" for c in chances]),
        (text["chain_a"], [f"{a:.2f}" for a in np.cumprod(chances)]),
        (text["chain_fate"], [f"{STATES[fate].mark} {text[f'fate_{fate}']}" for fate in fates]),
    ]
    return _table(text["chain_label"], [text["guess"].format(k=k) for k in places], rows)


def honesty_table(figures: Mapping[str, Honesty], fitted: Mapping[str, Sequence[float]], names: Mapping[str, str], text: Mapping) -> str:
    """ECE and AUC by position for every kind of chance, the counts, and what was measured when the pair was calibrated."""
    any_kind = next(iter(figures.values()))
    rows = [(text["row_reached"], [f"{n:,}" for n in any_kind.reached])]
    rows += [(text["row_ece"].format(kind=names[kind]), _cells(f.ece)) for kind, f in figures.items()]
    rows += [(text["row_ece_guess"].format(kind=names[kind]), _cells(f.ece_guess)) for kind, f in figures.items()]
    rows += [(text["row_auc"].format(kind=names[kind]), _cells(f.auc)) for kind, f in figures.items()]
    rows += [(name, _cells(values)) for name, values in fitted.items()]
    return _table(text["table_title"], [f"{k}" for k in range(1, len(any_kind.reached) + 1)], rows)


def kinds_table(costs: Costs, names: Mapping[str, str], notes: Mapping[str, str], text: Mapping[str, str]) -> str:
    """Each kind of chance, undistorted: what it sends, promises and brings; then the two ends."""
    rows = []
    for kind, outcome in costs.kinds.items():
        gap, error = costs.kind_leads[kind]
        against = "" if kind == "confidence" else f"{signed(gap / costs.honest.came)} ± {100 * LUCK * error / costs.honest.came:.1f}"
        cells = [f"{outcome.sent:.2f}", rate(outcome.promised), rate(outcome.came), against]
        rows.append((names[kind], cells, notes.get(kind, "")))
    rows.append((text["row_off"], ["0", "", rate(costs.off), ""], ""))
    rows.append((text["row_everything"], ["all", "", rate(costs.everything), ""], ""))
    body = "".join(_row(f"{escape(name)}{f'<small>{escape(note)}</small>' if note else ''}", cells) for name, cells, note in rows)
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in text["kinds_head"])
    return f"<div class='ex-board ex-ways'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _cells(values: Sequence[float | None]) -> list[str]:
    """Three digits, or a dash where nothing could be measured."""
    return ["–" if value is None or np.isnan(value) else f"{value:.3f}" for value in values]


def _table(label: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A wide table that scrolls by itself, also by keyboard, where the page is narrow."""
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in columns)
    body = "".join(_row(escape(name), cells) for name, cells in rows)
    return (
        f"<div class='ex-board ex-wide' role='region' tabindex='0' aria-label='{escape(label)}'><table>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(head: str, cells: Sequence[str]) -> str:
    """head is markup already, the cells are text."""
    return f"<tr><th scope='row'>{head}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
