"""Marks of rows: what lies below them, bars that show their origin, intervals, dots.

A row is placed by ``y``; heights are in millimetres, as its panel is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import plotnine as p9
import polars as pl
from matplotlib.axes import Axes
from plotnine.coords.coord import coord
from plotnine.iapi import panel_view

from analysis.facts.sentences import listed
from analysis.figures import page
from analysis.figures.grammar.rows import STATED, Heading, RowTable, WordColumn
from analysis.figures.grammar.scales import (
    Limits,
    is_ratio,
    ratio_trans,
    scale_change,
)
from analysis.figures.grammar.theme import DIAMOND
from analysis.figures.select import PANEL, groups, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.svg import ORIGIN
from analysis.figures.words import panel_name, range_text, unit_and_better

POINTS = 0.5642  # of plotnine's size of a line, which is one point
_ALIKE = 4.0  # metrics whose extents differ by more than this have axes of their own
_FLAT = 2.5  # a workload that reaches so much further flattens all others
_SEEN = 0.02  # of an axis, from which on a limit shows beside the line of zero
_REACH = 2.0  # of the limit, that an axis shows at least
DOT = 1.7  # mm
# The columns that an axis has to show; ``worst`` is the other end of a span.
_SHOWN = ("value", "low", "high", "stated", "worst")
Ends = dict[int, Limits]
_ENDS = {"panel": pl.Int64(), "least": pl.Float64(), "most": pl.Float64()}


class geom_origin(p9.geom_rect):
    """Bars filled by origin, their ``look``: solid, dotted, hatched, or an empty edge.

    The drawing names each bar by its look, and the SVG gives it a pattern.
    """

    DEFAULT_AES = p9.geom_rect.DEFAULT_AES | {"look": "measured"}

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


class geom_breaks(p9.geom_segment):
    """An upright hairline at each break of the axis, as high as its segment."""

    def draw_panel(
        self, data: Any, panel_params: panel_view, coord: coord, ax: Axes
    ) -> None:
        """The breaks are those of the panel's own scale."""
        breaks = [x for x in panel_params.x.breaks if x == x]
        if breaks:
            lines = data.loc[data.index.repeat(len(breaks))]
            places = breaks * len(data)
            lines = lines.assign(x=places, xend=places)
            super().draw_panel(lines, panel_params, coord, ax)


def bars(
    frame: pl.DataFrame, start: str, end: str, fill: str, half: float, below: float = 0
) -> geom_origin:
    """Bars between two columns, twice ``half`` high and ``below`` their rows [mm]."""
    y = pl.col("y") - below
    places = p9.aes(
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
    ends = p9.aes(x="low", xend="high", y="y", yend="y")
    layers: list[Any] = []
    if seen.height and width:
        layers.append(p9.geom_segment(ends, seen, color=page.INK, size=width * POINTS))
    if guessed.height:
        ends = p9.aes(xmin="low", xmax="high", y="y")
        layers.append(
            p9.geom_errorbarh(ends, guessed, height=2.0, color=page.INK, size=POINTS)
        )
    look = {"fill": page.GROUND, "color": page.INK, "stroke": 0.8 * POINTS}
    return [*layers, p9.geom_point(p9.aes("value", "y"), frame, size=mark, **look)]


def published_marks(rows: pl.DataFrame) -> list[Any]:
    """Open diamonds where published numbers lie, below the marks of a row."""
    stated = rows.filter(pl.col("stated").is_not_null())
    if stated.is_empty():
        return []
    below = pl.when(pl.col("record") == "fact").then(STATED).otherwise(0.0)
    data = stated.with_columns(y=pl.col("y") - below)
    return [p9.geom_point(p9.aes("stated", "y"), data, size=1.7, **DIAMOND)]


# Axes and what lies below marks


def axis_ends(
    rows: pl.DataFrame,
    axes: Sequence[int],
    reach: Callable[[list[float]], Limits] = lambda known: (min(known), max(known)),
    runs: pl.DataFrame | None = None,
) -> Ends:
    """From where to where the axis of each panel goes, which ``reach`` says of all
    that it has to show. Panels of one number in ``axes`` reach equally far.

    Those are values, intervals, published numbers, ends of spans, and what columns
    ``least`` and ``most`` have.
    """
    rows = rows if runs is None else pl.concat([rows, runs], how="diagonal_relaxed")
    names = [n for n in (*_SHOWN, "least", "most") if n in rows.columns]
    shown = rows.select("panel", pl.col(names).cast(pl.Float64))
    axis = pl.col("panel").replace_strict(dict(enumerate(axes, 1)))
    known = shown.unpivot(names, index="panel", value_name="x")
    known = known.drop_nulls("x").with_columns(axis=axis)
    ends = {n: reach(part["x"].to_list()) for (n,), part in groups(known, "axis")}
    return {panel: ends[axis] for panel, axis in enumerate(axes, 1)}


def change_ends(rows: pl.DataFrame, axes: Sequence[int]) -> Ends:
    """The same for changes: each axis has room for twice the limit of what counts."""
    least = -_REACH * pl.col("threshold").fill_null(1.0)
    return axis_ends(rows.with_columns(least=least, most=-least), axes)


def ground(
    rows: pl.DataFrame, ends: Ends, zero: bool = False, limit: bool = False
) -> list[Any]:
    """Below marks: the limit shaded, a hairline at each break, a line at ``zero``.

    Between rows, where words may stand, is nothing: so no grid of a theme does. The
    axis of each panel goes as far as its ``ends``.
    """
    every = pl.DataFrame([(n, *span) for n, span in ends.items()], _ENDS, orient="row")
    heights = rows.select("panel", "ymin", "ymax").unique(maintain_order=True)
    places = heights.join(every, on="panel", maintain_order="left")
    from_end_to_end = p9.aes(x="least", xend="most", y="ymin", yend="ymax")
    hair: dict[str, Any] = {"color": page.GRID, "size": 0.5 * POINTS}
    layers: list[Any] = [geom_breaks(from_end_to_end, places, **hair)]
    limits = rows.filter(pl.col("threshold").is_not_null()) if limit else pl.DataFrame()
    if limits.height:
        limits = limits.with_columns(least=-pl.col("threshold"))
        band = p9.aes(xmin="least", xmax="threshold", ymin="ymin", ymax="ymax")
        layers.insert(0, p9.geom_rect(band, limits, fill=page.BAND, size=0))
    if zero:
        upright = p9.aes(x="x", xend="x", y="ymin", yend="ymax")
        places = heights.with_columns(x=pl.lit(0.0))
        layers.append(p9.geom_segment(upright, places, color=page.INK, size=POINTS))
    return layers


def axis_numbers(panels: Sequence[pl.DataFrame], apart: bool) -> list[int]:
    """The number of each panel's axis: one a metric, or where ``apart`` its own."""
    if apart:
        return list(range(1, len(panels) + 1))
    metrics = [panel["metric"][0] for panel in panels]
    known = list(dict.fromkeys(metrics))
    return [known.index(metric) + 1 for metric in metrics]


# Changes in percent


def axes_of(frame: pl.DataFrame) -> list[int]:
    """The number of the axis of each panel: one a metric, or one for all of them."""
    panels = [part for _, part in groups(frame, *PANEL)]
    extents = [_extent(part) for _, part in groups(frame, "metric")]
    if max(extents) > _ALIKE * min(extents) and not has_ratios(frame):
        return axis_numbers(panels, apart=False)
    return [1] * len(panels)


def with_apart(frame: pl.DataFrame) -> pl.DataFrame:
    """Changes with the workload in ``apart`` where it would flatten all others of its
    metric, and has an axis of its own; elsewhere it is empty."""
    apart: dict[tuple[str, str], str] = {}
    for (metric,), part in groups(frame, "metric") if not has_ratios(frame) else ():
        extents = {name: _extent(own) for (name,), own in groups(part, "workload")}
        *others, top = sorted(extents, key=lambda name: extents[name])
        if len(others) > 1 and extents[top] > _FLAT * extents[others[-1]]:
            apart[metric, top] = top
    cells = frame.select("metric", "workload").iter_rows()
    return frame.with_columns(
        apart=pl.Series([apart.get(cell, "") for cell in cells], dtype=pl.String)
    )


def has_ratios(frame: pl.DataFrame) -> bool:
    """Whether the axis of a figure of changes shows ratios."""
    return is_ratio(_known(frame))


def change_axis(frame: pl.DataFrame, room: float, gap: float = 15.0) -> Any:
    """The scale of the changes of a figure, on ``room`` mm with steps of ``gap``."""
    return scale_change(has_ratios(frame), room, gap)


def change_ground(rows: pl.DataFrame, ends: Ends) -> list[Any]:
    """What lies below changes: the limit of what counts, a grid, and zero."""
    return ground(rows, ends, zero=True, limit=True)


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
    if names := sorted(set(with_apart(frame)["apart"]) - {""}):
        has = "have axes of their" if names[1:] else "has an axis of its"
        words.append(f"{listed(names)} {has} own.")
    return words


def _known(frame: pl.DataFrame) -> list[float]:
    names = [name for name in _SHOWN if name in frame.columns]
    return [v for name in names for v in frame[name].drop_nulls().to_list()]


def _extent(part: pl.DataFrame) -> float:
    limits = part["threshold"].drop_nulls().to_list()
    return max([*map(abs, _known(part)), _REACH * max(limits, default=1.0)])


# Values of configurations


def value_table(
    sheet: Sheet, frame: pl.DataFrame, setting: Setting, by: str = "", marks: float = 0
) -> RowTable:
    """Rows of medians, a panel a metric and role, and each value of the column ``by``.

    Without it, each workload has a block of its own. ``marks`` is the height of a row
    of marks, where the format's own does not do [mm].
    """
    rows = frame.filter(pl.col("record") != "run")
    columns, heading = _value_columns(setting), partial(value_heading, setting, by=by)
    if by:
        return RowTable(sheet, rows, columns, (*PANEL, by), heading, marks=marks)
    columns = [WordColumn("workload", "left", of_block=True), *columns]
    return RowTable(sheet, rows, columns, PANEL, heading, "workload", marks)


def _value_columns(setting: Setting) -> list[WordColumn]:
    """Colour, configuration, median and interval; on a phone in two lines."""

    def of_fact(text: Callable[[dict[str, Any]], str]) -> Callable[..., str]:
        return lambda row: text(row) if row["record"] == "fact" else ""

    def colour(row: dict[str, Any]) -> str:
        return setting.colours.get(row["configuration"], page.INK)

    return [
        WordColumn(of_fact(lambda _: "■"), "left", color=colour, gap=1.2),
        WordColumn("name", "left", color=page.SOFT),
        WordColumn("printed", ha="right", weight=page.BOLD, line=2),
        WordColumn(of_fact(range_text), color=page.SOFT, line=2),
        WordColumn("says", color=page.SOFT, spans=True),
    ]


def value_heading(setting: Setting, panel: pl.DataFrame, by: str = "") -> Heading:
    """``Latency of RR1(1kB)`` and ``µs, lower is better``; ``by`` is what the name
    takes from the rows, where panels differ in it too."""
    row = panel.row(0, named=True)
    name = panel_name(setting.metrics[row["metric"]], row["role"])
    name = f"{name} of {row[by]}" if by else name
    return Heading(name, unit_and_better(panel))


def placed_runs(table: RowTable, frame: pl.DataFrame) -> pl.DataFrame:
    """The runs of a frame at the rows of their facts."""
    places = only(table.frame, "fact").select("key", "panel", "y", "ymin", "ymax")
    runs = only(frame, "run").drop("stated", "says", strict=False)
    return runs.join(places, on="key", how="inner", maintain_order="left")


def median_marks(table: RowTable, setting: Setting, below: float) -> list[Any]:
    """Intervals as bars with the median across, ``below`` the middle of a row [mm]."""
    facts = coloured(only(table.frame, "fact"), setting)
    known, y = facts.drop_nulls(["low", "high"]), pl.col("y") - below
    across = p9.aes(x="value", xend="value", y="lower", yend="upper")
    ends = facts.with_columns(lower=y - 1.5, upper=y + 1.5)
    medians = p9.geom_segment(across, ends, color=page.INK, size=0.9)
    return [bars(known, "low", "high", "colour", 1.0, below), medians]


def coloured(frame: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """The rows with the ``colour`` of their configuration."""
    colours = [setting.colours[id] for id in frame["configuration"]]
    return frame.with_columns(colour=pl.Series(colours, dtype=pl.String))


def verdict_colour(verdict: str | None) -> str:
    """Its colour; grey where nothing changed clearly."""
    return page.VERDICT_COLOURS.get(verdict, page.QUIET)  # type: ignore[call-overload]


def dots(runs: pl.DataFrame, setting: Setting) -> list[Any]:
    """A dot a run: solid where it was measured, else an edge."""
    layers: list[Any] = []
    for hollow in (False, True):
        drawn = runs.filter((pl.col("look") != "measured") == hollow)
        if drawn.is_empty():
            continue
        data = coloured(drawn, setting).with_columns(ground=pl.lit(page.GROUND))
        edge, fill = ("colour", "ground") if hollow else ("ground", "colour")
        stroke = 0.5 if hollow else 0.35
        places = p9.aes("value", "y", color=edge, fill=fill)
        layers.append(p9.geom_point(places, data, shape="o", size=2.0, stroke=stroke))
    return layers


def places_of(part: pl.DataFrame, ends: Limits, room: float) -> list[float]:
    """Where values lie on an axis of ``room`` mm."""
    low, high = ends
    return [(value - low) / (high - low) * room for value in part["value"]]
