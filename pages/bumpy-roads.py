"""Bumpy roads: the same guesses on other cost tables, measured, published, broken or the reader's own. Reads like the screen."""

from dataclasses import replace
from functools import partial

import streamlit as st

from expediter.core.clock import OWN
from expediter.ui import address, own_table, road_choice
from expediter.ui import road_words as words
from expediter.ui.charts import chart
from expediter.ui.figures_roads import lag_figure, score_figure, speed_figure
from expediter.ui.front import through_app
from expediter.ui.other_page import go_to
from expediter.ui.page import heading, opening, page_words, say
from expediter.ui.reader import reader
from expediter.ui.road_view import look
from expediter.ui.tries import tries
from expediter.ui.ways import lookups_table, ways_table

through_app()

text = page_words("bumpy_roads")

opening(text)


def offer_dock(hardware: str) -> None:
    """The dock with this clock; nothing for a road that has no name there."""
    if hardware and st.button(text["to_dock"], key="to_dock"):
        session.change(replace(session.settings, hardware=hardware))
        go_to("pages/loading_dock.py")


session = reader()
tries(text["try"], text["tries"], partial(road_choice.go_to, "case"))
view = look(session, text)

if view is None:
    say(text["no_step"], kind="notice")
    offer_dock(OWN if session.own else "")
else:
    road, plans = view.road, {way: view.road.plan(way) for way in view.road.ways}
    early = plans["early-stop"]
    if view.lesson:
        say(view.lesson, kind="promise")
    if view.remark:
        say(view.remark, kind="notice")

    heading(text["road_title"], clock=view.clock)
    say(text["road_about"])
    reach = (road.requests, road.fullest)
    chart(lambda scheme: speed_figure(road.rate, reach, scheme, view.raw, view.fit), words.speed_alt(road), "road")
    for sentence in view.sources:
        say(sentence)

    offer_dock(view.hardware)

    heading(text["score_title"], clock=view.clock)
    say(text["score_about"])
    chart(lambda scheme: score_figure(plans, scheme), words.score_alt(plans, words.spelled(road)), "score")
    say(words.decision(early, words.spelled(road)), kind="promise")
    for finding in words.findings(road, plans):
        say(finding, kind="notice")

    heading(text["ways_title"], clock=view.clock)
    st.html(ways_table(road, plans, view.lag))
    say(text["ways_recorded" if road.trace else "ways_case"])

    if not view.on_fit:
        heading(text["lookups_title"], clock=view.clock)
        say(text["lookups_about"])
        st.html(lookups_table(road))

    if view.budgets:
        heading(text["lag_title"], clock=view.clock)
        say(text["lag_about"])
        chart(lambda scheme: lag_figure(view.budgets, early, scheme), words.lag_alt(view.budgets, early), "lag")
        say(words.lag_sentence(view.lag, view.budgets, text), kind="notice")

    heading(text["flat_title"])
    say(text["flat_about"])

heading(text["own_title"])
own_table.bring(session, text)
address.write(session.settings)
