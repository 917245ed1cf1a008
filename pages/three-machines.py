"""Three machines: the drafter, the confidence head and the scheduler, one by one, on real blocks. Reads like the screen."""

import streamlit as st

from expediter.core.phases import mean_seconds
from expediter.ui import address, block_rows, machines
from expediter.ui import machine_words as words
from expediter.ui.captions import count
from expediter.ui.charts import chart
from expediter.ui.controls import pair_and_temperature, refill
from expediter.ui.figures_machines import acceptance_figure, time_figure
from expediter.ui.front import through_app
from expediter.ui.machine_choice import choose_block, shown_set
from expediter.ui.other_page import go_to
from expediter.ui.page import folded, heading, opening, page_words, say
from expediter.ui.reader import known_pairs, reader, title
from expediter.ui.recordings import recorded
from expediter.ui.theme import css_variables

through_app()

text = page_words("three_machines")

opening(text, css_variables())

session = reader()
session.change(pair_and_temperature(session.settings, known_pairs()))
address.write(session.settings)
settings, info = session.settings, machines.info_of(session.settings.pair)

heading(text["drafter_title"])
say(*text["drafter"])
heading(text["acceptance_title"], "h3")
say(text["acceptance_about"])
drafters = machines.drafters(settings)
if drafters.counts:
    chart(lambda scheme: acceptance_figure(drafters.counts, info.title, scheme), words.acceptance_alt(drafters.counts), "acceptance")
    for name, counts in drafters.counts.items():
        say(f"{name}. {words.acceptance_sentence(counts)}")
    counted = block_rows.counts_table(drafters.counts)
    sources = words.sources(drafters, text)
    folded(text["acceptance_table"], f"<div class='ex-board'>{counted}</div>")
    say(*sources, kind="footer")
else:
    say(text["acceptance_none"], kind="notice")

heading(text["block_title"], "h3")
found = shown_set(settings)
block = choose_block(settings, found, text)
if block is None:
    say(text["block_none"], kind="notice")
else:
    st.html(block_rows.setting(block, text))
    say(words.origin(found, text), kind="footer")

heading(text["head_title"], "h3")
say(text["head_about"])
if block is not None:
    say(text["head_none" if block.plain is None else "head_same"])
    st.html(block_rows.head_rows(block, text))
    if block.plain is not None:
        say(f"{words.head_sentence(block)} {words.run_sentence(found)}", kind="promise")
if not machines.has_head(info) and (other := machines.headed(settings.pair)):
    st.button(text["head_switch"].format(title=other.title), key="to_head", on_click=refill, args=({"pair": other.name},))

heading(text["confidence_title"])
say(*text["confidence"])
if block is not None:
    st.html(block_rows.chance_tiles(block))
    say(words.fate_sentence(block), kind="promise")

heading(text["scheduler_title"])
say(text["scheduler"])
if st.button(text["to_dock"], key="to_dock"):
    go_to("pages/loading_dock.py")
heading(text["time_title"], "h3")
run = recorded(settings.pair)
seconds = mean_seconds(run)
if seconds:
    chart(lambda scheme: time_figure(seconds, text["phases"], scheme), words.time_alt(seconds, text["phases"]), "time")
    say(words.time_sentence(seconds), kind="promise")
    drafted = sum(any(request.drafts for request in step.requests) for step in run)
    steps, load = count(drafted, "step"), count(run[0].load, "request")
    say(text["time_from"].format(steps=steps, pair=title(settings.pair), load=load, machine=run[0].machine), kind="footer")
else:
    say(text["time_none"], kind="notice")
