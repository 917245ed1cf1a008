"""The chart of Proof: how many times plain decoding, by load. Data in, figure out; policies look here as they look everywhere."""

import plotly.graph_objects as go

from expediter.core.bars import SCHEDULER, rivals
from expediter.core.bench import Bench
from expediter.ui.canvas import canvas, colour
from expediter.ui.policy_look import BEST, Look, look
from expediter.ui.theme import STATES

LOOKS = {
    SCHEDULER: look(SCHEDULER),
    "all": look("all"),
    "best-plan": Look("best plan", STATES["waiting"], "dot", "triangle-up-open"),
    "oracle": Look("clairvoyant", STATES["behind"], "dot", "star-open"),
    "generate": Look("generate", STATES["left"], "longdashdot", "cross"),
    "assisted generation": Look("assisted generation", STATES["passed"], "longdashdot", "hexagon"),
}
FIXED = look(BEST)


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
                found.setdefault(LOOKS[name].name, {})[load] = one.tokens_per_s / plain.tokens_per_s
        fixed = [row for row in rivals(bench, load) if row.policy.startswith("fixed:")]
        if fixed:
            found.setdefault(FIXED.name, {})[load] = max(row.tokens_per_s for row in fixed) / plain.tokens_per_s
    return found


def speed_figure(bench: Bench, scheme: str) -> go.Figure:
    """Times plain decoding against load."""
    figure = canvas("requests served at once", "times plain decoding", scheme, height=380)
    looks = {one.name: one for one in (*LOOKS.values(), FIXED)}
    for name, points in times_plain(bench).items():
        one = looks[name]
        ink = colour(one.state, scheme)
        figure.add_scatter(
            x=list(points), y=list(points.values()), name=name, mode="lines+markers",
            line={"color": ink, "dash": one.dash, "width": one.width},
            marker={"symbol": one.symbol, "size": 10, "color": ink, "line": {"width": 2, "color": ink}},
        )  # fmt: skip
    figure.add_hline(y=1, line={"width": 1, "dash": "dot", "color": colour(STATES["waiting"], scheme)})
    figure.update_xaxes(type="log", tickvals=bench.loads, ticktext=[str(load) for load in bench.loads])
    return figure
