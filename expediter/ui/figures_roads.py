"""The charts of Bumpy roads: data in, figure out. Every line and mark differs in shape as well as in colour."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from expediter.core.curve import Curve
from expediter.core.plan import Plan
from expediter.core.step_rate import LOOKUPS, StepRate
from expediter.ui.canvas import canvas, colour, line, marks
from expediter.ui.theme import STATES, STOP

DASHES = {"interp": "dash", "ceil": "longdashdot", "floor": "dot"}
NAMES = {"interp": "straight line between sizes", "ceil": "next larger size", "floor": "next smaller size"}
SAMPLES = 300  # points of a drawn curve
FEW = 12  # batch sizes that each get a mark on the axis


def speed_figure(table: StepRate, reach: tuple[int, int], scheme: str, raw: Curve | None = None, fit: StepRate | None = None) -> go.Figure:
    """Steps per second against batch size: a table by its own lookup (solid) and others, and a machine's points with their fit.

    reach: the batch with nothing and with everything loaded; raw and fit: a measured machine, T_rest included, drafting not.
    """
    figure = canvas("batch size, words", "steps per second", scheme)
    low, high = min(reach[0], int(table.batch[0])), max(reach[1], min(int(table.batch[-1]), 8 * reach[1]))
    corners = np.concatenate([table.batch - 1, table.batch, table.batch + 1])  # stairs stand upright
    batch = np.unique(np.concatenate([np.geomspace(low, high, SAMPLES).round().astype(int), corners]))
    batch = batch[(batch >= low) & (batch <= high)]
    figure.add_vrect(*reach, fillcolor=colour(STATES["waiting"], scheme), opacity=0.12, line_width=0)
    if raw is not None:
        _points(figure, raw, scheme)
    if fit is not None:
        inside = batch[(batch >= fit.batch[0]) & (batch <= fit.batch[-1])]
        line(figure, inside, 1 / fit.verify_seconds(inside), "fit that the scheduler uses", STATES["loaded"], scheme, width=3)
    if fit is not table:
        for lookup in (name for name in LOOKUPS if name != table.lookup):
            other = StepRate(table.batch, table.seconds, lookup)
            line(figure, batch, 1 / other.verify_seconds(batch), NAMES[lookup], STATES["left"], scheme, dash=DASHES[lookup], width=1.5)
        line(figure, batch, 1 / table.verify_seconds(batch), f"table, {NAMES[table.lookup]}", STATES["own"], scheme, width=3)
        sizes = table.batch[(table.batch >= low) & (table.batch <= high)]
        marks(figure, sizes, 1 / table.verify_seconds(sizes), "sizes in the table", "diamond", STATES["own"], scheme)
    figure.update_xaxes(type="log", range=[np.log10(max(low, 1) * 0.93), np.log10(high * 1.07)], tickvals=_ticks(low, high))
    return figure


def score_figure(plans: Mapping[str, Plan], scheme: str) -> go.Figure:
    """Θ along the admission order, with the stop of every plan that watches it. Needs "early-stop", "global" and "off"."""
    early = plans["early-stop"]
    requests = len(early.lengths)
    batch = requests + np.arange(len(early.path))
    figure = canvas("batch size, words", "expected words per second", scheme)
    walked, beyond = slice(0, early.stop + 1), slice(early.stop, None)
    line(figure, batch[beyond], early.path[beyond], "what if loading had gone on", STATES["left"], scheme, dash="dot", width=2)
    line(figure, batch[walked], early.path[walked], "score while loading", STATES["loaded"], scheme, width=4)
    line(figure, batch[[0, -1]], [early.theta_off] * 2, "no guessing at all", STATES["waiting"], scheme, dash="dash", width=1.5)
    marks(figure, [requests + early.stop], [early.theta], "expediter stops here", "octagon", STOP, scheme, size=15)
    best = plans["global"]
    marks(figure, [requests + best.stop], [best.theta], "highest point anywhere", "star-open", STATES["behind"], scheme, size=17)
    if "stale" in plans:
        stale = plans["stale"]
        name = "budget, cold start" if stale.cold else "budget from earlier steps"
        marks(figure, [requests + stale.stop], [stale.theta], name, "triangle-up-open", STATES["own"], scheme, size=15)
    if len(batch) <= FEW:
        figure.update_xaxes(dtick=1)  # there is no batch of one word and a half
    return figure


def lag_figure(budgets: Mapping[str, Plan], early: Plan, scheme: str) -> go.Figure:
    """Θ that a budget of each age reaches on the same step, beside what early stop reaches. Keys are the ages in words."""
    figure = canvas("age of the budget, steps", "expected words per second", scheme)
    ages, thetas = list(budgets), [plan.theta for plan in budgets.values()]
    line(figure, ages, [early.theta] * len(ages), "expediter, no budget", STOP, scheme, dash="dash", width=2)
    sent = [f"{plan.stop} sent" for plan in budgets.values()]
    figure.add_scatter(
        x=ages, y=thetas, text=sent, textposition="top center", mode="markers+text", name="budget of this age",
        marker={"symbol": "triangle-up", "size": 14, "color": colour(STATES["own"], scheme)},
    )  # fmt: skip
    figure.update_xaxes(type="category")
    figure.update_yaxes(range=[0, 1.15 * max(*thetas, early.theta)])  # room for what is written above the marks
    return figure


def _points(figure: go.Figure, raw: Curve, scheme: str) -> None:
    """Medians as points, quartiles as bars, both turned into rates."""
    median, low, high = (np.array(values) for values in (raw.median, raw.low, raw.high))
    quiet = colour(STATES["waiting"], scheme)
    figure.add_scatter(
        x=raw.batch, y=1 / median, mode="markers", name="measured, with noise",
        marker={"symbol": "circle-open", "size": 8, "color": quiet},
        error_y={"type": "data", "symmetric": False, "array": 1 / low - 1 / median, "arrayminus": 1 / median - 1 / high, "color": quiet},
    )  # fmt: skip


def _ticks(low: int, high: int) -> list[int]:
    """Powers of two inside the range: the sizes that people measure."""
    return [1 << power for power in range(31) if low <= 1 << power <= high]
