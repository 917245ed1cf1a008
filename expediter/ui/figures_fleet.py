"""The charts of the fleet: data in, figure out."""

from collections.abc import Callable, Mapping

import numpy as np
import plotly.graph_objects as go

from expediter.core.simulation import FleetRun
from expediter.ui.canvas import canvas, colour, line
from expediter.ui.durations import duration, ticks
from expediter.ui.fleet_run import Crowd
from expediter.ui.policy_look import look, name
from expediter.ui.theme import STATES

POINTS = 240  # of a drawn day
LEFT = 70  # pixels beside both charts of a day, so that a moment of one stands above the same moment of the other


def budget_figure(crowds: Mapping[str, tuple[Crowd, ...]], scheme: str) -> go.Figure:
    """Words checked per request against the size of the crowd: the budget falls while nobody sets it."""
    return _by_crowd(crowds, ("early-stop", "threshold:0.5", "stale"), lambda crowd: crowd.sent, "words sent per request and step", scheme)


def through_figure(crowds: Mapping[str, tuple[Crowd, ...]], scheme: str) -> go.Figure:
    """Words per second as a multiple of no guessing, against the size of the crowd."""
    off = {crowd.lanes: crowd.words_per_second for crowd in crowds["off"]}
    figure = _by_crowd(crowds, tuple(crowds), lambda crowd: crowd.words_per_second / off[crowd.lanes], "times no guessing", scheme)
    figure.update_yaxes(rangemode="tozero")
    return figure


def crowd_figure(run: FleetRun, scheme: str) -> go.Figure:
    """Requests being served over the day, and those who wait."""
    figure = _over_time("requests", run, scheme)
    line(figure, *_thinned(run, run.active), "being served", STATES["loaded"], scheme, width=3)
    line(figure, *_thinned(run, run.waiting), "waiting", STATES["refused"], scheme, dash="dot")
    return figure


def day_figure(run: FleetRun, scheme: str) -> go.Figure:
    """The words checked per request over the same day."""
    figure = _over_time("words sent each", run, scheme)
    line(figure, *_thinned(run, run.sent / run.active), "the expediter's budget per request", STATES["loaded"], scheme, width=3)
    return figure


def _over_time(title: str, run: FleetRun, scheme: str) -> go.Figure:
    """A chart along a run's clock, whose moments read as durations."""
    figure = canvas("simulated time", title, scheme, 240)
    figure.update_layout(margin_l=LEFT)
    figure.update_yaxes(automargin=False)
    moments = ticks(run.clock[-1])
    figure.update_xaxes(tickvals=moments, ticktext=[duration(moment) for moment in moments])
    return figure


def _by_crowd(crowds: Mapping, policies: tuple[str, ...], value: Callable[[Crowd], float], title: str, scheme: str) -> go.Figure:
    figure = canvas("requests at once", title, scheme, 400)
    sizes = [crowd.lanes for crowd in crowds["off"]]
    for policy in policies:
        style = look(policy)
        shade = colour(style.state, scheme)
        figure.add_scatter(
            x=sizes, y=[value(crowd) for crowd in crowds[policy]], name=name(policy), mode="lines+markers",
            line={"color": shade, "dash": style.dash, "width": style.width},
            marker={"symbol": style.symbol, "size": 9, "color": shade, "line": {"width": 1.5, "color": shade}},
        )  # fmt: skip
    every = 1 if len(sizes) <= 8 else 2
    figure.update_xaxes(type="log", tickvals=sizes[::every], ticktext=[f"{size:,}" for size in sizes[::every]])
    return figure


def _thinned(run: FleetRun, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means over equal numbers of steps, so that a long day is drawn with few points. → [≤ POINTS] each"""
    parts = np.array_split(np.arange(len(values)), min(POINTS, len(values)))
    return np.array([run.clock[part].mean() for part in parts]), np.array([values[part].mean() for part in parts])
