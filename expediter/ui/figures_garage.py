"""The charts of the Garage: data in, figure out. A pair keeps its colour, mark and dash in all of them."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from expediter.core.figures import Figures
from expediter.ui.canvas import canvas, colour
from expediter.ui.theme import STATES

SHADES = tuple(STATES[name] for name in ("loaded", "own", "behind", "refused", "waiting", "passed", "left"))
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "triangle-down", "cross", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
MARKS = 8  # on a long line

Line = tuple[Sequence[float], Sequence[float]]  # x and y


def look(index: int, scheme: str) -> tuple[str, str, str]:
    """Colour, mark and dash of the pair at this place in the list. The three repeat together only after 280 pairs."""
    return colour(SHADES[index % len(SHADES)], scheme), SYMBOLS[index % len(SYMBOLS)], DASHES[index % len(DASHES)]


def lines_figure(lines: Mapping[str, Line], chosen: str, x: str, y: str, scheme: str, plain: Line | None = None) -> go.Figure:
    """One line a pair, the chosen one thicker, a few marks on each. plain: the chosen pair's without guessing, thin."""
    figure = canvas(x, y, scheme, height=340)
    for index, (name, (at, values)) in enumerate(lines.items()):
        _line(figure, name, at, values, index, name == chosen, scheme)
        if plain is not None and name == chosen:
            ink = look(index, scheme)[0]
            figure.add_scatter(
                x=plain[0], y=plain[1], name=f"{name}, no guessing", mode="lines", line={"color": ink, "dash": "dot", "width": 1.5}
            )
    figure.update_layout(showlegend=True)
    return figure


def passing_figure(figures: Mapping[str, Figures], names: Sequence[str], chosen: str, scheme: str) -> go.Figure:
    """Conditional acceptance by position. names: all pairs in the order of the other charts, so that each keeps its look."""
    figure = canvas("position in the block", "passed, if all before it did", scheme, height=340)
    order = {name: index for index, name in enumerate(names)}
    for name, found in figures.items():
        index = order.setdefault(name, len(order))
        _line(
            figure,
            name,
            list(range(1, len(found.acceptance) + 1)),
            found.acceptance,
            index,
            name == chosen,
            scheme,
            "position %{x}: %{y:.0%}",
        )
    figure.update_layout(showlegend=True)
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def _line(figure: go.Figure, name: str, x, y, index: int, thick: bool, scheme: str, said: str = "%{x}: %{y:,.1f}") -> None:
    ink, symbol, dash = look(index, scheme)
    figure.add_scatter(
        x=x, y=y, name=name, mode="lines+markers", line={"color": ink, "dash": dash, "width": 4 if thick else 2},
        marker={"color": ink, "symbol": symbol, "size": 11 if thick else 8, "maxdisplayed": MARKS, "opacity": 1, "line": {"width": 0}},
        hovertemplate=said + "<extra>%{fullData.name}</extra>",
    )  # fmt: skip
