"""What the reader chooses on Same answer: kept from page to page and in the address; the counterexample's numbers from page to page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from expediter.core.answers import POLICIES
from expediter.core.counterexample import Counterexample
from expediter.core.first_two import RULES
from expediter.ui import controls
from expediter.ui.reader import known_pairs
from expediter.ui.remembered import Remembered
from expediter.ui.session import Session
from expediter.ui.ways import title

KEPT = "answers"  # not a widget's key, so it outlives a change of page
CHOICES = Remembered(KEPT)  # what decides about a run is in the address: a page that is loaded anew finds its run again
FORMATS = ("float32", "bfloat16")
SAMPLES = (1024, 4096, 16_384)
WORKLOADS = ("stories", "explanations", "arithmetic", "code")
PAPER = Counterexample()
NUMBERS = {"first": PAPER.first, "sps2": PAPER.sps[1], "sps3": PAPER.sps[2], "after_a": PAPER.second[0], "after_b": PAPER.second[1]}
RUNS = 1000  # samples of the counterexample that one press draws


def choose_pair(session: Session) -> None:
    """The pair, as on every page."""
    known = {pair.name: pair for pair in known_pairs()}
    names = list(known)
    chosen = st.selectbox(
        controls.words()["pair"], names, names.index(session.settings.pair), format_func=lambda name: known[name].title, key="control_pair",
        help=controls.words()["pair_help"], width=260,
    )  # fmt: skip
    session.change(replace(session.settings, pair=chosen, depth=min(session.settings.depth, known[chosen].max_depth)))


def choose_format(text: Mapping) -> str:
    """The number format of the first part."""
    return _select("format", text["format"], FORMATS, text["formats"].get, text["format_help"], 230)


def choose_policy(name: str, text: Mapping) -> str:
    """Who decides, in the part called `name`."""
    return _select(f"{name}_policy", text["who"], POLICIES, title, None, 260)


def choose_samples(text: Mapping) -> tuple[str, int, str]:
    """What the second part asks for, how often, and which mistake is made on purpose."""
    kinds = controls.words()["workloads"]
    workload = _select("ask", text["workload"], WORKLOADS, kinds.get, None, 150)
    samples = _select("samples", text["samples"], SAMPLES, "{:,}".format, None, 190)
    rule = _select("rule", text["rule"], RULES, text["rules"].get, None, 330)
    return workload, samples, rule


def choose_case(text: Mapping) -> tuple[Counterexample, bool]:
    """The counterexample's numbers and whether to peek."""
    kept = _kept()
    st.session_state.setdefault("answers_peek", kept.get("peek", st.query_params.get("peek") == "1"))
    peek = kept["peek"] = st.toggle(text["switch"], key="answers_peek")
    if peek != (st.query_params.get("peek") == "1"):
        st.query_params.update({"peek": "1"}) if peek else st.query_params.pop("peek")
    with st.container(horizontal=True, key="case", vertical_alignment="bottom", gap="small"):
        first, sps2, sps3, after_a, after_b = (_slider(name, text[name]) for name in NUMBERS)
        st.button(text["paper"], key="answers_paper", on_click=_paper)
    return Counterexample(first=first, second=(after_a, after_b), sps=(1.0, sps2, sps3)), peek


def runs(case: Counterexample, peek: bool, text: Mapping) -> int:
    """How many samples of this case to draw: more with every press, few again for another case."""
    kept, now = _kept(), (case, peek)
    if kept.get("drawn_for") != now:
        kept["drawn_for"], kept["runs"] = now, RUNS
    if st.button(text["again"].format(runs=f"{RUNS:,}"), key="answers_again", disabled=kept["runs"] >= 100 * RUNS):
        kept["runs"] += RUNS
    return kept["runs"]


def _slider(name: str, label: str) -> float:
    key, kept = f"answers_{name}", _kept()
    st.session_state.setdefault(key, kept.get(name, NUMBERS[name]))
    least = 0.05 if name.startswith("sps") else 0.0
    kept[name] = st.slider(label, least, 1.0, step=0.01, key=key, width=190)
    return kept[name]


def _paper() -> None:
    """Back to the paper's numbers; for callbacks, which run before the page does."""
    for name, value in NUMBERS.items():
        st.session_state[f"answers_{name}"] = _kept()[name] = value


def _select(name: str, label: str, options: Sequence[Any], show: Any, note: str | None, width: int) -> Any:
    index = options.index(CHOICES.find(name, options, options[0]))
    return CHOICES.keep(name, st.selectbox(label, options, index, format_func=show, key=f"answers_{name}", help=note, width=width))


def _kept() -> dict[str, Any]:
    return st.session_state.setdefault(KEPT, {})
