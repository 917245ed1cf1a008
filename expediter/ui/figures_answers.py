"""The charts of Same answer: data in, figure out. Every line and mark differs in shape as well as in colour."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from expediter.core.counterexample import Counterexample
from expediter.core.first_two import Sampling
from expediter.core.goodness import ALPHA
from expediter.core.policy import Policy
from expediter.ui.answer_words import SMALLEST, pair_label
from expediter.ui.canvas import INK, canvas, colour, line, marks
from expediter.ui.theme import STATES, STOP

SHOWN = 12  # pairs of words that get a bar


def trail_figure(run: Sampling, scheme: str) -> go.Figure:
    """The p-value after so many samples, the limit, and the sample size at which the verdict falls."""
    figure = canvas("samples", "p-value", scheme, height=300)
    line(figure, [0, run.planned], [ALPHA, ALPHA], f"limit: {ALPHA:g}", STATES["waiting"], scheme, dash="dash", width=2)
    line(figure, [run.planned] * 2, [SMALLEST, 1], "here the verdict falls", STOP, scheme, dash="dot", width=2)
    drawn, p = [n for n, _ in run.trail], [max(value, SMALLEST) for _, value in run.trail]
    line(figure, drawn, p, "running p-value, no verdict", STATES["left"], scheme, width=2)
    if run.complete and run.trail:
        marks(figure, drawn[-1:], p[-1:], "verdict", "octagon", STOP, scheme, size=13)
    figure.update_xaxes(range=[0, 1.03 * run.planned])
    figure.update_yaxes(type="log", range=[np.log10(SMALLEST) - 0.2, 0.15], rangemode="normal")
    powers = [0.1**k for k in range(7)]
    figure.update_yaxes(tickvals=powers, ticktext=[f"{value:.6f}".rstrip("0").rstrip(".") for value in powers])
    return figure


def cells_figure(run: Sampling, scheme: str) -> go.Figure:
    """How often the likeliest pairs of first words came, beside how often they should."""
    shown = [*range(min(SHOWN, len(run.joint.tokens))), len(run.joint.tokens)]
    labels = _told_apart([escape(pair_label(run.joint, run.words, k)) for k in shown])
    p, samples = run.joint.p[shown], max(run.drawn, 1)
    spread = 1.96 * np.sqrt(p * (1 - p) / samples)
    figure = canvas("share of the answers", "", scheme, height=120 + 26 * len(shown))
    figure.add_bar(
        x=run.counts[shown] / samples, y=labels, orientation="h", name="counted", width=0.6,
        marker={"color": colour(STATES["loaded"], scheme), "opacity": 0.75},
    )  # fmt: skip
    figure.add_scatter(
        x=p, y=labels, mode="markers", name="expected, with what chance allows", error_x={"array": spread, "color": INK[scheme]},
        marker={"symbol": "diamond-open", "size": 10, "color": INK[scheme], "line": {"width": 2}},
    )  # fmt: skip
    figure.update_xaxes(tickformat=".0%", rangemode="tozero")
    figure.update_yaxes(autorange="reversed", title=None)
    return figure


def bent_figure(case: Counterexample, policy: Policy, counts: np.ndarray, names: dict[str, str], scheme: str) -> go.Figure:
    """A and B as the target wants them, as they are delivered exactly, and as drawn. counts [2]"""
    figure = canvas("", "how often", scheme, height=280)
    exact, drawn = case.delivered(policy), counts / max(counts.sum(), 1)
    bars = {"target": (case.target, "own", ""), "exact": (exact, "refused" if case.shift(policy) > 1e-9 else "loaded", "/")}
    for name, (values, state, pattern) in {**bars, "sampled": (drawn, "waiting", ".")}.items():
        figure.add_bar(
            x=["A", "B"], y=values, name=names[name], text=[f"{value:.2f}" for value in values], textposition="outside",
            textfont={"color": INK[scheme]}, cliponaxis=False,
            marker={"color": colour(STATES[state], scheme), "pattern": {"shape": pattern, "fillmode": "overlay", "solidity": 0.2}},
        )  # fmt: skip
    figure.update_layout(barmode="group")
    figure.update_yaxes(range=[0, 1.08], tickformat=".1f")
    return figure


def _told_apart(labels: list[str]) -> list[str]:
    """Labels that look alike would share one bar: each later one gets spaces of no width."""
    return [label + "&#8203;" * labels[:k].count(label) for k, label in enumerate(labels)]
