"""The charts of Rush hour's sweep: data in, figure out. Every policy has a mark and a dash besides its colour."""

from collections.abc import Callable
from math import log10

import plotly.graph_objects as go

from expediter.core.sweep import Point, Sweep
from expediter.ui.canvas import canvas, colour, line
from expediter.ui.policy_look import BEST, look, name, ordered
from expediter.ui.theme import STATES, STOP

LOAD = "requests at once"
Lines = dict[str, tuple[Point, ...]]  # by policy


def lines(sweep: Sweep) -> Lines:
    """What the charts compare: every policy, and of the limits by hand only the best one at each load."""
    kept = [policy for policy in sweep.policies if not policy.startswith("fixed:")]
    best = {BEST: sweep.best_fixed()} if sweep.best_fixed() else {}
    every = {policy: sweep.line(policy) for policy in kept} | best
    return {policy: every[policy] for policy in ordered(list(every))}


def rate_figure(sweep: Sweep, crossing: int | None, scheme: str) -> go.Figure:
    """Words per second against load, with bars from the slowest to the fastest round, and the load where "all" falls below "off"."""
    figure = _figure(LOAD, "words per second", sweep, scheme, 380)
    for policy, points in lines(sweep).items():
        rates = [point.words_per_second for point in points]
        bars = {
            "type": "data", "symmetric": False, "thickness": 1, "width": 3, "color": colour(look(policy).state, scheme),
            "array": [max(p.high - p.words_per_second, 0) for p in points],
            "arrayminus": [max(p.words_per_second - p.low, 0) for p in points],
        }  # fmt: skip
        _policy(figure, policy, [p.load for p in points], rates, scheme, [_limit(p, policy) for p in points], error_y=bars)
    if crossing is not None:
        red = colour(STOP, scheme)
        figure.add_vline(x=crossing, line={"color": red, "width": 1.5, "dash": "dot"})
        right = crossing < sweep.loads[-1]
        figure.add_annotation(
            x=_log(crossing), y=1, yref="paper", text="every word checked:<br>slower than no guessing", showarrow=False, yanchor="top",
            xanchor="left" if right and crossing <= sweep.loads[len(sweep.loads) // 2] else "right", font={"color": red, "size": 11},
        )  # fmt: skip
    figure.update_yaxes(type="log", rangemode="normal", dtick="D2", tickformat=",.0f")
    return figure


def ratio_figure(sweep: Sweep, crossing: int | None, scheme: str) -> go.Figure:
    """The same, as a multiple of what no guessing brings at that load."""
    off = {point.load: point.words_per_second for point in sweep.line("off")}
    figure = _figure(LOAD, "times no guessing", sweep, scheme, 380)
    line(figure, list(sweep.loads), [1.0] * len(sweep.loads), name("off"), STATES["waiting"], scheme, dash="dash")
    for policy, points in lines(sweep).items():
        if policy != "off":
            times = [point.words_per_second / off[point.load] for point in points]
            _policy(figure, policy, [p.load for p in points], times, scheme, [_limit(p, policy) for p in points])
    if crossing is not None:
        figure.add_vline(x=crossing, line={"color": colour(STOP, scheme), "width": 1.5, "dash": "dot"})
    return figure


def sent_figure(sweep: Sweep, scheme: str) -> go.Figure:
    """Words sent per request against load."""
    return _against_load(sweep, "words sent per request and step", lambda point: point.sent, scheme, without=("off",))


def wasted_figure(sweep: Sweep, scheme: str) -> go.Figure:
    """Share of the checked words that did not pass, against load, in percent."""
    figure = _against_load(sweep, "checked in vain, %", lambda point: 100 * point.wasted, scheme, without=("off",))
    figure.update_yaxes(range=[0, 100])
    return figure


def frontier_figure(sweep: Sweep, scheme: str) -> go.Figure:
    """What one user feels against what the server brings: one line a policy, one point a load."""
    figure = _figure("words per second that one user gets", "words per second of the whole server", sweep, scheme, 420)
    drawn = list(enumerate(lines(sweep).items()))
    for rank, (policy, points) in reversed(drawn):  # the expediter on top: its marks carry the loads
        labels = [str(p.load) if policy == "early-stop" else "" for p in points]
        rates = [point.words_per_second for point in points]
        said = [_at(p, policy) for p in points]
        _policy(figure, policy, [p.felt for p in points], rates, scheme, said, labels, legendrank=rank)
    figure.update_xaxes(type="log", tickvals=None, ticktext=None, dtick="D2", tickformat="~g", autorange=True)
    return figure


def _against_load(sweep: Sweep, title: str, value: Callable[[Point], float], scheme: str, without: tuple[str, ...] = ()) -> go.Figure:
    figure = _figure(LOAD, title, sweep, scheme, 300)
    for policy, points in lines(sweep).items():
        if policy not in without:
            _policy(figure, policy, [p.load for p in points], [value(p) for p in points], scheme, [_limit(p, policy) for p in points])
    return figure


def _figure(x: str, y: str, sweep: Sweep, scheme: str, height: int) -> go.Figure:
    """A chart with the loads on a doubling axis."""
    figure = canvas(x, y, scheme, height)
    low, high = _log(sweep.loads[0]), _log(sweep.loads[-1])
    room = max(0.04 * (high - low), 0.05)
    figure.update_xaxes(type="log", tickvals=list(sweep.loads), ticktext=[str(r) for r in sweep.loads], range=[low - room, high + room])
    return figure


def _policy(
    figure: go.Figure, policy: str, x: list, y: list, scheme: str, said: list[str], labels: list[str] | None = None, **more
) -> None:
    """One policy's line with its marks; `said` is told on hovering, `labels` stand beside the marks."""
    style = look(policy)
    shade = colour(style.state, scheme)
    figure.add_scatter(
        x=x, y=y, name=name(policy), mode="lines+markers+text" if labels else "lines+markers", text=labels, textposition="top right",
        line={"color": shade, "dash": style.dash, "width": style.width}, hovertext=said, hoverinfo="text",
        marker={"symbol": style.symbol, "size": 10, "color": shade, "line": {"width": 1.5, "color": shade}}, **more,
    )  # fmt: skip


def _at(point: Point, policy: str) -> str:
    return f"{_limit(point, policy)}<br>{point.load} at once"


def _limit(point: Point, policy: str) -> str:
    """What a mark says: whose it is, how fast, and which limit it stands for."""
    which = f" ({name(point.policy)})" if policy == BEST else ""
    return f"{name(policy)}{which}: {point.words_per_second:,.0f} words per second, {point.sent:.1f} sent each"


def _log(load: float) -> float:
    """Where a load lies on the logarithmic axis, as annotations and ranges want it."""
    return log10(load)
