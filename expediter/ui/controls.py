"""The controls above the stage. Widgets forget their values when a page is left, so the settings are the truth and refill them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from expediter.core.clock import HERE
from expediter.core.pairs import PairInfo
from expediter.core.policy import Policy
from expediter.core.settings import MAX_DEPTH, MAX_SEED, MAX_TEMPERATURE, WORKLOADS, Settings
from expediter.core.tables import TABLES, CostTable
from expediter.ui.captions import count
from expediter.ui.live import machine

KINDS = ("early-stop", "global", "stale", "fixed", "threshold", "all", "off")
LEVELS = {"fixed": 2, "threshold": 0.5}  # where a policy with a level begins
DRAWN = "controls_drawn"  # what the controls said when they were drawn, key → value
WORDS = Path(__file__).parents[2] / "assets" / "controls.json"


@cache
def words() -> dict:
    """Labels and explanations of the controls."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def promise(policy: Policy, temperature: float) -> str:
    """What a policy means for the answers, with its mark."""
    return words()["lossless" if policy.lossless else "not_lossless"]["sampled" if temperature > 0 else "greedy"]


def controls(settings: Settings, pairs: Sequence[PairInfo], own: CostTable | None = None) -> Settings:
    """Draw the controls with these settings; what the reader makes of them comes back. `own` is the table that they brought along."""
    text = words()
    known = {pair.name: pair for pair in pairs}
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        pair = _choose("pair", list(known), settings.pair, lambda name: known[name].title, 160)
        load = _load(settings.load)
        deepest = known[pair].max_depth
        depth = _choose("depth", list(range(1, deepest + 1)), min(settings.depth, deepest), _in_words, 112)
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
        workload = _choose("workload", list(WORKLOADS), settings.workload, text["workloads"].get, 122)
        seed = _number("seed", settings.seed, 0, MAX_SEED, 1, "%d", 90)
        policy = _policy(Policy.parse(settings.policy))
        titles = clocks(own)
        hardware = _choose("hardware", list(titles), settings.hardware, titles.get, 152)
    st.session_state[DRAWN] = {key: st.session_state[key] for key in st.session_state if str(key).startswith("control_")}
    usual = " class='ex-usual'" if str(policy) == Settings().policy else ""
    about = f"<span{usual}>{escape(text['policies'][policy.kind]['about'])}</span>"
    st.html(f"<p class='ex-about'>{about} <strong>{escape(promise(policy, temperature))}</strong></p>")
    return Settings(pair, load, depth, temperature, workload, str(policy), seed, hardware).clamped(machine().widest)


def moved() -> bool:
    """True when a control has been moved since `controls` drew it.

    The browser sends what happens in one instant in one message, which redraws one fragment only: a drag that coincides with a wish of
    the stage arrives with the stage's fragment, whose script has to see to it that the controls are heard.
    """
    drawn = st.session_state.get(DRAWN, {})
    return any(key in st.session_state and st.session_state[key] != value for key, value in drawn.items())


def pair_and_temperature(settings: Settings, pairs: Sequence[PairInfo]) -> Settings:
    """The two controls of the chapters that run no stage; the other settings stay."""
    known = {pair.name: pair for pair in pairs}
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        pair = _choose("pair", list(known), settings.pair, lambda name: known[name].title, 220)
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
    return replace(settings, pair=pair, depth=min(settings.depth, known[pair].max_depth), temperature=temperature).clamped(machine().widest)


def draft_and_clock(settings: Settings, pairs: Sequence[PairInfo], own: CostTable | None = None) -> Settings:
    """The controls of a chapter that drafts and pays for it, but always decides in the same way; policy and seed stay."""
    known = {pair.name: pair for pair in pairs}
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        pair = _choose("pair", list(known), settings.pair, lambda name: known[name].title, 190)
        load = _load(settings.load)
        deepest = known[pair].max_depth
        depth = _choose("depth", list(range(1, deepest + 1)), min(settings.depth, deepest), _in_words, 120)
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
        workload = _choose("workload", list(WORKLOADS), settings.workload, words()["workloads"].get, 140)
        titles = clocks(own)
        hardware = _choose("hardware", list(titles), settings.hardware, titles.get, 170)
    chosen = {"pair": pair, "load": load, "depth": depth, "temperature": temperature, "workload": workload, "hardware": hardware}
    return replace(settings, **chosen).clamped(machine().widest)


def drafting(settings: Settings, pairs: Sequence[PairInfo]) -> Settings:
    """The controls of a chapter that compares every load and every policy; the other settings stay."""
    known = {pair.name: pair for pair in pairs}
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        pair = _choose("pair", list(known), settings.pair, lambda name: known[name].title, 190)
        deepest = known[pair].max_depth
        depth = _choose("depth", list(range(1, deepest + 1)), min(settings.depth, deepest), _in_words, 120)
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
        workload = _choose("workload", list(WORKLOADS), settings.workload, words()["workloads"].get, 140)
    return replace(settings, pair=pair, depth=depth, temperature=temperature, workload=workload).clamped(machine().widest)


def without_pair(settings: Settings, pairs: Sequence[PairInfo]) -> Settings:
    """The controls of a chapter that shows every pair side by side; the other settings stay."""
    deepest = next(pair.max_depth for pair in pairs if pair.name == settings.pair)
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        load = _load(settings.load)
        depth = _choose("depth", list(range(1, deepest + 1)), min(settings.depth, deepest), _in_words, 120)
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
    return replace(settings, load=load, depth=depth, temperature=temperature).clamped(machine().widest)


def clock(settings: Settings, own: CostTable | None = None) -> Settings:
    """Whose clock, alone."""
    titles = clocks(own)
    return replace(settings, hardware=_choose("hardware", list(titles), settings.hardware, titles.get, 190))


def refill(chosen: Mapping[str, Any]) -> None:
    """Put these settings' widgets, as far as they are on the page, on these values, as if the reader had chosen them.

    For callbacks, which run before the page does. A policy's level stays what it is.
    """
    for name, value in chosen.items():
        if f"control_{name}" in st.session_state:
            st.session_state[f"control_{name}"] = value


def clocks(own: CostTable | None) -> dict[str, str]:
    """Whose clock can be chosen, name → title."""
    tables = [*TABLES.values(), *([own] if own else [])]
    return {HERE: words()["here"]} | {table.name: words()["simulated"].format(title=table.title) for table in tables}


def _load(value: int) -> int:
    key = "control_load"
    most = machine().widest
    if st.session_state.get("longest_load", most) != most:
        st.session_state.pop(key, None)  # a longer slider is another widget: what the shorter one kept does not count
    st.session_state["longest_load"] = most
    label = words()["load"].format(load=count(st.session_state.get(key, value), "request"))
    return st.slider(label, 1, most, value, key=key, help=words()["load_help"], width=168)


def _policy(policy: Policy) -> Policy:
    """The kind of policy and, where it has one, its level."""
    titles = words()["policies"]
    kind = _choose("policy", list(KINDS), policy.kind, lambda name: titles[name]["title"], 226)
    if kind not in LEVELS:
        return Policy(kind)
    level = policy.level if policy.kind == kind else LEVELS[kind]
    if kind == "fixed":
        return Policy(kind, _choose("level_fixed", list(range(MAX_DEPTH + 1)), int(level), _in_words, 96))
    return Policy(kind, round(_number("level_threshold", float(level), 0.0, 1.0, 0.05, "%.2f", 96), 4))


# Settings are given as values: a key keeps what the reader chose for as long as the page lives, and afterwards, or where the browser has
# lost it, the value counts. Only `refill` writes to the keys; .streamlit/config.toml keeps Streamlit from warning that a widget has both.
def _choose(name: str, options: list, value: Any, show: Callable[[Any], str], width: int) -> Any:
    return st.selectbox(
        words()[name], options, options.index(value), format_func=show, key=f"control_{name}", help=words().get(f"{name}_help"), width=width
    )


def _number(name: str, value: float, least: float, most: float, step: float, form: str, width: int = 102) -> float:
    return st.number_input(
        words()[name], least, most, value, step, form, key=f"control_{name}", help=words().get(f"{name}_help"), width=width
    )


def _in_words(number: int) -> str:
    return count(number, "word")
