"""Bumpy roads: the same guesses on other cost tables, measured, published, broken or the reader's own. Reads like the screen."""

import json
from html import escape
from pathlib import Path

import streamlit as st

from expediter.core.profile import Profile
from expediter.core.step_rate import LOOKUPS
from expediter.ui import address, figures_roads, own_table, real_roads, road_choice, road_words
from expediter.ui.captions import count
from expediter.ui.charts import chart
from expediter.ui.measured import measured
from expediter.ui.reader import known_pairs, reader, title
from expediter.ui.road_choice import choose, number
from expediter.ui.scenarios import WAYS, scenarios
from expediter.ui.ways import ways_table

ASSETS = Path(__file__).parents[1] / "assets"
text = json.loads((ASSETS / "bumpy_roads.json").read_text(encoding="utf-8"))


def say(sentence: str, kind: str = "about") -> None:
    """A paragraph in one of the page's styles."""
    st.html(f"<p class='ex-{kind}'>{escape(sentence)}</p>")


st.html(ASSETS / "page.css")
st.title(text["title"], anchor=False)
say(text["promise"], "promise")
if not known_pairs():
    st.stop()
how = "".join(f"<li>{escape(sentence)}</li>" for sentence in text["how"])
st.html(f"<details class='ex-how'><summary>{escape(text['how_title'])}</summary><ul>{how}</ul></details>")

session, cases = reader(), scenarios()
traces, profile = real_roads.steps(session), measured(session)
recorded = text["recorded"].format(pair=title(session.settings.pair))
road_choice.choices()
with st.container(horizontal=True, key="tries", vertical_alignment="center", gap="small"):
    say(text["try"])
    for name, label in text["tries"].items():
        st.button(label, key=f"try_{name}", on_click=road_choice.go_to, args=("case", name))

roads = real_roads.tables(profile, session.own)
with st.container(horizontal=True, key="controls", vertical_alignment="bottom", gap="small"):
    case = choose("case", text["scenario"], ["", *cases], "", lambda name: cases[name].title if name else recorded, width=330)
    shown = ["case"]
    if case == "" and traces:
        name = choose(
            "road", text["road"], list(roads), next(iter(roads)), lambda name: real_roads.label(name, roads[name], text), width=240
        )
        at = number("step", text["step"], 1, len(traces), len(traces)) - 1
        lag = number("lag", text["lag"], 0, real_roads.OLDEST, 1)
        shown += ["road", "step", "lag"]
    if case or (traces and not isinstance(roads[name], Profile)):
        spell = text["lookups"].get
        lookup = choose("lookup", text["lookup"], ["", *LOOKUPS], "", spell, note=text["lookup_help"]) or None
        shown.append("lookup")
    else:
        lookup = None

if case:
    scenario = cases[case]
    road, lag, raw, source = scenario.road(lookup), None, None, ""
    say(scenario.lesson, "promise")
    say(text["case_note"].format(requests=count(road.requests, "request")))
elif traces:
    table = roads[name]
    road = real_roads.road_of(traces, at, table, lookup, lag)
    raw = profile.raw(road.requests, real_roads.CONTEXT) if profile else None
    source = "" if isinstance(table, Profile) else table.source
else:
    road = None
    say(text["no_step"], "notice")

if road:
    plans = {way: road.plan(way) for way in WAYS}
    st.html(f"<h2>{escape(text['road_title'])}</h2>")
    say(text["road_about"])
    on_fit = not case and isinstance(table, Profile)
    fit = real_roads.rate_on(profile, traces[at], None) if raw else None
    reach = (road.requests, road.fullest)
    chart(
        lambda scheme: figures_roads.speed_figure(fit if on_fit else road.rate, LOOKUPS, reach, scheme, raw, fit),
        road_words.speed_alt(road),
        "road",
    )
    if raw:
        say(text["road_here"].format(source=profile.source))
    if source:
        say(source)

    st.html(f"<h2>{escape(text['score_title'])}</h2>")
    say(text["score_about"])
    chart(lambda scheme: figures_roads.score_figure(plans, scheme), road_words.score_alt(plans), "score")
    say(road_words.decision(plans["early-stop"]), "promise")
    for finding in road_words.findings(road, plans):
        say(finding, "notice")

    st.html(f"<h2>{escape(text['ways_title'])}</h2>")
    st.html(ways_table(road, plans, lag))
    say(text["ways_case" if case else "ways_recorded"])

    if not case:
        st.html(f"<h2>{escape(text['lag_title'])}</h2>")
        say(text["lag_about"])
        by_age = real_roads.budgets(road, traces, at)
        chart(
            lambda scheme: figures_roads.lag_figure(by_age, plans["early-stop"], scheme),
            road_words.lag_alt(by_age, plans["early-stop"]),
            "lag",
        )
        say(road_words.lag_sentence(lag, by_age, text), "notice")

    st.html(f"<h2>{escape(text['flat_title'])}</h2>")
    say(text["flat_about"])

st.html(f"<h2>{escape(text['own_title'])}</h2>")
own_table.bring(session, text)
address.write(session.settings)
road_choice.write(shown)
