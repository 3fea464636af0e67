"""Marks of rows: bars that show their origin, intervals, dots, grids and limits.

A row is placed by ``y``; heights are in millimetres, as its panel is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from plotnine import aes, geom_errorbarh, geom_point, geom_rect, geom_segment
from plotnine.coords.coord import coord
from plotnine.geoms.geom import geom
from plotnine.iapi import panel_view

from analysis.figures.grammar.rows import STATED, Heading, RowTable, WordColumn
from analysis.figures.grammar.scales import is_ratio, ratio_trans, scale_change
from analysis.figures.page import (
    BAND,
    BOLD,
    GRID,
    GROUND,
    INK,
    QUIET,
    SOFT,
    VERDICT_COLOURS,
)
from analysis.figures.select import groups, only
from analysis.figures.setting import Setting
from analysis.figures.svg import ORIGIN
from analysis.figures.words import panel_name, range_text, unit_and_better

POINTS = 0.5642  # of plotnine's size of a line, which is one point
_ALIKE = 4.0  # metrics whose extents differ by more than this have axes of their own
_SEEN = 0.02  # of an axis, from which on a limit shows beside the line of zero
_REACH = 2.0  # of the limit, that an axis shows at least
_ABOVE = 1.4  # mm from the middle of a row to the line of its dots
DOT = 1.7  # mm
_STRAY = 2.4  # mm that dots may lie off their line before they overlap
_CORNERS = (("x", "ymin"), ("x", "ymax"), ("xend", "ymax"), ("xend", "ymin"))
Ends = dict[int, tuple[float, float]]


class geom_origin(geom_rect):
    """Bars filled by origin, their ``look``: solid, dotted, hatched, or an empty edge.

    The drawing names each bar by its look, and the SVG gives it a pattern.
    """

    DEFAULT_AES = geom_rect.DEFAULT_AES | {"look": "measured"}

    def draw_panel(
        self, data: Any, panel_params: panel_view, coord: coord, ax: Axes
    ) -> None:
        """A collection for each origin."""
        for look, rows in data.groupby("look", sort=False):
            edge = {"color": rows["fill"], "size": 0.7 * POINTS}
            if look == "measured":
                edge = {"color": None, "size": 0.0}
            line = "dashed" if look == "modelled" else "solid"
            drawn = rows.assign(linetype=line, **edge)
            super().draw_panel(drawn, panel_params, coord, ax)
            ax.collections[-1].set_gid(f"{ORIGIN}{look}")


class geom_ground(geom):
    """The ground of rows: a limit shaded, a hairline at each break, a line at zero.

    ``x`` to ``xend`` is the limit and ``xintercept`` the zero of each row, from
    ``ymin`` to ``ymax``; ``xmin`` and ``xmax`` are what the axis reaches at least.
    Between rows, where words may stand, is nothing: so no grid of a theme does.
    """

    REQUIRED_AES = {"ymin", "ymax"}
    DEFAULT_AES = dict.fromkeys(("x", "xend", "xintercept", "xmin", "xmax"))
    DEFAULT_PARAMS = {"stat": "identity", "position": "identity", "na_rm": True}

    def draw_panel(
        self, data: Any, panel_params: panel_view, coord: coord, ax: Axes
    ) -> None:
        """The breaks are those of the panel's own scale."""
        rows = coord.transform(data, panel_params).to_dict("records")
        known = {n: [r for r in rows if r.get(n) == r.get(n) is not None] for n in data}
        bands = [[(r[x], r[y]) for x, y in _CORNERS] for r in known.get("x", [])]
        ax.add_collection(PolyCollection(bands, facecolors=BAND, edgecolors="none"))
        heights = dict.fromkeys((r["ymin"], r["ymax"]) for r in rows)
        breaks = [x for x in panel_params.x.breaks if x == x]
        grid = [[(x, low), (x, high)] for low, high in heights for x in breaks]
        zero = [
            [(r["xintercept"], r["ymin"]), (r["xintercept"], r["ymax"])]
            for r in known.get("xintercept", [])
        ]
        for lines, color, width in ((grid, GRID, 0.5), (zero, INK, 1.0)):
            ax.add_collection(LineCollection(lines, colors=color, linewidths=width))


def bars(
    frame: pl.DataFrame, start: str, end: str, fill: str, half: float, below: float = 0
) -> geom_origin:
    """Bars between two columns, twice ``half`` high and ``below`` their rows [mm]."""
    y = pl.col("y") - below
    places = aes(
        xmin=start, xmax=end, ymin="bottom", ymax="top", fill=fill, look="look"
    )
    return geom_origin(places, frame.with_columns(bottom=y - half, top=y + half))


def intervals(frame: pl.DataFrame, width: float = 2.2, mark: float = 1.41) -> list[Any]:
    """Intervals as lines of ``width`` points, and a small mark at each value.

    The range of a prediction is a thin line with ends.
    """
    known = frame.drop_nulls(["low", "high"])
    seen = known.filter(pl.col("model").is_null())
    guessed = known.filter(pl.col("model").is_not_null())
    ends = aes(x="low", xend="high", y="y", yend="y")
    layers: list[Any] = []
    if seen.height and width:
        layers.append(geom_segment(ends, seen, color=INK, size=width * POINTS))
    if guessed.height:
        ends = aes(xmin="low", xmax="high", y="y")
        layers.append(geom_errorbarh(ends, guessed, height=2.0, color=INK, size=POINTS))
    look = {"fill": GROUND, "color": INK, "stroke": 0.8 * POINTS}
    return [*layers, geom_point(aes("value", "y"), frame, size=mark, **look)]


def published_marks(rows: pl.DataFrame) -> list[Any]:
    """Open diamonds where published numbers lie, below the marks of a row."""
    stated = rows.filter(pl.col("stated").is_not_null())
    if stated.is_empty():
        return []
    below = pl.when(pl.col("record") == "fact").then(STATED).otherwise(0.0)
    data = stated.with_columns(y=pl.col("y") - below)
    look = {"size": 1.7, "stroke": 0.55, "shape": "D", "fill": GROUND, "color": INK}
    return [geom_point(aes("stated", "y"), data, **look)]


# Changes in percent


def axes_of(frame: pl.DataFrame) -> list[int]:
    """The number of the axis of each panel: one a metric, or one for all of them."""
    extents = [_extent(part) for _, part in groups(frame, "metric")]
    metrics = frame["metric"].unique(maintain_order=True).to_list()
    own = max(extents) > _ALIKE * min(extents) and not has_ratios(frame)
    panels = [metric for (metric, _), _ in groups(frame, "metric", "role")]
    return [metrics.index(metric) + 1 if own else 1 for metric in panels]


def has_ratios(frame: pl.DataFrame) -> bool:
    """Whether the axis of a figure of changes shows ratios."""
    return is_ratio(_known(frame))


def change_axis(frame: pl.DataFrame, room: float, gap: float = 15.0) -> Any:
    """The scale of the changes of a figure, on ``room`` mm with steps of ``gap``."""
    return scale_change(has_ratios(frame), room, gap)


def change_marks(table: RowTable, axes: Sequence[int]) -> list[Any]:
    """The layers of changes: limit, grid, bars from zero, intervals, published ones."""
    fill = pl.col("verdict").cast(pl.String)
    fill = fill.replace_strict(VERDICT_COLOURS, default=QUIET, return_dtype=pl.String)
    facts = only(table.frame, "fact").with_columns(zero=pl.lit(0.0), fill=fill)
    return [
        change_ground(table.frame, axes),
        bars(facts, "zero", "value", "fill", 1.25),
        *intervals(facts),
        *published_marks(table.frame),
    ]


def change_ground(rows: pl.DataFrame, axes: Sequence[int] = ()) -> geom_ground:
    """What lies below changes: the limit, a grid, zero, room for twice the limit.

    Panels of one number in ``axes`` reach equally far.
    """
    reach = _REACH * pl.col("threshold").fill_null(1.0)
    limits = rows.with_columns(
        x=-pl.col("threshold"), xend=pl.col("threshold"), zero=pl.lit(0.0),
        least=-reach, most=reach,
    )  # fmt: skip
    if axes:
        axis = pl.col("panel").replace_strict(dict(enumerate(axes, 1)))
        names = _present(rows)
        least = pl.min_horizontal("least", *names).min().over(axis)
        most = pl.max_horizontal("most", *names).max().over(axis)
        limits = limits.with_columns(least=least, most=most)
    places = aes(
        ymin="ymin", ymax="ymax", x="x", xend="xend", xintercept="zero", xmin="least",
        xmax="most",
    )  # fmt: skip
    return geom_ground(places, limits)


def shows_limit(frame: pl.DataFrame) -> bool:
    """Whether the limit of what counts is wide enough to be seen on an axis."""
    limits = frame["threshold"].drop_nulls().to_list()
    if not limits:
        return False
    place = ratio_trans.transform if has_ratios(frame) else float
    ends = [place(x) for x in (min([0.0, *_known(frame)]), max([0.0, *_known(frame)]))]
    return bool(place(max(limits)) > _SEEN * (ends[1] - ends[0]))


def axis_words(frame: pl.DataFrame) -> list[str]:
    """What counts, what the axis is, and which metrics have their own."""
    limits = sorted(set(frame["threshold"].drop_nulls().to_list()))
    words = []
    if limits:
        ends = " to ".join(
            f"±{limit:.2g}%" for limit in dict.fromkeys(limits[:: len(limits) - 1 or 1])
        )
        shaded = shows_limit(frame)
        within = "Shaded: within {}, too" if shaded else "Changes within {} are too"
        words.append(f"{within.format(ends)} little to count.")
    if has_ratios(frame):
        words.append("Equal steps on the axis are equal ratios.")
    if len(set(axes_of(frame))) > 1:
        words.append("Each metric has an axis of its own.")
    return words


def _present(frame: pl.DataFrame) -> list[str]:
    """The columns that an axis of changes has to show; of a span, both its ends."""
    names = ("value", "low", "high", "stated", "worst")
    return [name for name in names if name in frame.columns]


def _known(frame: pl.DataFrame) -> list[float]:
    return [v for name in _present(frame) for v in frame[name].drop_nulls().to_list()]


def _extent(part: pl.DataFrame) -> float:
    limits = part["threshold"].drop_nulls().to_list()
    return max([*map(abs, _known(part)), _REACH * max(limits, default=1.0)])


# Values of configurations


def value_columns(setting: Setting, blocks: bool = True) -> list[WordColumn]:
    """Workload, colour, configuration, median and interval; on a phone in two lines."""

    def colour(row: dict[str, Any]) -> str:
        return setting.colours.get(row["configuration"], INK)

    def square(row: dict[str, Any]) -> str:
        return "■" if row["record"] == "fact" else ""

    def interval(row: dict[str, Any]) -> str:
        return range_text(row) if row["record"] == "fact" else ""

    block = [WordColumn("workload", "left", of_block=True)]
    return [
        *(block if blocks else []),
        WordColumn(square, "left", color=colour, gap=1.2),
        WordColumn("name", "left", color=SOFT),
        WordColumn("printed", ha="right", weight=BOLD, line=2),
        WordColumn(interval, color=SOFT, line=2),
        WordColumn("says", color=SOFT, spans=True),
    ]


def value_heading(setting: Setting, panel: pl.DataFrame, by: str = "") -> Heading:
    """``Latency of RR1(1kB)`` and ``µs, lower is better``; ``by`` is what the name
    takes from the rows, where panels differ in it too."""
    row = panel.row(0, named=True)
    name = panel_name(setting.metrics[row["metric"]], row["role"])
    name = f"{name} of {row[by]}" if by else name
    return Heading(name, unit_and_better(panel))


def grouped_axes(table: RowTable, apart: bool) -> list[int]:
    """The number of each panel's axis: one a metric, or where ``apart`` its own."""
    if apart:
        return list(range(1, len(table.panels) + 1))
    kinds = [panel["metric"][0] for panel in table.panels]
    known = list(dict.fromkeys(kinds))
    return [known.index(kind) + 1 for kind in kinds]


def axis_ends(
    table: RowTable,
    axes: Sequence[int],
    reach: Callable[[list[float]], tuple[float, float]],
    runs: pl.DataFrame | None = None,
) -> Ends:
    """From where to where the axis of each panel goes, which ``reach`` says of all
    that it has to show."""
    names = ("value", "low", "high", "stated")
    values: dict[int, list[float]] = {}
    for number, (axis, panel) in enumerate(zip(axes, table.panels, strict=True), 1):
        known = [v for name in names for v in panel[name].drop_nulls().to_list()]
        if runs is not None:
            known += runs.filter(pl.col("panel") == number)["value"].to_list()
        values.setdefault(axis, []).extend(known)
    each = {axis: reach(known) for axis, known in values.items()}
    return {number: each[axis] for number, axis in enumerate(axes, 1)}


def placed_runs(table: RowTable, frame: pl.DataFrame) -> pl.DataFrame:
    """The runs of a frame at the rows of their facts."""
    places = only(table.frame, "fact").select("key", "panel", "y", "ymin", "ymax")
    runs = only(frame, "run").drop("stated", "says", strict=False)
    return runs.join(places, on="key", how="inner", maintain_order="left")


def value_ground(rows: pl.DataFrame, ends: Ends, zero: bool = False) -> geom_ground:
    """A grid below values; the axis of each panel goes as far as its ``ends``."""
    least, most = ({panel: e[i] for panel, e in ends.items()} for i in (0, 1))
    frame = rows.select("panel", "ymin", "ymax").with_columns(
        least=pl.col("panel").replace_strict(least, return_dtype=pl.Float64),
        most=pl.col("panel").replace_strict(most, return_dtype=pl.Float64),
        zero=pl.lit(0.0),
    )
    names = {"ymin": "ymin", "ymax": "ymax", "xmin": "least", "xmax": "most"}
    return geom_ground(aes(**names, **{"xintercept": "zero"} if zero else {}), frame)


def median_marks(table: RowTable, setting: Setting, below: float) -> list[Any]:
    """Intervals as bars with the median across, ``below`` the middle of a row [mm]."""
    facts = coloured(only(table.frame, "fact"), setting)
    known, y = facts.drop_nulls(["low", "high"]), pl.col("y") - below
    across = aes(x="value", xend="value", y="lower", yend="upper")
    ends = facts.with_columns(lower=y - 1.5, upper=y + 1.5)
    medians = geom_segment(across, ends, color=INK, size=0.9)
    return [bars(known, "low", "high", "colour", 1.0, below), medians]


def coloured(frame: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """The rows with the ``colour`` of their configuration."""
    colours = [setting.colours[id] for id in frame["configuration"]]
    return frame.with_columns(colour=pl.Series(colours, dtype=pl.String))


def dots(runs: pl.DataFrame, setting: Setting) -> list[Any]:
    """A dot a run: solid where it was measured, else an edge."""
    layers: list[Any] = []
    for hollow in (False, True):
        own = runs.filter((pl.col("look") != "measured") == hollow)
        if own.is_empty():
            continue
        data = coloured(own, setting).with_columns(ground=pl.lit(GROUND))
        edge, fill = ("colour", "ground") if hollow else ("ground", "colour")
        stroke = 0.5 if hollow else 0.35
        places = aes("value", "y", color=edge, fill=fill)
        layers.append(geom_point(places, data, shape="o", size=2.0, stroke=stroke))
    return layers


def places_of(
    part: pl.DataFrame, ends: tuple[float, float], room: float
) -> list[float]:
    """Where values lie on an axis of ``room`` mm."""
    low, high = ends
    return [(value - low) / (high - low) * room for value in part["value"]]


def swarmed(runs: pl.DataFrame, ends: Ends, room: float) -> pl.DataFrame:
    """Runs about a line, each as near to it as leaves the others seen."""
    parts = []
    for (panel, _), part in groups(runs, "panel", "key"):
        offsets = swarm(places_of(part, ends[panel], room), DOT)
        reach = max(map(abs, offsets), default=0.0)
        squeeze = min(1.0, _STRAY / reach) if reach else 1.0
        moved = pl.Series([_ABOVE - offset * squeeze for offset in offsets])
        parts.append(part.with_columns(y=pl.col("y") + moved))
    return pl.concat(parts) if parts else runs


def swarm(places: Sequence[float], apart: float) -> list[float]:
    """How far each dot moves up (negative) or down off its line, in the same unit.

    Dots are set from left to right, each as near to the line as leaves it ``apart``
    from those already set.
    """
    offsets = [0.0] * len(places)
    done: list[tuple[float, float]] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i], i)):
        offsets[i] = _nearest_free(places[i], done, apart)
        done.append((places[i], offsets[i]))
    return offsets


def _nearest_free(x: float, done: list[tuple[float, float]], apart: float) -> float:
    near = [(a - x, b) for a, b in done if abs(a - x) < apart]
    touching = [
        b + side * (apart**2 - a**2) ** 0.5 for a, b in near for side in (1, -1)
    ]
    free = (
        offset
        for offset in sorted([0.0, *touching], key=lambda o: (abs(o), -o))
        if all(a**2 + (b - offset) ** 2 >= apart**2 * 0.999 for a, b in near)
    )
    return next(free)  # beyond the outermost dot there always is a place
