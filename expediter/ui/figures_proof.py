"""The chart of Proof: how many times plain decoding, by load. Data in, figure out; every series has a shape of its own."""

import plotly.graph_objects as go

from expediter.core.bars import SCHEDULER, rivals
from expediter.core.bench import Bench
from expediter.ui.canvas import canvas, colour
from expediter.ui.theme import STATES, STOP

LOOKS = {  # name → state, symbol, dash
    SCHEDULER: (STOP, "octagon", "solid"),
    "all": (STATES["behind"], "square", "dash"),
    "best-plan": (STATES["waiting"], "triangle-up-open", "dot"),
    "oracle": (STATES["own"], "star-open", "dot"),
    "generate": (STATES["left"], "x", "longdashdot"),
    "assisted generation": (STATES["passed"], "diamond", "longdashdot"),
}
FIXED = "best fixed length"
NAMES = {SCHEDULER: "expediter", "all": "all drafts", "best-plan": "best plan", "oracle": "clairvoyant"}


def times_plain(bench: Bench) -> dict[str, dict[int, float]]:
    """Every series of the chart, by the reader's name: load → times plain decoding. Needs the policy "off"."""
    found: dict[str, dict[int, float]] = {}
    for load in bench.loads:
        plain = bench.row(load, "off")
        if plain is None:
            continue
        for name in LOOKS:
            peers = [p for p in bench.peers if p.load == load and p.name.startswith(name)]
            one = bench.row(load, name) or max(peers, key=lambda p: p.tokens_per_s, default=None)
            if one is not None:
                found.setdefault(NAMES.get(name, name), {})[load] = one.tokens_per_s / plain.tokens_per_s
        fixed = [row for row in rivals(bench, load) if row.policy.startswith("fixed:")]
        if fixed:
            found.setdefault(FIXED, {})[load] = max(row.tokens_per_s for row in fixed) / plain.tokens_per_s
    return found


def speed_figure(bench: Bench, scheme: str) -> go.Figure:
    """Times plain decoding against load."""
    figure = canvas("requests served at once", "times plain decoding", scheme, height=380)
    looks = {NAMES.get(name, name): look for name, look in LOOKS.items()} | {FIXED: (STATES["loaded"], "triangle-down", "dash")}
    for name, points in times_plain(bench).items():
        state, symbol, dash = looks[name]
        ink = colour(state, scheme)
        strong = name == NAMES[SCHEDULER]
        figure.add_scatter(
            x=list(points), y=list(points.values()), name=name, mode="lines+markers",
            line={"color": ink, "dash": dash, "width": 4 if strong else 1.8},
            marker={"symbol": symbol, "size": 13 if strong else 10, "color": ink, "line": {"width": 2, "color": ink}},
        )  # fmt: skip
    figure.add_hline(y=1, line={"width": 1, "dash": "dot", "color": colour(STATES["waiting"], scheme)})
    figure.update_xaxes(type="log", tickvals=bench.loads, ticktext=[str(load) for load in bench.loads])
    return figure
