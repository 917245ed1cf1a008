"""Rush hour: every policy at every load, measured; then a simulated fleet. Reads like the screen."""

import streamlit as st

from expediter.core.sweep import Sweep
from expediter.ui import address, sweeps
from expediter.ui import rush_verdict as verdict
from expediter.ui import rush_words as words
from expediter.ui.ages import ago
from expediter.ui.charts import chart
from expediter.ui.controls import drafting
from expediter.ui.figures_rush import frontier_figure, rate_figure, ratio_figure, sent_figure, wasted_figure
from expediter.ui.fleet import fleet
from expediter.ui.front import through_app
from expediter.ui.job_panel import offer
from expediter.ui.page import heading, opening, page_words, say
from expediter.ui.reader import known_pairs, reader
from expediter.ui.rush_compare import comparison, noise_sentence

through_app()

text = page_words("rush_hour")

opening(text)


@st.fragment
def one_load(sweep: Sweep) -> None:
    """Every policy at the load that the reader picks; nothing else is redrawn."""
    load = st.radio(text["compare_at"], sweep.loads, index=len(sweep.loads) // 2, key="rush_load", horizontal=True)
    st.html(comparison(sweep, load, text))
    say(noise_sentence(sweep, load), text["compare_about"])


session = reader()
session.change(drafting(session.settings, known_pairs()))
settings = session.settings
address.write(settings)

found = sweeps.shown_sweep(settings)
if found is None:
    say(text["no_sweep"], kind="notice")
else:
    say(words.origin(found.sweep, found.here, ago(found.sweep.measured_at), text), kind="footer")
    if words.differs(found.sweep, settings):
        say(text["differs"], kind="notice")
    if found.other_weights:
        say(text["other_weights"], kind="notice")
label = text["again" if found is not None and found.here else "measure"]
offer(label, sweeps.asked(settings), lambda: sweeps.sweeping(settings), note=text["measure_about"])

if found is not None:
    sweep, marked = found.sweep, words.crossing(found.sweep)
    heading(text["rates_title"])
    say(words.pace_sentence(sweep), kind="promise")
    view = st.radio(text["view"], list(text["views"]), format_func=text["views"].get, key="rush_view", horizontal=True)
    if view == "rate":
        chart(lambda scheme: rate_figure(sweep, marked, scheme), words.rates_alt(sweep), "rates")
    else:
        chart(lambda scheme: ratio_figure(sweep, marked, scheme), words.ratio_alt(sweep), "rates")
    say(verdict.rule_sentence(sweep), verdict.follow_sentence(sweep), kind="promise")
    say(words.crossing_sentence(sweep))
    say(text["rates_about"])

    heading(text["compare_title"])
    one_load(sweep)

    left, right = st.columns(2, gap="medium")
    with left:
        heading(text["sent_title"])
        chart(lambda scheme: sent_figure(sweep, scheme), words.sent_alt(sweep), "sent")
        say(words.sent_sentence(sweep), kind="promise")
        say(words.limit_sentence(sweep))
    with right:
        heading(text["wasted_title"])
        chart(lambda scheme: wasted_figure(sweep, scheme), words.wasted_alt(sweep), "wasted")
        say(words.wasted_sentence(sweep), kind="promise")
        say(text["wasted_about"])

    heading(text["frontier_title"])
    say(text["frontier_about"])
    chart(lambda scheme: frontier_figure(sweep, scheme), words.frontier_alt(sweep), "frontier")
    say(words.frontier_sentence(sweep), kind="promise")

    scene = next((s for s in (sweep, sweeps.deep_sweep(settings.pair)) if s is not None and words.gone_too_far(s)), None)
    if scene is not None:
        heading(text["rest_title"])
        say(words.rest_sentence(scene), kind="promise")
        if scene is not sweep:
            say(words.origin(scene, False, ago(scene.measured_at), text), kind="footer")

fleet(session, text)
