"""The charts of Three machines: data in, figure out. Every line and piece differs in shape or pattern as well as in colour."""

from collections.abc import Mapping

import plotly.graph_objects as go

from expediter.core.acceptance_counts import AcceptanceCounts
from expediter.ui.canvas import canvas, colour
from expediter.ui.theme import PAGE, STATES

LINES = (
    (STATES["loaded"], "circle", "solid"),
    (STATES["own"], "square", "dash"),
    (STATES["behind"], "diamond", "dot"),
    (STATES["refused"], "triangle-up", "dashdot"),
    (STATES["waiting"], "x", "longdash"),
)
PIECES = {
    "draft": (STATES["behind"], "/"),
    "score": (STATES["waiting"], "."),
    "schedule": (STATES["refused"], "x"),
    "verify": (STATES["loaded"], ""),
    "commit": (STATES["own"], "\\"),
}


def acceptance_figure(drafters: Mapping[str, AcceptanceCounts], chosen: str, scheme: str) -> go.Figure:
    """Conditional acceptance by draft position, one line a drafter, the chosen one's thicker. Keys are the drafters' names for people."""
    figure = canvas("position in the block", "passed, if all before it did", scheme, height=320)
    for index, (name, counts) in enumerate(drafters.items()):
        state, symbol, dash = LINES[index % len(LINES)]
        ink, thick = colour(state, scheme), name == chosen
        figure.add_scatter(
            x=list(range(1, len(counts.rate) + 1)), y=counts.rate, name=name, mode="lines+markers",
            line={"color": ink, "dash": dash, "width": 4 if thick else 2},
            marker={"color": ink, "symbol": symbol, "size": 11 if thick else 8},
            customdata=[f"{passed:,} of {judged:,}" for passed, judged in zip(counts.passed, counts.judged, strict=True)],
            hovertemplate="position %{x}: %{y:.0%}, %{customdata}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    figure.update_layout(showlegend=True)
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def time_figure(seconds: Mapping[str, float], names: Mapping[str, str], scheme: str) -> go.Figure:
    """A step's mean time as one bar, a piece for each phase in order. seconds: by phase; names: the phases' names for people."""
    figure = canvas("milliseconds of a step", "", scheme, height=200)
    total = sum(seconds.values())
    for phase, took in seconds.items():
        state, pattern = PIECES[phase]
        share = took / total
        figure.add_bar(
            x=[1000 * took], y=[""], orientation="h", name=names[phase], text=f"{share:.0%}" if share >= 0.05 else "",
            textposition="inside", insidetextanchor="middle", textangle=0, constraintext="none",
            textfont={"color": PAGE[scheme], "size": 14},
            marker={"color": colour(state, scheme), "pattern": {"shape": pattern, "fillmode": "overlay", "solidity": 0.12}},
            hovertemplate=f"{names[phase]}: %{{x:.2f}} ms, {share:.1%}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    figure.update_yaxes(visible=False)
    return figure
