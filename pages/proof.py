"""Proof: a benchmark's result with its bars, shipped or run here. Reads like the screen."""

from html import escape

import streamlit as st

from expediter.ui import address, proofs
from expediter.ui import proof_words as words
from expediter.ui.ages import ago
from expediter.ui.charts import chart
from expediter.ui.controls import pair_and_temperature
from expediter.ui.figures_proof import speed_figure
from expediter.ui.front import through_app
from expediter.ui.job_panel import offer
from expediter.ui.page import heading, opening, page_words, say
from expediter.ui.reader import known_pairs, reader
from expediter.ui.theme import css_variables

through_app()

text = page_words("proof")

opening(text, css_variables())

session = reader()
session.change(pair_and_temperature(session.settings, known_pairs()))
settings = session.settings
address.write(settings)

found = proofs.shown_bench(settings)
if found is None:
    say(text["no_bench"], kind="notice")
else:
    say(words.origin(found.bench, found.here, ago(found.bench.measured_at), text), kind="footer")
    for caution in words.cautions(found.bench, found.here, found.other_weights, settings.temperature, text):
        say(caution, kind="notice")
label = text["again" if found is not None and found.here else "measure"]
offer(label, proofs.asked(settings), lambda: proofs.measuring(settings), note=text["measure_about"])

if found is not None:
    bench = found.bench
    heading(text["speed_title"])
    say(words.headline(bench), kind="promise")
    chart(lambda scheme: speed_figure(bench, scheme), words.speed_alt(bench), "speed")
    say(text["speed_about"])

    heading(text["bars_title"])
    say(words.verdict(bench), kind="promise")
    st.html(words.bars_list(bench))
    say(text["bars_about"])
    for note in bench.notes:
        say(note)

    heading(text["table_title"])
    st.html(words.rates_table(bench))

    heading(text["honest_title"])
    say(words.forecast(bench))
    say(words.outside(bench))

heading(text["command_title"])
say(text["command_about"])
command = text["command"].format(pair=settings.pair, temperature=f"{settings.temperature:g}")
st.html(f"<p class='ex-read'><code class='ex-command'>{escape(command)}</code></p>")
