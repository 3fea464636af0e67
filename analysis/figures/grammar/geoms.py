"""Geoms that plotnine lacks: words in columns, intervals, bars with an origin, a grid.

A row of a figure is placed by ``y``; heights are in millimetres, as its scale is.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from plotnine.coords.coord import coord
from plotnine.geoms.geom import geom
from plotnine.iapi import panel_view

from analysis.figures.page import FAMILY, NORMAL, drop
from analysis.figures.palette import BAND, GRID, GROUND, INK, RULE

_PARAMS = {"stat": "identity", "position": "identity", "na_rm": False}


class _PanelGeom(geom):
    """A geom that draws a panel at once, whatever its groups are."""

    DEFAULT_PARAMS = _PARAMS

    def handle_na(self, data: Any) -> Any:
        """Rows stay whole: what has no interval has a mark."""
        return data

    def draw_panel(
        self, data: Any, panel_params: panel_view, coord: coord, ax: Axes
    ) -> None:
        """All rows of a panel in one call of ``draw_group``."""
        self.draw_group(data, panel_params, coord, ax, self.params)


class geom_words(_PanelGeom):
    """Labels in columns: ``place`` is a share of the panel's width, ``y`` a height.

    The digits of a label centre on ``y``, which is in mm; where it is anything else,
    labels are not ``level`` to a hair. ``url`` makes a label a link.
    """

    DEFAULT_PARAMS = _PARAMS | {"level": True}
    REQUIRED_AES = {"y", "label", "place"}
    DEFAULT_AES = {
        "color": INK,
        "size": 9.2,
        "fontweight": NORMAL,
        "ha": "left",
        "url": "",
    }

    @staticmethod
    def draw_group(
        data: Any,
        panel_params: panel_view,
        coord: coord,
        ax: Axes,
        params: dict[str, Any],
    ) -> None:
        """A text for each row; it may reach out of its panel."""
        across, level = ax.get_yaxis_transform(), params["level"]
        for row in data.to_dict("records"):
            if not row["label"]:  # a row that only makes the panel reach so far
                continue
            ax.text(
                row["place"],
                row["y"] - (drop(row["size"]) if level else 0.0),
                row["label"],
                transform=across,
                color=row["color"],
                fontsize=row["size"],
                fontweight=int(row["fontweight"]),
                fontfamily=FAMILY,
                ha=row["ha"],
                va="baseline" if level else "center_baseline",
                url=row["url"] or None,
                zorder=params["zorder"],
            )


class geom_interval(_PanelGeom):
    """An interval as a thick line behind a small mark at ``x``, if there is one.

    One that is ``capped`` is thin and has ends.
    """

    REQUIRED_AES = {"xmin", "xmax", "y"}
    DEFAULT_AES = {"x": None, "capped": False}
    DEFAULT_PARAMS = _PARAMS | {"width": 2.2, "mark": 3.3}  # points

    @staticmethod
    def draw_group(
        data: Any,
        panel_params: panel_view,
        coord: coord,
        ax: Axes,
        params: dict[str, Any],
    ) -> None:
        """Lines with their ends, then marks with the ground inside."""
        data = coord.transform(data, panel_params)
        lines: dict[bool, list[list[tuple[float, float]]]] = {False: [], True: []}
        for row in data.to_dict("records"):
            y, ends = row["y"], (row["xmin"], row["xmax"])
            if ends[0] != ends[0] or ends[1] != ends[1]:
                continue
            capped = bool(row["capped"])
            lines[capped].append([(x, y) for x in ends])
            if capped:
                lines[capped] += [[(x, y - 1.0), (x, y + 1.0)] for x in ends]
        for capped, places in lines.items():
            if places:
                width = 1.0 if capped else params["width"]
                drawn = LineCollection(places, colors=INK, linewidths=width)
                drawn.set_zorder(params["zorder"])
                ax.add_collection(drawn, autolim=False)
        if "x" in data.columns and params["mark"]:
            ax.scatter(
                data["x"], data["y"], s=params["mark"] ** 2, marker="o",
                facecolors=GROUND, edgecolors=INK, linewidths=0.8,
                zorder=params["zorder"] + 0.1,
            )  # fmt: skip


class geom_origin(_PanelGeom):
    """Bars filled by origin: solid, dotted, hatched, or an empty edge.

    The drawing names each bar by its ``look``, and the SVG gives it a pattern.
    """

    REQUIRED_AES = {"xmin", "xmax", "ymin", "ymax"}
    DEFAULT_AES = {"fill": INK, "look": "measured"}

    @staticmethod
    def draw_group(
        data: Any,
        panel_params: panel_view,
        coord: coord,
        ax: Axes,
        params: dict[str, Any],
    ) -> None:
        """A collection for each origin and colour."""
        data = coord.transform(data, panel_params)
        for (look, fill), rows in data.groupby(["look", "fill"], sort=False):
            ends = rows[["xmin", "xmax", "ymin", "ymax"]].to_numpy().tolist()
            bars = PolyCollection(
                [[(a, c), (a, d), (b, d), (b, c)] for a, b, c, d in ends],
                facecolors=fill,
                edgecolors=fill,
                linewidths=0.0 if look == "measured" else 0.7,
                linestyles=(0, (3, 2)) if look == "modelled" else "solid",
                zorder=params["zorder"],
            )
            bars.set_gid(f"origin-{look}")
            ax.add_collection(bars)


class geom_ground(_PanelGeom):
    """The ground of rows: a limit shaded, a hairline at each break, a line at zero.

    ``x`` to ``xend`` is the limit and ``xintercept`` the zero of each row, from
    ``ymin`` to ``ymax``; ``xmin`` and ``xmax`` are what the axis reaches at least.
    """

    REQUIRED_AES = {"ymin", "ymax"}
    DEFAULT_AES = dict.fromkeys(("x", "xend", "xintercept", "xmin", "xmax"))

    @staticmethod
    def draw_group(
        data: Any,
        panel_params: panel_view,
        coord: coord,
        ax: Axes,
        params: dict[str, Any],
    ) -> None:
        """The breaks are those of the panel's own scale."""
        data = coord.transform(data, panel_params)
        rows = data.to_dict("records")
        bands = [
            [(r["x"], y) for y in (r["ymin"], r["ymax"])]
            + [(r["xend"], y) for y in (r["ymax"], r["ymin"])]
            for r in rows
            if r.get("x") is not None and r["x"] == r["x"]
        ]
        if bands:
            shade = PolyCollection(bands, facecolors=BAND, edgecolors="none")
            shade.set_zorder(params["zorder"])
            ax.add_collection(shade, autolim=False)
        heights = dict.fromkeys((r["ymin"], r["ymax"]) for r in rows)
        breaks = [x for x in panel_params.x.breaks if x == x]
        grid = [[(x, low), (x, high)] for low, high in heights for x in breaks]
        zero = [
            [(r["xintercept"], r["ymin"]), (r["xintercept"], r["ymax"])]
            for r in rows
            if r.get("xintercept") is not None
        ]
        for lines, color, width in ((grid, GRID, 0.5), (zero, INK, 1.0)):
            drawn = LineCollection(lines, colors=color, linewidths=width)
            drawn.set_zorder(params["zorder"])
            ax.add_collection(drawn, autolim=False)


class geom_rule(_PanelGeom):
    """A hairline across a panel and what stands beside it.

    ``before`` and ``after`` are shares of the panel by which it begins and ends beyond;
    ``ymin`` and ``ymax`` are what the panel reaches at least.
    """

    REQUIRED_AES = {"y"}
    DEFAULT_AES = {"color": RULE}
    DEFAULT_PARAMS = _PARAMS | {"before": 0.0, "after": 0.0}

    @staticmethod
    def draw_group(
        data: Any,
        panel_params: panel_view,
        coord: coord,
        ax: Axes,
        params: dict[str, Any],
    ) -> None:
        """A line for each row."""
        ends = (-params["before"], 1 + params["after"])
        rules = LineCollection(
            [[(x, y) for x in ends] for y in data["y"]],
            colors=RULE,
            linewidths=0.6,
            transform=ax.get_yaxis_transform(),
        )
        ax.add_collection(rules, autolim=False)
