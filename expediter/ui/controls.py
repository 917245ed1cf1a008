"""The controls above the stage. Widgets forget their values when a page is left, so the settings are the truth and refill them."""

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from expediter.core.pairs import PairInfo
from expediter.core.policy import Policy
from expediter.core.settings import MAX_DEPTH, MAX_LOAD, MAX_SEED, MAX_TEMPERATURE, WORKLOADS, Settings

KINDS = ("early-stop", "global", "stale", "fixed", "threshold", "all", "off")
LEVELS = {"fixed": 2, "threshold": 0.5}  # where a policy with a level begins
WORDS = Path(__file__).parents[2] / "assets" / "controls.json"


@cache
def words() -> dict:
    """Labels and explanations of the controls."""
    return json.loads(WORDS.read_text(encoding="utf-8"))


def promise(policy: Policy, temperature: float) -> str:
    """What a policy means for the answers, with its mark."""
    if policy.lossless:
        return words()["lossless"]
    return words()["not_lossless"] if temperature > 0 else words()["lossless_at_zero"]


def controls(settings: Settings, pairs: Sequence[PairInfo]) -> Settings:
    """Draw the controls with these settings; what the reader makes of them comes back."""
    text = words()
    known = {pair.name: pair for pair in pairs}
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
        pair = _choose("pair", text["pair"], list(known), settings.pair, lambda name: known[name].title, width=170)
        load = _load(settings.load)
        depth = _choose(
            "depth", text["depth"], list(range(1, known[pair].max_depth + 1)), min(settings.depth, known[pair].max_depth), _in_words,
            help=text["depth_help"], width=112,
        )  # fmt: skip
        temperature = _number("temperature", settings.temperature, 0.0, MAX_TEMPERATURE, 0.1, "%.2f")
        workload = _choose("workload", text["workload"], list(WORKLOADS), settings.workload, text["workloads"].get, width=132)
        policy = _policy(Policy.parse(settings.policy))
        seed = _number("seed", settings.seed, 0, MAX_SEED, 1, "%d")
    about = f"{text['policies'][policy.kind]['about']} {promise(policy, temperature)}"
    st.html(f"<p class='ex-about'>{escape(about)}</p>")
    return Settings(pair, load, depth, temperature, workload, str(policy), seed).clamped()


def _load(value: int) -> int:
    key = _seeded("load", value)
    label = words()["load"].format(load=st.session_state[key])
    return st.slider(label, 1, MAX_LOAD, key=key, help=words()["load_help"], width=214)


def _policy(policy: Policy) -> Policy:
    """The kind of policy and, where it has one, its level."""
    titles = words()["policies"]
    kind = _choose("policy", words()["policy"], list(KINDS), policy.kind, lambda name: titles[name]["title"], width=226)
    if kind not in LEVELS:
        return Policy(kind)
    level = policy.level if policy.kind == kind else LEVELS[kind]
    if kind == "fixed":
        depths = list(range(MAX_DEPTH + 1))
        return Policy(kind, _choose("level_fixed", words()["level_fixed"], depths, int(level), _in_words, width=112))
    return Policy(kind, round(_number("level_threshold", float(level), 0.0, 1.0, 0.05, "%.2f"), 4))


def _choose(name: str, label: str, options: list, value, show, **rest):
    key = _seeded(name, value)
    if st.session_state[key] not in options:  # another pair's draft is shorter
        st.session_state[key] = value
    return st.selectbox(label, options, key=key, format_func=show, **rest)


def _number(name: str, value, least, most, step, form: str):
    key = _seeded(name, value)
    return st.number_input(words()[name], least, most, step=step, format=form, key=key, help=words().get(f"{name}_help"), width=118)


def _seeded(name: str, value) -> str:
    """The widget's key, filled with the setting when the widget is new on this page."""
    key = f"control_{name}"
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def _in_words(count: int) -> str:
    return f"{count} word" if count == 1 else f"{count} words"
