"""A ggplot of marks that have their places and looks already, drawn at once.

Plotnine would train a scale on each column only to leave every value as it is, and
that takes most of the time of a figure. So a canvas hands its layers straight to
matplotlib, mark for mark as plotnine's own geoms do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, IdentityTransform, Transform
from plotnine import ggplot

from analysis.figures.theme import FAMILY

UNIT = float(np.sqrt(np.pi))  # plotnine's sizes are points divided by this
Rows = Sequence[dict[str, Any]]


class Canvas(ggplot):
    """A plot of layers in millimetres from the lower left, y below zero."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.size = (width, height)

    def draw(self, *, show: bool = False) -> Figure:
        """The plot as a matplotlib figure without axes; it is never shown."""
        if show:
            raise ValueError("a canvas is drawn into a file")
        width, height = self.size
        figure = Figure(figsize=(width / 25.4, height / 25.4))
        place = Affine2D().translate(0, height).scale(1 / 25.4)
        for i, layer in enumerate(self.layers):
            name = type(layer.geom).__name__
            for artist in _DRAWN[name](layer._data.to_dicts()):
                transform = place + figure.dpi_scale_trans
                if isinstance(artist, PathCollection):
                    artist.set_offset_transform(transform)
                    transform = IdentityTransform()
                _add(figure, artist, transform, i)
        return figure


def _add(figure: Figure, artist: Artist, transform: Transform, order: int) -> None:
    artist.set_transform(transform)
    artist.set_zorder(order)
    figure.add_artist(artist)


def _rects(rows: Rows) -> list[Artist]:
    """Filled rectangles without an edge."""
    corners = [
        [
            (r["xmin"], r["ymin"]),
            (r["xmin"], r["ymax"]),
            (r["xmax"], r["ymax"]),
            (r["xmax"], r["ymin"]),
        ]
        for r in rows
    ]
    fills = [to_rgba(r["fill"], r["alpha"]) for r in rows]
    return [PolyCollection(corners, facecolors=fills, edgecolors="none")]


def _segments(rows: Rows) -> list[Artist]:
    """Lines of one type from start to end."""
    ends = [((r["x"], r["y"]), (r["xend"], r["yend"])) for r in rows]
    return [_lines(ends, rows, rows[0]["linetype"])]


def _paths(rows: Rows) -> list[Artist]:
    """Lines through several places, a group each."""
    groups: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    places = [[(r["x"], r["y"]) for r in group] for group in groups.values()]
    return [_lines(places, [group[0] for group in groups.values()], "solid")]


def _lines(places: Sequence[Any], rows: Rows, linetype: str) -> LineCollection:
    return LineCollection(
        places,
        colors=[to_rgba(r["color"], r["alpha"]) for r in rows],
        linewidths=[r["size"] * UNIT for r in rows],
        linestyles=linetype,
        capstyle="butt",
    )


def _points(rows: Rows) -> list[Artist]:
    """Marks, in their order: those of one shape that follow each other at once."""
    runs: list[list[dict[str, Any]]] = []
    for row in rows:
        if not runs or runs[-1][0]["shape"] != row["shape"]:
            runs.append([])
        runs[-1].append(row)
    return [_marks(run) for run in runs]


def _marks(rows: Rows) -> PathCollection:
    marker = MarkerStyle(rows[0]["shape"])
    path = marker.get_path().transformed(marker.get_transform())
    return PathCollection(
        [path],
        sizes=[np.pi * (r["size"] + r["stroke"]) ** 2 for r in rows],
        offsets=[(r["x"], r["y"]) for r in rows],
        facecolors=[to_rgba(r["fill"], r["alpha"]) for r in rows],
        edgecolors=[to_rgba(r["color"], r["alpha"]) for r in rows],
        linewidths=[r["stroke"] * UNIT for r in rows],
    )


def _texts(rows: Rows) -> list[Artist]:
    """Labels that stand on their baseline."""
    return [
        Text(
            r["x"],
            r["y"],
            r["label"],
            color=r["color"],
            fontsize=r["size"],
            fontweight=r["fontweight"],
            fontfamily=FAMILY,
            horizontalalignment=r["ha"],
            verticalalignment="baseline",
        )
        for r in rows
    ]


_DRAWN: dict[str, Callable[[Rows], list[Artist]]] = {
    "geom_rect": _rects,
    "geom_segment": _segments,
    "geom_path": _paths,
    "geom_point": _points,
    "geom_text": _texts,
}
