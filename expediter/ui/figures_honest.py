"""The charts of Honest numbers: data in, figure out. Every line and mark differs in shape as well as in colour."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from expediter.core.dial import Outcome
from expediter.core.metrics import Reliability
from expediter.ui.canvas import canvas, colour, line, marks
from expediter.ui.theme import STATES, STOP

LUCK = 2.0  # standard errors: what chance alone moves a share by, nineteen times in twenty
FEW = 10  # predictions; a bin with fewer is drawn small
SYMBOLS = {"calibrated": ("circle", "solid"), "other": ("diamond-open", "dot")}


def reliability_figure(calibrated: Reliability, other: Reliability, other_name: str, scheme: str) -> go.Figure:
    """Above: the share that came true against what was said, for two kinds of chances. Below: how many each bin holds."""
    figure = canvas("what was said", "what came true", scheme, 430)
    line(figure, [0, 1], [0, 1], "perfectly honest", STATES["waiting"], scheme, dash="dash", width=1.5)
    for bins, name, role, state, shift in (
        (other, other_name, "other", "refused", 0.012),
        (calibrated, "calibrated", "calibrated", "loaded", -0.012),
    ):
        _curve(figure, bins, name, role, colour(STATES[state], scheme))
        centre = (bins.edges[1:] + bins.edges[:-1]) / 2
        pattern = {"shape": "" if role == "calibrated" else "/", "fillmode": "overlay"}
        figure.add_bar(
            x=centre + shift, y=bins.count, width=0.022, yaxis="y2", name=f"how many, {name}", showlegend=False,
            marker={"color": colour(STATES[state], scheme), "pattern": pattern},
            hovertemplate="%{y:,} of them<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    ink = figure.layout.font.color
    figure.update_layout(
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%", "anchor": "y2"},
        yaxis={"range": [-0.03, 1.06], "tickformat": ".0%", "domain": [0.3, 1], "rangemode": "normal"},
        yaxis2={
            "domain": [0, 0.2], "title": {"text": "how many", "font": {"color": ink}}, "tickfont": {"color": ink}, "nticks": 3,
            "fixedrange": True, "showgrid": False, "rangemode": "tozero",
        },
        bargap=0,
    )  # fmt: skip
    return figure


def _curve(figure: go.Figure, bins: Reliability, name: str, role: str, shade: str) -> None:
    """A line through the bins that hold enough, small marks for the others, and for both how far luck alone could move them."""
    symbol, dash = SYMBOLS[role]
    spread = LUCK * np.sqrt(bins.predicted * (1 - bins.predicted) / np.maximum(bins.count, 1))
    enough = bins.count >= FEW
    for some, mode, size in ((enough, "lines+markers", 9), (~enough & (bins.count > 0), "markers", 4)):
        figure.add_scatter(
            x=bins.predicted[some], y=bins.observed[some], customdata=bins.count[some], name=name, mode=mode, showlegend=mode != "markers",
            line={"dash": dash, "width": 2, "color": shade}, marker={"symbol": symbol, "size": size, "color": shade, "line": {"width": 2}},
            error_y={"type": "data", "array": spread[some], "color": shade, "thickness": 1, "width": 0},
            hovertemplate="said %{x:.0%}, came true %{y:.0%}, of %{customdata:,}<extra>%{fullData.name}</extra>",
        )  # fmt: skip


def error_figure(calibrated: Sequence[float], other: Sequence[float], other_name: str, luck: float, chosen: int, scheme: str) -> go.Figure:
    """The calibration error of the survival by position [γ] each, with what luck alone shows; `chosen` marks the position looked at."""
    figure = canvas("position", "calibration error", scheme, 260)
    places = list(range(1, len(calibrated) + 1))
    figure.add_vline(chosen, line={"color": colour(STOP, scheme), "width": 1, "dash": "dot"})
    line(figure, [places[0], places[-1]], [luck, luck], "by luck alone", STATES["waiting"], scheme, dash="dash", width=1.5)
    for values, name, role, state in ((other, other_name, "other", "refused"), (calibrated, "calibrated", "calibrated", "loaded")):
        symbol, dash = SYMBOLS[role]
        shade = colour(STATES[state], scheme)
        figure.add_scatter(
            x=places, y=list(values), name=name, mode="lines+markers", line={"dash": dash, "width": 2, "color": shade},
            marker={"symbol": symbol, "size": 9, "color": shade, "line": {"width": 2}},
        )  # fmt: skip
    figure.update_xaxes(dtick=1)
    return figure


def cost_figure(
    notches: Mapping[int, Outcome], names: Mapping[int, str], chosen: int, off: float, everything: float, scheme: str
) -> go.Figure:
    """Words per second by notch of the dial: what the chances promise and what really comes, beside no guessing and checking all."""
    figure = canvas("the dial", "words per second", scheme)
    ticks = [names[notch] for notch in notches]
    line(figure, ticks, [off] * len(ticks), "no guessing at all", STATES["waiting"], scheme, dash="dash", width=1.5)
    line(figure, ticks, [everything] * len(ticks), "checking every guess", STATES["left"], scheme, dash="longdashdot", width=1.5)
    line(figure, ticks, [o.promised for o in notches.values()], "promised", STATES["refused"], scheme, dash="dot", width=3)
    shade = colour(STATES["loaded"], scheme)
    figure.add_scatter(
        x=ticks, y=[o.came for o in notches.values()], name="really came", mode="lines+markers", line={"width": 4, "color": shade},
        marker={"symbol": "circle", "size": 9, "color": shade},
        error_y={"type": "data", "array": [LUCK * o.error for o in notches.values()], "color": shade, "thickness": 1, "width": 3},
    )  # fmt: skip
    marks(figure, [names[chosen]], [notches[chosen].came], "the dial now", "octagon", STOP, scheme, size=15)
    figure.update_xaxes(type="category")
    return figure


def lost_figure(leads: Mapping[int, tuple[float, float]], honest: float, names: Mapping[int, str], chosen: int, scheme: str) -> go.Figure:
    """Words per second more or less than with the calibrated chances, in percent, by notch; the chosen notch filled."""
    figure = canvas("the dial", "against the calibrated chances", scheme, 280)
    shade = colour(STATES["loaded"], scheme)
    figure.add_bar(
        x=[names[notch] for notch in leads], y=[gap / honest for gap, _ in leads.values()], name="really came", showlegend=False,
        marker={"color": [shade if notch == chosen else "rgba(0,0,0,0)" for notch in leads], "line": {"color": shade, "width": 2}},
        error_y={"type": "data", "array": [LUCK * error / honest for _, error in leads.values()], "color": figure.layout.font.color},
        hovertemplate="%{x}: %{y:+.1%}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat="+.0%", zeroline=True, zerolinecolor=figure.layout.font.color, rangemode="normal")
    return figure


def sent_figure(notches: Mapping[int, Outcome], names: Mapping[int, str], chosen: int, depth: int, scheme: str) -> go.Figure:
    """Guesses sent per request by notch: the budget."""
    figure = canvas("the dial", "guesses sent per request", scheme, 280)
    ticks, sent = [names[notch] for notch in notches], [outcome.sent for outcome in notches.values()]
    line(figure, ticks, sent, "sent", STATES["own"], scheme, width=3)
    marks(figure, [names[chosen]], [notches[chosen].sent], "the dial now", "octagon", STOP, scheme, size=13)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(type="category")
    figure.update_yaxes(range=[0, depth * 1.05])
    return figure
