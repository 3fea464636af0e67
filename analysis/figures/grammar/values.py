"""Values of configurations: their columns, their marks, and the axes they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from plotnine import aes, geom_segment

from analysis.figures.grammar.changes import published_marks
from analysis.figures.grammar.columns import Heading, WordColumn
from analysis.figures.grammar.geoms import geom_ground, geom_interval, geom_origin
from analysis.figures.grammar.rows import Rows
from analysis.figures.grammar.scales import value_ends
from analysis.figures.page import BOLD
from analysis.figures.palette import INK, SOFT
from analysis.figures.select import groups, only
from analysis.figures.setting import Setting
from analysis.figures.words import panel_name, range_text, unit_and_better

Ends = dict[int, tuple[float, float]]


def value_columns(setting: Setting, blocks: bool = True) -> list[WordColumn]:
    """Workload, colour, configuration, median and interval; on a phone in two lines."""

    def told(row: dict[str, Any]) -> bool:
        return bool(row["record"] == "fact")

    block = [WordColumn(lambda row: row["workload"], "left", of_block=True)]
    return [
        *(block if blocks else []),
        WordColumn(
            lambda row: "■" if told(row) else "",
            "left",
            color=lambda row: setting.colours.get(row["configuration"], INK),
            tight=True,
        ),
        WordColumn(lambda row: row["name"], "left", color=lambda _: SOFT),
        WordColumn(
            lambda row: row["printed"] or "", ha="right", weight=lambda _: BOLD, line=2
        ),
        WordColumn(
            lambda row: range_text(row) if told(row) else "",
            color=lambda _: SOFT,
            line=2,
        ),
        WordColumn(lambda row: row["says"] or "", color=lambda _: SOFT, spans=True),
    ]


def value_heading(panel: pl.DataFrame, setting: Setting, of: str = "") -> Heading:
    """``Latency of RR1(1kB)``, and at the right ``µs, lower is better``."""
    row = panel.row(0, named=True)
    name = panel_name(setting.metrics[row["metric"]], row["role"])
    return Heading(f"{name} of {of}" if of else name, unit_and_better(panel))


def grouped_axes(rows: Rows, apart: bool) -> list[int]:
    """The number of each panel's axis: one a metric, or where ``apart`` its own."""
    if apart:
        return list(range(1, len(rows.panels) + 1))
    kinds = [panel["metric"][0] for panel in rows.panels]
    known = list(dict.fromkeys(kinds))
    return [known.index(kind) + 1 for kind in kinds]


def axis_ends(
    rows: Rows, axes: Sequence[int], least: float, runs: pl.DataFrame
) -> Ends:
    """From where to where the axis of each panel goes, runs and intervals within."""
    names = ("value", "low", "high", "stated")
    of: dict[int, list[float]] = {}
    for number, (axis, panel) in enumerate(zip(axes, rows.panels, strict=True), 1):
        found = [v for name in names for v in panel[name].drop_nulls().to_list()]
        found += runs.filter(pl.col("panel") == number)["value"].to_list()
        of.setdefault(axis, []).extend(found)
    each = {axis: value_ends(values, least) for axis, values in of.items()}
    return {number: each[axis] for number, axis in enumerate(axes, 1)}


def placed_runs(rows: Rows, frame: pl.DataFrame) -> pl.DataFrame:
    """The runs of a frame at the rows of their facts."""
    places = only(rows.frame, "fact").select("key", "panel", "y", "ymin", "ymax")
    runs = only(frame, "run").drop("stated", "says", strict=False)
    return runs.join(places, on="key", how="inner", maintain_order="left")


def bar_marks(rows: Rows, setting: Setting, log: bool, runs: pl.DataFrame) -> list[Any]:
    """Bars from zero with intervals; on a logarithmic axis the intervals alone."""
    facts = coloured(only(rows.frame, "fact"), setting).with_columns(
        start=pl.col("low").fill_null(pl.col("value")) if log else pl.lit(0.0),
        end=pl.col("high").fill_null(pl.col("value")) if log else pl.col("value"),
        capped=pl.col("model").is_not_null(),
        bottom=pl.col("y") - 1.1,
        top=pl.col("y") + 1.1,
    )
    data = facts.to_pandas()
    spread = runs.group_by("panel", "y", maintain_order=True).agg(
        least=pl.col("value").min(), most=pl.col("value").max()
    )
    layers = [
        value_ground(rows, 0.0 if not log else None),
        geom_origin(
            aes(xmin="start", xmax="end", ymin="bottom", ymax="top", fill="colour",
                look="look"),
            data, inherit_aes=False,
        ),
        geom_segment(
            aes(x="least", xend="most", y="y", yend="y"), spread.to_pandas(),
            inherit_aes=False, color=INK, size=0.35,
        ) if spread.height else None,
        geom_interval(
            aes(x="value", xmin="low", xmax="high", y="y", capped="capped"), data,
            inherit_aes=False, width=0.0 if log else 2.2,
        ),
        published_marks(rows.frame.filter(pl.col("stated").is_not_null())),
    ]  # fmt: skip
    return [layer for layer in layers if layer is not None]


def value_ground(
    rows: Rows, zero: float | None = None, ends: Ends | None = None
) -> Any:
    """A grid below values; the axis of each panel goes as far as its ``ends``."""
    reach = ends or {}
    frame = rows.frame.select("panel", "ymin", "ymax").with_columns(
        zero=pl.lit(zero, dtype=pl.Float64),
        least=pl.col("panel").replace_strict(
            {p: e[0] for p, e in reach.items()}, default=zero, return_dtype=pl.Float64
        ),
        most=pl.col("panel").replace_strict(
            {p: e[1] for p, e in reach.items()}, default=zero, return_dtype=pl.Float64
        ),
    )
    names = {"ymin": "ymin", "ymax": "ymax"}
    if zero is not None:
        names["xintercept"] = "zero"
    if zero is not None or ends:
        names |= {"xmin": "least", "xmax": "most"}
    return geom_ground(aes(**names), frame.to_pandas(), inherit_aes=False)


def median_marks(rows: Rows, setting: Setting, below: float) -> list[Any]:
    """Intervals as bars with the median across, ``below`` the middle of a row [mm]."""
    y = pl.col("y") - below
    facts = coloured(only(rows.frame, "fact"), setting).with_columns(
        bottom=y - 1.0, top=y + 1.0, longer=y + 1.5, lower=y - 1.5
    )
    data = facts.to_pandas()
    known = facts.drop_nulls(["low", "high"]).to_pandas()
    return [
        geom_origin(
            aes(xmin="low", xmax="high", ymin="bottom", ymax="top", fill="colour",
                look="look"),
            known, inherit_aes=False,
        ),
        geom_segment(
            aes(x="value", xend="value", y="lower", yend="longer"), data,
            inherit_aes=False, color=INK, size=0.9,
        ),
    ]  # fmt: skip


def coloured(frame: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """The rows with the ``colour`` of their configuration."""
    colours = [setting.colours[id] for id in frame["configuration"]]
    return frame.with_columns(colour=pl.Series(colours, dtype=pl.String))


def own_scales(frame: pl.DataFrame, alike: float) -> bool:
    """Whether medians of one metric and role are too unlike for one axis."""
    return any(
        min(medians) * alike < max(medians)
        for _, panel in groups(only(frame, "fact"), "metric", "role")
        if (medians := [abs(value) for value in panel["value"]])
    )
