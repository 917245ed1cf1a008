"""Plain and scheduled answers as HTML: the table of all ways to decide, and two columns of text. Pure; every piece of text is escaped."""

import re
from collections.abc import Mapping
from html import escape

from expediter.core.answers import Comparison, SideBySide
from expediter.ui.token_text import UNPRINTABLE, unprintable
from expediter.ui.ways import title

SPECIAL = re.compile(r"<\|.*\|>")  # an end mark as the tokenizer spells it


def policy_table(run: SideBySide, text: Mapping) -> str:
    """One row a policy, plain decoding first: words compared, differences, words per step of the big model."""
    heads = "".join(f"<th scope='col'>{escape(text['table'][name])}</th>" for name in ("who", "compared", "differ", "pace"))
    rows = "".join(_row(found) for found in run.comparisons.values())
    alone = f"<tr><th scope='row'>{escape(text['alone'])}</th><td></td><td></td><td>1</td></tr>"
    return f"<div class='ex-board ex-ways'><table><thead><tr>{heads}</tr></thead><tbody>{alone}{rows}</tbody></table></div>"


def columns(run: SideBySide, policy: str, requests: int, text: Mapping) -> str:
    """The first so many requests and those that part, plain on the left, under `policy` on the right."""
    found = run.comparisons.get(policy)
    places = {difference.number: difference.place for difference in found.differences} if found else {}
    numbers = [number for number in run.plain if number < requests or number in places]
    parts = [f"<h3>{escape(text['alone'])}</h3><h3>{escape(title(policy))}</h3>"]
    for number in numbers:
        plain, served = run.plain[number], run.served.get(policy, {}).get(number)
        place = places.get(number)
        left = _text(run, plain.tokens, (), place, text)
        right = _text(run, served.tokens, served.guessed, place, text) if served else ""
        parts.append(
            f"<p class='ex-asked'><strong>{escape(text['asked'])}</strong> {escape(plain.prompt)}</p>"
            f"<p class='ex-side'>{left}</p><p class='ex-side'>{right}</p>"
        )
    return f"<div class='ex-sides'>{''.join(parts)}</div>"


def key(text: Mapping, differs: bool) -> str:
    """What the marks in the columns mean."""
    parts = [f"<span class='ex-guessed'>{escape(text['legend_guess'])}</span>", f"<span>{escape(text['legend_own'])}</span>"]
    if differs:
        parts.append(f"<span>{escape(text['legend_differs'])}</span>")
    return f"<p class='ex-key'>{''.join(parts)}</p>"


def _row(found: Comparison) -> str:
    mark = "✓ 0" if found.same else f"≠ {len(found.differences):,}"
    name = f"<th scope='row'>{escape(title(found.policy))}</th>"
    return f"<tr>{name}<td>{found.compared:,}</td><td>{mark}</td><td>{found.pace:.2f}</td></tr>"


def _text(run: SideBySide, tokens: tuple[int, ...], guessed: tuple[bool, ...], place: int | None, text: Mapping) -> str:
    """Tokens as text; runs of guesses underlined together, the token at `place` marked."""
    parts: list[tuple[str, str]] = []
    for at, token in enumerate(tokens):
        piece, kind = run.words.get(token, UNPRINTABLE), "ex-guessed" if at < len(guessed) and guessed[at] else ""
        if place is not None and at >= place:
            kind = "ex-differs" if at == place else "ex-behind-difference"
        if SPECIAL.fullmatch(piece):
            piece, kind = f" ∎ {text['ends']}", kind or "ex-end"
        if parts and parts[-1][1] == kind:
            parts[-1] = (parts[-1][0] + piece, kind)
        else:
            parts.append((piece, kind))
    return "".join(_span(piece, kind) for piece, kind in parts)


def _span(piece: str, kind: str) -> str:
    shown = escape("".join(UNPRINTABLE if c not in "\n\t" and unprintable(c) else c for c in piece))
    tag = "mark" if kind == "ex-differs" else "span"
    return f"<{tag} class='{kind}'>{shown or UNPRINTABLE}</{tag}>" if kind else shown
