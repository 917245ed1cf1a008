"""Addresses carry the whole state, and no address can ask for what is not allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expediter.core.settings import DEFAULT_PAIR, MAX_DEPTH, MAX_LOAD, MAX_SEED, MAX_TEMPERATURE, TEMPERATURE, WORKLOADS, Settings
from expediter.ui.address import parse, spell

PAIRS = (DEFAULT_PAIR, "mini-good")
DEEPEST = {DEFAULT_PAIR: 8, "mini-good": 6}.get


def read(**query: str) -> Settings:
    return parse(query, PAIRS, DEEPEST)


def test_an_empty_address_means_the_defaults():
    assert read() == Settings()


def test_what_is_written_is_read_back():
    settings = Settings("mini-good", 32, 6, 1.25, "code", "threshold:0.35", 77, "published-gpu")
    assert parse(spell(settings), PAIRS, DEEPEST) == settings


@pytest.mark.parametrize(
    ("query", "field", "value"),
    [
        ({"load": "9999"}, "load", MAX_LOAD),
        ({"load": "-3"}, "load", 1),
        ({"load": "lots"}, "load", 16),
        ({"load": "1e999"}, "load", 16),
        ({"depth": "8", "pair": "mini-good"}, "depth", 6),
        ({"temperature": "nan"}, "temperature", TEMPERATURE),
        ({"temperature": "7"}, "temperature", MAX_TEMPERATURE),
        ({"workload": "poems"}, "workload", "mixed"),
        ({"policy": "fixed:500"}, "policy", f"fixed:{MAX_DEPTH}"),
        ({"policy": "<script>"}, "policy", "early-stop"),
        ({"policy": "threshold:2"}, "policy", "early-stop"),
        ({"pair": "../../etc"}, "pair", DEFAULT_PAIR),
        ({"seed": "-1"}, "seed", 0),
        ({"hardware": "moon"}, "hardware", "here"),
        ({"hardware": "staircase"}, "hardware", "staircase"),
        ({"hardware": "own"}, "hardware", "own"),
    ],
)
def test_addresses_are_clamped(query, field, value):
    assert getattr(read(**query), field) == value


@given(st.fixed_dictionaries({}, optional={name: st.text(max_size=12) for name in spell(Settings())}))
def test_any_address_gives_allowed_settings(query):
    settings = parse(query, PAIRS, DEEPEST)
    assert 1 <= settings.load <= MAX_LOAD
    assert 1 <= settings.depth <= DEEPEST(settings.pair)
    assert 0 <= settings.temperature <= MAX_TEMPERATURE
    assert 0 <= settings.seed <= MAX_SEED
    assert settings.workload in WORKLOADS
    assert parse(spell(settings), PAIRS, DEEPEST) == settings
