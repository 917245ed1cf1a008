"""Settings in the address bar. Whatever an address says, what comes out is allowed: unknown words fall back, numbers are clamped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

import streamlit as st

from expediter.core.clock import HERE, OWN
from expediter.core.policy import Policy
from expediter.core.settings import MAX_DEPTH, MAX_LOAD, Settings
from expediter.core.tables import TABLES
from expediter.ui.moment import Moment, asked
from expediter.ui.moment import spell as spell_moment

Deepest = Callable[[str], int]  # pair name → its largest γ


def parse(
    query: Mapping[str, str], pairs: Sequence[str], deepest: Deepest, defaults: Settings | None = None, most: int = MAX_LOAD
) -> Settings:
    """The settings that an address asks for, `defaults` where it asks for nothing.

    `pairs` are the known pairs' names, default first; `most` is the largest load that may be asked for.
    """
    usual = defaults or Settings()
    asked = Settings(
        pair=query.get("pair", usual.pair),
        load=_number(query, "load", int, usual.load),
        depth=_number(query, "depth", int, usual.depth),
        temperature=_number(query, "temperature", float, usual.temperature),
        workload=query.get("workload", usual.workload),
        policy=query.get("policy", usual.policy),
        seed=_number(query, "seed", int, usual.seed),
        hardware=query.get("hardware", usual.hardware),
    )
    return allowed(asked, pairs, deepest, most)


def allowed(asked: Settings, pairs: Sequence[str], deepest: Deepest, most: int = MAX_LOAD) -> Settings:
    """The nearest settings that the known pairs and policies can carry out."""
    pair = asked.pair if asked.pair in pairs else pairs[0]
    near = asked.clamped(most)
    hardware = asked.hardware if asked.hardware in (HERE, OWN, *TABLES) else HERE
    return replace(near, pair=pair, depth=min(near.depth, deepest(pair)), policy=_policy(asked.policy), hardware=hardware)


def spell(settings: Settings) -> dict[str, str]:
    """Every setting as the address writes it: all of them, so that a link means the same after a default changes."""
    return {field.name: f"{getattr(settings, field.name)}" for field in fields(settings)}


def write(settings: Settings) -> None:
    """Put the settings into the address bar, only where it says something else: each write goes to the browser."""
    spelled = spell(settings)
    if any(st.query_params.get(name) != value for name, value in spelled.items()):
        st.query_params.update(spelled)


def moment() -> Moment | None:
    """The moment that the address bar asks for."""
    return asked({name: st.query_params[name] for name in st.query_params})


def mark(moment: Moment | None) -> None:
    """Put a moment into the address bar; None takes it out, so that the bar never names a step that has passed."""
    spelled = spell_moment(moment)
    for name in ("step", "table"):
        if name in spelled and st.query_params.get(name) != spelled[name]:
            st.query_params[name] = spelled[name]
        elif name not in spelled and name in st.query_params:
            del st.query_params[name]


def _policy(text: str) -> str:
    """A policy's spelling; the default for what is none, and no more words each than a draft can have."""
    try:
        policy = Policy.parse(text)
    except ValueError:
        return Settings().policy
    return f"fixed:{min(int(policy.level), MAX_DEPTH)}" if policy.kind == "fixed" else str(policy)


def _number(query: Mapping[str, str], name: str, kind: type, default: int | float) -> int | float:
    """A number of the address; the default when it is none. "1e3" and "7.9" are whole numbers' neighbours, so they are read too."""
    try:
        return kind(float(query[name]))
    except (KeyError, ValueError, OverflowError):
        return default
