"""Drafted blocks as HTML: word after word, with and without the Markov head, and with what was known and what happened.

Pure. Token text is untrusted: every piece is escaped.
"""

from collections.abc import Mapping, Sequence
from html import escape

from expediter.core.acceptance_counts import AcceptanceCounts
from expediter.core.block import Block
from expediter.ui.captions import percent
from expediter.ui.theme import STATES
from expediter.ui.token_text import visible

LAST = 160  # characters of the answer so far
DIFFERS = "≠"


def setting(block: Block, text: Mapping[str, str]) -> str:
    """What was asked, and how the answer reads before the block."""
    request = block.request
    before = request.before if len(request.before) <= LAST else "…" + request.before[-LAST:]
    shown = escape(before) if before.strip() else f"<em>{escape(text['begins'])}</em>"
    return (
        f"<dl class='ex-asked'><dt>{escape(text['prompt'])}</dt><dd>{escape(request.prompt)}</dd>"
        f"<dt>{escape(text['answer'])}</dt><dd class='ex-so-far'>{shown}</dd></dl>"
    )


def head_rows(block: Block, text: Mapping[str, str]) -> str:
    """The block with the head on and off, the differing words marked; a single row for a draft without a head."""
    if block.plain is None:
        return _row("", [_plain_word(word, False) for word in block.request.drafts])
    rows = ((text["head_on"], block.request.drafts), (text["head_off"], block.plain))
    return "".join(_row(name, [_plain_word(word, other) for word, other in zip(words, block.differs, strict=True)]) for name, words in rows)


def chance_tiles(block: Block) -> str:
    """Every word with c, a and its fate by mark, label and colour; then the big model's own word."""
    request = block.request
    tiles = [
        _tile(word, c, a, request.fate(position))
        for position, (word, c, a) in enumerate(zip(request.drafts, request.confidence, request.survival, strict=True), 1)
    ]
    if request.own is not None:
        own = STATES["own"]
        tiles.append(f"<li class='ex-tile ex-fate-own'><b>{escape(visible(request.own))}</b>{_fate(own.mark, own.label)}</li>")
    return f"<ol class='ex-block ex-tiles'>{''.join(tiles)}</ol>"


def counts_table(drafters: Mapping[str, AcceptanceCounts]) -> str:
    """Passed of judged, one row a position, one column a drafter."""
    deepest = max(len(counts.judged) for counts in drafters.values())
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in drafters)
    rows = (
        f"<tr><th scope='row'>{k + 1}</th>{''.join(f'<td>{_counted(counts, k)}</td>' for counts in drafters.values())}</tr>"
        for k in range(deepest)
    )
    return f"<table><thead><tr><th scope='col'>position</th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _counted(counts: AcceptanceCounts, k: int) -> str:
    return f"{counts.passed[k]:,} of {counts.judged[k]:,}" if k < len(counts.judged) else "–"


def _row(name: str, words: Sequence[str]) -> str:
    label = f"<p class='ex-row-name'>{escape(name)}</p>" if name else ""
    return f"<div class='ex-row'>{label}<ol class='ex-block'>{''.join(words)}</ol></div>"


def _plain_word(word: str, differs: bool) -> str:
    mark = f" <i aria-hidden='true'>{DIFFERS}</i><span class='ex-unseen'> (differs)</span>" if differs else ""
    return f"<li class='ex-chip{' ex-differs' if differs else ''}'>{escape(visible(word))}{mark}</li>"


def _tile(word: str, c: float, a: float, fate: str) -> str:
    state = STATES[fate]
    inside = f"<b>{escape(visible(word))}</b>{_chance('c', c)}{_chance('a', a)}{_fate(state.mark, state.label)}"
    return f"<li class='ex-tile ex-fate-{fate}'>{inside}</li>"


def _chance(symbol: str, value: float) -> str:
    bar = f"<span class='ex-bar ex-bar-{symbol}' style='width:{value:.1%}'></span>"
    return f"<span class='ex-chance'><i>{symbol}</i> {percent(value)}{bar}</span>"


def _fate(mark: str, label: str) -> str:
    return f"<span class='ex-fate'>{escape(mark)} {escape(label)}</span>"
