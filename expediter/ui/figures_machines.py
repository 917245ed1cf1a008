"""The charts of Three machines: data in, figure out. Every line and piece differs in shape or pattern as well as in colour."""

from collections.abc import Mapping

import plotly.graph_objects as go

from expediter.core.acceptance_counts import AcceptanceCounts
from expediter.ui.theme import STATES, State

LINES = (
    (STATES["loaded"], "circle", "solid"),
    (STATES["own"], "square", "dash"),
    (STATES["behind"], "diamond", "dot"),
    (STATES["refused"], "triangle-up", "dashdot"),
    (STATES["waiting"], "x", "longdash"),
)
PIECES = {
    "draft": ("behind", "/"),
    "score": ("waiting", "."),
    "schedule": ("refused", "x"),
    "verify": ("loaded", ""),
    "commit": ("own", "\\"),
}


def acceptance_figure(drafters: Mapping[str, AcceptanceCounts], chosen: str, scheme: str) -> go.Figure:
    """Conditional acceptance by draft position, one line a drafter, the chosen one's thicker. Keys are the drafters' names for people."""
    figure = _figure(scheme, height=320)
    for index, (name, counts) in enumerate(drafters.items()):
        state, symbol, dash = LINES[index % len(LINES)]
        colour, thick = _colour(state, scheme), name == chosen
        figure.add_scatter(
            x=list(range(1, len(counts.rate) + 1)), y=counts.rate, name=name, mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 4 if thick else 2}, marker={"symbol": symbol, "size": 11 if thick else 8},
            customdata=[f"{passed:,} of {judged:,}" for passed, judged in zip(counts.passed, counts.judged, strict=True)],
            hovertemplate="position %{x}: %{y:.0%}, %{customdata}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    figure.update_xaxes(title={"text": "position in the block"}, dtick=1)
    figure.update_yaxes(title={"text": "passed, if all before it did"}, range=[0, 1.03], tickformat=".0%")
    return figure


def time_figure(seconds: Mapping[str, float], names: Mapping[str, str], scheme: str) -> go.Figure:
    """A step's mean time as one bar, a piece for each phase in order. seconds: by phase; names: the phases' names for people."""
    figure = _figure(scheme, height=150)
    total = sum(seconds.values())
    for phase, took in seconds.items():
        state, pattern = PIECES[phase]
        share = took / total
        figure.add_bar(
            x=[1000 * took], y=[""], orientation="h", name=names[phase], text=f"{share:.0%}" if share >= 0.05 else "",
            textposition="inside", insidetextanchor="middle", textangle=0, constraintext="none",
            textfont={"color": "#ffffff" if scheme == "light" else "#12171d", "size": 14},
            marker={"color": _colour(state, scheme), "pattern": {"shape": pattern, "fillmode": "overlay", "solidity": 0.12}},
            hovertemplate=f"{names[phase]}: %{{x:.2f}} ms, {share:.1%}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    figure.update_xaxes(title={"text": "milliseconds of a step"})
    figure.update_yaxes(visible=False)
    return figure


def _figure(scheme: str, height: int) -> go.Figure:
    ink = "#0f1720" if scheme == "light" else "#f2efe9"
    legend = {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "font": {"color": ink, "size": 12}}
    figure = go.Figure()
    figure.update_layout(
        height=height, margin={"l": 10, "r": 10, "t": 10, "b": 10}, font={"color": ink, "size": 13}, hovermode="closest", legend=legend,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", showlegend=True,
    )  # fmt: skip
    figure.update_xaxes(title={"font": {"color": ink}}, tickfont={"color": ink}, fixedrange=True, showgrid=False)
    figure.update_yaxes(title={"font": {"color": ink}}, tickfont={"color": ink}, fixedrange=True)
    return figure


def _colour(state: State, scheme: str) -> str:
    return state.dark if scheme == "dark" else state.light
