"""Honest numbers: do the chances come true, and what does it cost when they lie? Reads like the screen."""

from html import escape

import streamlit as st

from expediter.core.honesty import JUDGES, honesty, typical
from expediter.core.metrics import reliability
from expediter.ui import address, honest_choice
from expediter.ui import honest_words as words
from expediter.ui.captions import count
from expediter.ui.charts import chart
from expediter.ui.controls import draft_and_clock
from expediter.ui.controls import words as control_words
from expediter.ui.figures_honest import cost_figure, error_figure, lost_figure, reliability_figure, sent_figure
from expediter.ui.front import through_app
from expediter.ui.honest_blocks import asked, fitted, measuring, shown
from expediter.ui.honest_costs import clock_name, costs, table
from expediter.ui.honest_tables import chain_table, honesty_table, kinds_table
from expediter.ui.job_panel import offer
from expediter.ui.page import folded, heading, opening, page_words, say
from expediter.ui.reader import known_pairs, reader
from expediter.ui.share import share_page

through_app()

text = page_words("honest_numbers")

opening(text)

session = reader()
session.change(draft_and_clock(session.settings, known_pairs(), session.own))
settings = session.settings
address.write(settings)

found = shown(settings)
if found is not None:
    kind = control_words()["workloads"][settings.workload].lower()
    say(words.origin(found, settings.temperature, kind, text), kind="footer")
    if found.other_weights:
        say(text["other_weights"].format(pair=settings.pair), kind="notice")
again = "measure_again" if found is not None and found.here else "measure"
offer(text[again].format(temperature=f"{settings.temperature:g}"), asked(settings), lambda: measuring(settings, text))
if found is None:
    say(text["no_blocks"].format(pair=settings.pair), kind="notice")
    share_page("honest-numbers")  # the row beneath every page, which this stop keeps app.py from drawing
    st.stop()
blocks, names = found.blocks, text["names"]

heading(text["chain_title"])
say(text["chain_about"])
row, reach = typical(blocks, min(3, blocks.depth)), min(3, blocks.depth)
st.html(chain_table(blocks.confidence[row], int(blocks.passed[row]), text))
say(words.chain(blocks.confidence[row, :reach]), kind="promise")

heading(text["true_title"])
say(text["true_about"])
with st.container(horizontal=True, key="looks", vertical_alignment="bottom", gap="medium"):
    event, other = honest_choice.event(text), honest_choice.other(text)
    position = honest_choice.position(text, blocks.depth)
judged = {name: JUDGES[event](getattr(blocks, name), blocks.passed, position) for name in ("confidence", other)}
mine, theirs = (reliability(j.predicted, j.came) for j in judged.values())
if mine.count.sum():
    what = text[f"event_{event}"].format(k=position)
    alt = words.reliability_alt(mine, theirs, names[other], what)
    chart(lambda scheme: reliability_figure(mine, theirs, names[other], scheme), alt, "reliability")
    say(f"{what}. {words.fullest(mine, event, position)}", kind="promise")
else:
    say(text["nothing_judged"].format(k=position), kind="notice")

heading(text["error_title"], "h3")
measured = {name: honesty(getattr(blocks, name), blocks.passed) for name in dict.fromkeys(("confidence", "before", other, "chance"))}
calibrated, compared = measured["confidence"], measured[other]
chart(
    lambda scheme: error_figure(calibrated.ece, compared.ece, names[other], calibrated.luck, position, scheme),
    words.error_alt(calibrated, compared, names[other]),
    "error",
)
say(words.calibration(calibrated, measured["before"]))
say(words.ranking(calibrated, measured["chance"], position))
every = honesty_table(measured, fitted(settings.pair, blocks, text), names, text)
folded(text["table_title"], every)

heading(text["lie_title"])
clock = table(session)
say(text["lie_about"].format(load=count(settings.load, "request"), clock=clock_name(clock)))
with st.container(horizontal=True, key="lies", vertical_alignment="bottom", gap="medium"):
    whose, notch = honest_choice.whose(text), honest_choice.dial(text)
paid = costs(found, settings, whose, clock)
notches = {n: honest_choice.notch_name(n, text) for n in paid.notches}
now, gap = paid.notches[notch], paid.leads[notch]
st.html(f"<p class='ex-promise' role='status'>{escape(words.budget(now, paid.honest, blocks.depth))} {escape(words.promise(now))}</p>")
say(words.cost(*gap, paid.honest, same=now is paid.honest), kind="promise")
chart(lambda scheme: cost_figure(paid.notches, notches, notch, paid.off, paid.everything, scheme), words.cost_alt(paid, notches), "cost")
left, right = st.columns(2)
with left:
    heading(text["lost_title"], "h3")
    chart(lambda scheme: lost_figure(paid.leads, paid.honest.came, notches, notch, scheme), words.lost_alt(paid, notches), "lost")
with right:
    heading(text["sent_title"], "h3")
    chart(lambda scheme: sent_figure(paid.notches, notches, notch, blocks.depth, scheme), words.sent_alt(paid, notches), "sent")
say(words.best(paid, notches))

heading(text["kinds_title"], "h3")
st.html(kinds_table(paid, text["kinds"], text["notes"], text))
say(text["kinds_about"].format(steps=f"{paid.steps:,}"))
heading(text["raw_title"])
say(text["raw"])
