"""The empty chart that every figure begins with, and the few strokes that all of them draw. Data in, plotly out; no session state.

pandas is imported here, whole, before any figure is drawn: plotly looks into it as soon as another thread has begun to import it.
"""

import pandas  # noqa: F401
import plotly.graph_objects as go

from expediter.ui.theme import State

INK = {"light": "#0f1720", "dark": "#f2efe9"}


def canvas(x: str, y: str, scheme: str, height: int = 340) -> go.Figure:
    """A chart with these axis titles in the page's ink, on the page's own ground, without zoom."""
    figure, ink = go.Figure(), INK[scheme]
    figure.update_layout(
        height=height, margin={"l": 10, "r": 10, "t": 10, "b": 10}, font={"color": ink, "size": 13}, hovermode="closest",
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "font": {"color": ink, "size": 12}},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip
    figure.update_xaxes(title={"text": x, "font": {"color": ink}}, tickfont={"color": ink}, fixedrange=True, showgrid=False)
    figure.update_yaxes(title={"text": y, "font": {"color": ink}}, tickfont={"color": ink}, fixedrange=True, rangemode="tozero")
    return figure


def line(figure: go.Figure, x, y, name: str, state: State, scheme: str, *, dash: str = "solid", width: float = 2) -> None:
    """A line without marks."""
    figure.add_scatter(x=x, y=y, mode="lines", name=name, line={"dash": dash, "width": width, "color": colour(state, scheme)})


def marks(figure: go.Figure, x, y, name: str, symbol: str, state: State, scheme: str, *, size: int = 9) -> None:
    """Marks without a line."""
    marker = {"symbol": symbol, "size": size, "color": colour(state, scheme), "line": {"width": 2, "color": colour(state, scheme)}}
    figure.add_scatter(x=x, y=y, mode="markers", name=name, marker=marker)


def colour(state: State, scheme: str) -> str:
    """A state's colour on a page of this scheme."""
    return state.dark if scheme == "dark" else state.light
