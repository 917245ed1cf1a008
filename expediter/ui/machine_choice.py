"""Which block Three machines shows: recorded or drafted here, and about what. Kept from page to page and in the address."""

from collections.abc import Mapping

import streamlit as st

from expediter.core.block import Block, BlockSet
from expediter.core.settings import WORKLOADS, Settings
from expediter.ui import controls, jobs, machines
from expediter.ui.asked import asked
from expediter.ui.job import Asked
from expediter.ui.job_panel import panel
from expediter.ui.remembered import Remembered

CHOICES = Remembered("machines")


def shown_set(settings: Settings) -> BlockSet | None:
    """The blocks drafted here with these settings, else the recorded ones; None where there are neither."""
    made: BlockSet | None = jobs.result(_asked(settings))
    if made is not None and made.blocks:
        return made
    return machines.recorded_set(settings.pair, settings.temperature)


def choose_block(settings: Settings, found: BlockSet | None, text: Mapping) -> Block | None:
    """Draw the choice of a block and the button that drafts another one. → the chosen block; None where there is none yet"""
    asked_for, chosen = _asked(settings), None
    with st.container(horizontal=True, key="block", vertical_alignment="bottom", gap="medium"):
        if found is not None:
            chosen = _about({block.request.workload: block for block in found.blocks}, text)
        if st.button(text["block_first" if found is None else "block_again"], key="block_again", disabled=jobs.running(asked_for.key)):
            jobs.start(asked_for, machines.drafting(settings, jobs.times(asked_for) + 1))
            st.rerun()
    panel(asked_for)
    return chosen


def _about(blocks: Mapping[str, Block], text: Mapping) -> Block:
    """A choice by workload; an unknown one becomes the first."""
    names, titles = sorted(blocks, key=WORKLOADS.index), controls.words()["workloads"]  # what is easiest to read first
    index = names.index(CHOICES.find("block", names, names[0]))
    name = st.radio(text["block_pick"], names, index, format_func=titles.get, key="block_about", horizontal=True)
    return blocks[CHOICES.keep("block", name)]


def _asked(settings: Settings) -> Asked:
    return asked("block", settings, ("load", "depth", "temperature", "workload", "policy", "seed"))
