"""The Garage's comparison: what each pair's steps cost, how often its guesses pass, and the words per second that come of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from expediter.core.figures import Figures
from expediter.core.settings import Settings
from expediter.ui import garage_words as words
from expediter.ui.captions import count
from expediter.ui.charts import chart
from expediter.ui.figures_garage import lines_figure, passing_figure
from expediter.ui.garage_data import CONTEXT, Card, speed
from expediter.ui.page import heading, say

LOADS = (1, 2, 4, 8, 16, 32, 64)
Line = tuple[list[float], list[float]]  # x and y


@dataclass(frozen=True, slots=True)
class Comparison:
    """Lines by the pairs' titles. Only pairs with a table have a cost and an outcome, only calibrated ones pass."""

    costs: Mapping[str, Line]  # words in the batch, milliseconds of a step that guesses
    passing: Mapping[str, Figures]
    outcomes: Mapping[str, Line]  # requests at once, words per second
    plain: Line | None  # the chosen pair's, without guessing


def compare(cards: Sequence[Card], load: int, depth: int) -> Comparison:
    """At this load and this many guesses a request, as far as each pair can."""
    timed = [card for card in cards if card.table]
    chosen = next((card for card in timed if card.chosen), None)
    return Comparison(
        costs={card.info.title: _cost(card, load, min(depth, card.info.max_depth)) for card in timed},
        passing={card.info.title: card.figures for card in cards if card.figures},
        outcomes={card.info.title: _outcome(card) for card in timed if card.figures},
        plain=(list(LOADS), [speed(chosen.costs, load, ()).plain for load in LOADS]) if chosen else None,
    )


def draw(cards: Sequence[Card], settings: Settings, text: Mapping) -> None:
    """The section, from its heading on; nothing with less than two pairs to compare."""
    found = compare(cards, settings.load, settings.depth)
    if len(found.costs) < 2:
        return
    chosen = next((card.info.title for card in cards if card.chosen), "")
    heading(text["compare_title"])
    say(text["compare_about"])
    say(_sentence(cards, found), kind="promise")
    if len({card.table.source for card in cards if card.table}) > 1:
        say(text["compare_mixed"], kind="notice")
    left, right = st.columns(2, gap="medium")
    with left:
        heading(text["cost_title"], "h3")
        about = text["cost_about"].format(load=count(settings.load, "request"))
        alt = words.curve_alt(about, found.costs, "{value:.0f} words", "{value:.1f} ms")
        chart(lambda scheme: lines_figure(found.costs, chosen, "words in the batch", "milliseconds of a step", scheme), alt, "costs")
        say(about)
    with right:
        heading(text["passing_title"], "h3")
        about = _passing_about(found, settings.temperature, text)
        if found.passing:
            names = list(found.costs)
            chart(lambda scheme: passing_figure(found.passing, names, chosen, scheme), words.passing_alt(about, found.passing), "passing")
            say(about)
        else:
            say(text["no_figures"], kind="notice")
    if not found.outcomes:
        return
    heading(text["outcome_title"], "h3")
    alt = words.curve_alt(text["outcome_title"], found.outcomes, "{value:.0f} at once", "{value:,.0f}")
    chart(lambda scheme: _outcomes(found, chosen, scheme), alt, "outcomes")
    say(text["outcome_about"])


def _outcomes(found: Comparison, chosen: str, scheme: str):
    """Both axes double: every load, and every pair, counts alike."""
    figure = lines_figure(found.outcomes, chosen, "requests at once", "words per second", scheme, plain=found.plain)
    figure.update_xaxes(type="log", tickvals=list(LOADS), ticktext=[str(load) for load in LOADS])
    figure.update_yaxes(type="log", rangemode="normal", dtick="D2", tickformat=",.0f")
    return figure


def _sentence(cards: Sequence[Card], found: Comparison) -> str:
    """The dock's pair beside the one whose road differs most from its own, on the same machine where there is one."""
    chosen = next((card for card in cards if card.chosen and card.table), None)
    others = [card for card in cards if card.table and not card.chosen]
    if chosen is None or not others:
        return ""
    others = [card for card in others if card.table.source == chosen.table.source] or others
    common = min(int(found.costs[card.info.title][0][-1]) for card in (chosen, *others))
    costs = {card.info.title: float(np.interp(common, *found.costs[card.info.title])) for card in (chosen, *others)}
    other = max(others, key=lambda card: abs(np.log(costs[card.info.title] / costs[chosen.info.title])))
    return words.swap(chosen, other, costs, common)


def _cost(card: Card, load: int, depth: int) -> Line:
    table = card.costs.step_rate(load, CONTEXT, depth)
    batch = np.arange(load, load * (1 + depth) + 1)
    return batch.tolist(), (1000 * table.step_seconds(batch)).tolist()


def _outcome(card: Card) -> Line:
    acceptance = card.figures.acceptance[: card.info.max_depth]
    return list(LOADS), [speed(card.costs, load, acceptance).guessing for load in LOADS]


def _passing_about(found: Comparison, temperature: float, text: Mapping) -> str:
    """At which temperature guesses were counted: one for all, or for each the nearest."""
    measured = {figures.temperature for figures in found.passing.values()}
    kind, told = ("passing_about", measured.pop()) if len(measured) == 1 else ("passing_nearest", temperature)
    return text[kind].format(temperature=f"{told:g}")
