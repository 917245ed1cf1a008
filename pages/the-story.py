"""The story: the idea in five minutes, told with a recorded run. Plays in the browser; this script only hands it over."""

from pathlib import Path

import streamlit as st

from expediter.core.settings import DEFAULT_PAIR
from expediter.ui import address
from expediter.ui.front import through_app
from expediter.ui.machines import has_head
from expediter.ui.other_page import go_to
from expediter.ui.page import say, top
from expediter.ui.reader import deepest, known_pairs, reader
from expediter.ui.recordings import recorded
from expediter.ui.story import story
from expediter.ui.story_data import clamped, payload, words
from expediter.ui.story_models import UNKNOWN, models_of
from expediter.ui.story_steps import busier, settings_of, telling

through_app()

RUSH = "rush-hour"  # under assets/traces: the default pair at a higher load

top(words()["title"])
quiet = telling(recorded(DEFAULT_PAIR))
if quiet is None:
    say(words()["missing"].format(pair=DEFAULT_PAIR), kind="notice")
    st.stop()

names = [pair.name for pair in known_pairs()]
info = next((pair for pair in known_pairs() if pair.name == quiet.pair), None)
data = payload(
    quiet,
    busier(recorded(RUSH), quiet),
    title=info.title if info else quiet.pair,
    at_once=info is not None and has_head(info),
    start=clamped(st.query_params.get("scene")),
    models=models_of(info, quiet) if info else UNKNOWN,
)
if story(data, key="story"):
    if names:
        reader().change(address.allowed(settings_of(quiet), names, deepest))
    go_to(Path(__file__).with_name("loading_dock.py"))
