"""Which block Three machines shows: recorded or drafted here, and about what. Kept from page to page and in the address."""

from collections.abc import Mapping

import streamlit as st

from expediter.core.block import Block, BlockSet
from expediter.core.settings import Settings
from expediter.ui import controls, job, machines
from expediter.ui.remembered import Remembered

CHOICES = Remembered("machines")
TURN = "machines_turn"  # how many blocks were asked for


def shown_set(settings: Settings) -> BlockSet | None:
    """The blocks drafted here for this pair and temperature, else the recorded ones; None where there are neither."""
    live = job.find(_key(settings))
    if live is not None and live.state == "done" and live.result.blocks and live.result.temperature == settings.temperature:
        return live.result
    return machines.recorded_set(settings.pair, settings.temperature)


def choose_block(settings: Settings, found: BlockSet | None, text: Mapping) -> Block | None:
    """Draw the choice of a block and the button that drafts another one. → the chosen block; None where there is none yet"""
    key = _key(settings)
    running = (live := job.find(key)) is not None and live.running
    chosen = None
    with st.container(horizontal=True, key="block", vertical_alignment="bottom", gap="medium"):
        if found is not None:
            chosen = _about({block.request.workload: block for block in found.blocks}, text)
        if st.button(text["block_again"], key="block_again", disabled=running):
            st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
            job.start(key, machines.drafting(settings, st.session_state[TURN]))
            st.rerun()
    job.panel(key)
    return chosen


def _about(blocks: Mapping[str, Block], text: Mapping) -> Block:
    """A choice by workload; an unknown one becomes the first."""
    names, titles = list(blocks), controls.words()["workloads"]
    index = names.index(CHOICES.find("block", names, names[0]))
    name = st.radio(text["block_pick"], names, index, format_func=titles.get, key="block_about", horizontal=True)
    return blocks[CHOICES.keep("block", name)]


def _key(settings: Settings) -> str:
    return f"block {settings.pair}"
