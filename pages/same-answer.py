"""Same answer: nothing is lost. Word for word at temperature 0, as likely as alone at 1, and what would break it. Reads like the screen."""

from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from expediter.core.goodness import fit
from expediter.ui import address, answer_choice, answer_runs, jobs, peek_words
from expediter.ui import answer_words as words
from expediter.ui.ages import ago
from expediter.ui.answer_sides import columns, key, policy_table
from expediter.ui.block_recordings import weights_now
from expediter.ui.charts import chart
from expediter.ui.figures_answers import SHOWN, bent_figure, cells_figure, trail_figure
from expediter.ui.front import through_app
from expediter.ui.job_panel import TICK, panel
from expediter.ui.page import heading, opening, page_words, say
from expediter.ui.reader import reader
from expediter.ui.theme import css_variables
from expediter.ui.ways import title

through_app()

ASSETS = Path(__file__).parents[1] / "assets"
REQUESTS = 4  # whose texts are shown; all of them are compared
text = page_words("same_answer")

opening(text, css_variables() + (ASSETS / "same_answer.css").read_text(encoding="utf-8"))
session = reader()
answer_choice.choose_pair(session)
address.write(session.settings)
recording, weights = answer_runs.recorded(session.settings.pair), weights_now(session.settings.pair)


def origin(found: answer_runs.Shown) -> str:
    """Where a run comes from: here, now or before, or the recording."""
    if found.state == "recorded":
        return words.origin(recording.recorded_at, found.run.machine, recording.weights, weights, text)
    return text[found.state].format(machine=found.run.machine, when=ago(found.when))


heading(text["greedy_title"])
say(*text["greedy"])
with st.container(horizontal=True, key="greedy", vertical_alignment="bottom", gap="small"):
    number_format = answer_choice.choose_format(text)
    greedy = answer_runs.comparing(session.settings, number_format, text)
    policy = answer_choice.choose_policy("greedy", text)
    about = text["run_help"].format(requests=answer_runs.REQUESTS)
    if st.button(text["run"], key="run_greedy", help=about, disabled=jobs.running(greedy.key)):
        jobs.start(greedy, answer_runs.compare_here(greedy, session.settings, number_format, text))
        st.rerun()
panel(greedy)


@st.fragment(run_every=TICK if jobs.running(greedy.key) else None)
def sides() -> None:
    """Table and columns, growing while a run is under way."""
    kept = next((run for run in recording.side_by_side if run.number_format == number_format), None) if recording else None
    found = answer_runs.shown(greedy, session.settings.pair, kept)
    run, running = found.run, found.state == "running"
    if run is None:
        return say(text["none"], kind="notice")
    say(words.so_far(run, text) if running else words.compared(run, text), kind="promise")
    st.html(policy_table(run, text))
    for sentence in words.rounding(run, text):
        say(sentence)
    watched = next(reversed(run.served), policy) if running else policy
    st.html(key(text, bool(run.differences)))
    st.html(columns(run, watched, REQUESTS, text))
    say(f"{origin(found)} {text['plain_is']}", kind="footer")


sides()

heading(text["chance_title"])
say(*text["chance"])
with st.container(horizontal=True, key="chance", vertical_alignment="bottom", gap="small"):
    workload, samples, rule = answer_choice.choose_samples(text)
    decides = answer_choice.choose_policy("chance", text)
    chance = answer_runs.drawing(session.settings, decides, workload, samples, rule, text)
    if st.button(text["draw"], key="run_chance", disabled=jobs.running(chance.key)):
        jobs.start(chance, answer_runs.sample_here(chance, session.settings, decides, workload, samples, rule, text))
        st.rerun()
panel(chance)


@st.fragment(run_every=TICK if jobs.running(chance.key) else None)
def counts() -> None:
    """Counts, running p-value and verdict."""
    found = answer_runs.shown(chance, session.settings.pair, recording.sampling if recording else None)
    run = found.run
    if run is None:
        return say(text["none"], kind="notice")
    st.html(f"<p class='ex-read'><strong>{escape(title(run.policy))}.</strong> {escape(text['rules_about'][run.rule])}</p>")
    say(text["prompt"].format(prompt=run.prompt))
    heading(text["counted_title"], "h3")
    say(text["counted_about"])
    chart(lambda scheme: cells_figure(run, scheme), words.cells_alt(run, SHOWN), "cells")
    heading(text["p_title"], "h3")
    say(text["p_about"])
    chart(lambda scheme: trail_figure(run, scheme), words.trail_alt(run), "trail")
    say(words.verdict(run, text), kind="promise")
    say(text["p_peek"], words.power(run, text), words.sent(run, text))
    if run.policy == "global":
        say(text["global_note"], kind="notice")
    say(origin(found), kind="footer")


counts()

heading(text["peek_title"])
say(*(sentence.format(**peek_words.shares(answer_choice.PAPER)) for sentence in text["peek"]))
case, peek = answer_choice.choose_case(text)
by = peek_words.PEEK if peek else peek_words.EARLY
st.html("<ul class='ex-read'>" + "".join(f"<li>{escape(line)}</li>" for line in peek_words.sums(case, text)) + "</ul>")
st.html(peek_words.case_table(case, by, text))
say(f"{peek_words.bend(case, by, text)} {peek_words.why(case, by, text)}", kind="promise")
drawn = case.sample(by, answer_choice.runs(case, peek, text), np.random.default_rng(1))
chart(lambda scheme: bent_figure(case, by, drawn, text["bars"], scheme), peek_words.bent_alt(case, by, drawn), "bent")
say(peek_words.sampled(drawn, fit(drawn, np.array(case.target)), text))
say(text["moral"], kind="promise")
