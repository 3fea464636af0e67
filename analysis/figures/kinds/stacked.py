"""The stacked chart: parts of a whole as bars, with a limit and a potential part."""

from __future__ import annotations

from typing import Any

import polars as pl
from plotnine import aes, geom_rect, geom_segment

from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.facts.units import format_value
from analysis.figures.grammar.columns import Heading, RowTable, WordColumn, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.geoms import geom_origin
from analysis.figures.grammar.legend import swatches
from analysis.figures.grammar.rows import Rows, lay_out
from analysis.figures.grammar.scales import scale_value
from analysis.figures.grammar.values import value_ground
from analysis.figures.kind import FigureKind, check_metrics
from analysis.figures.page import BOLD, PageFormat, Words
from analysis.figures.palette import INK, SOFT, TESTS
from analysis.figures.select import fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.words import foot_line, unit_and_better

_BAR = 1.5  # mm, half the height of a bar


def data_stacked(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The parts, a row each; ``pair`` names the part, its metric or its role."""
    figure = setting.figure
    frame = fact_frame(facts, figure, "value", setting.configurations)
    metrics = pl.col("metric").replace_strict(
        {id: setting.metrics[id].label for id in figure.metrics}, return_dtype=pl.String
    )
    parts = metrics if len(figure.metrics) > 1 else pl.col("role")
    return frame.with_columns(pair=parts.fill_null(metrics))


def words_stacked(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a stacked chart."""
    told = [
        f"{row['workload']} on {row['configuration']} {row['sum']}"
        for row in sums(frame)
    ]
    most = max(sums(frame), key=lambda row: float(row["end"]))
    limit = setting.figure.limit
    over = f", of a limit of {format_value(limit, frame['unit'][0])}" if limit else ""
    of = f"{most['workload']} on {most['configuration']}"
    finding = f"At most {most['sum']}, with {of}{over}"
    named = listed(frame["pair"].unique(maintain_order=True))
    return Words(
        finding,
        f"{setting.figure.question} Parts: {named}; at the end their sum.",
        foot_line([_told_potential(setting)], frame),
        f"Stacked bars of {named}. {finding}. Sums: {listed(told)}.",
    )


def plot_stacked(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """A row a workload and configuration: its parts from zero, and their sum."""
    bars = pl.DataFrame(sums(frame), infer_schema_length=None)
    columns = _columns()
    format, lines = fitting(bars, columns, format)
    rows = lay_out(bars, format, ["one"], "workload", lines)
    heading = Heading("", unit_and_better(frame))
    table = RowTable(rows, columns, [heading], words, format, [1])
    colours = _colours(frame)
    named = [(color, name) for name, color in colours.items()]
    marks = [
        value_ground(rows, zero=0.0),
        *_bars(frame, rows, colours, setting.figure.potential),
        *_limit(setting, rows.frame),
        *swatches(named, rows, table.room, format),
    ]
    return compose(table, marks, scale_value(False, table.room))


def _columns() -> list[WordColumn]:
    return [
        WordColumn(lambda row: row["workload"], "left", of_block=True),
        WordColumn(
            lambda row: row["configuration"] + row["mark"], "left", color=lambda _: SOFT
        ),
        WordColumn(lambda row: row["sum"], ha="right", weight=lambda _: BOLD),
    ]


def _bars(
    frame: pl.DataFrame, rows: Rows, colours: dict[str, str], potential: str
) -> list[Any]:
    """The parts of each bar, and as an outline what could be one."""
    by = ["workload", "configuration"]
    places = rows.frame.select(*by, "panel", "y")
    parts = _ends(frame).join(places, on=by, maintain_order="left")
    parts = parts.with_columns(
        fill=pl.col("pair").replace_strict(colours, return_dtype=pl.String),
        bottom=pl.col("y") - _BAR,
        top=pl.col("y") + _BAR,
    )
    shown = aes(
        xmin="start", xmax="end", ymin="bottom", ymax="top", fill="fill", look="look"
    )
    solid = parts.filter(pl.col("metric") != potential).to_pandas()
    outlined = _outlined(parts.filter(pl.col("metric") == potential))
    return [geom_origin(shown, solid, inherit_aes=False), *outlined]


def sums(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The whole of each workload and configuration, with what its parts add up to."""
    found = []
    for _, part in groups(frame, "workload", "configuration"):
        end = float(part["value"].sum())
        row = part.row(0, named=True)
        told = {"end": end, "sum": format_value(end, row["unit"]), "one": 1}
        found.append(row | told)
    return found


def _ends(frame: pl.DataFrame) -> pl.DataFrame:
    """Where each part begins and ends, one after the other from zero."""
    whole = pl.col("value").cum_sum().over("workload", "configuration")
    return frame.with_columns(end=whole).with_columns(
        start=pl.col("end") - pl.col("value")
    )


def _colours(frame: pl.DataFrame) -> dict[str, str]:
    names = frame["pair"].unique(maintain_order=True)
    return {name: TESTS[i % len(TESTS)] for i, name in enumerate(names)}


def _outlined(potential: pl.DataFrame) -> list[Any]:
    """A part that could be, as an outline."""
    if potential.is_empty():
        return []
    places = aes(xmin="start", xmax="end", ymin="bottom", ymax="top")
    data = potential.to_pandas()
    return [
        geom_rect(
            places, data, inherit_aes=False, fill="none", color=INK, size=0.4,
            linetype="dashed",
        )
    ]  # fmt: skip


def _limit(setting: Setting, rows: pl.DataFrame) -> list[Any]:
    """The most that the whole may be, as a line through all rows."""
    if setting.figure.limit is None:
        return []
    data = rows.with_columns(limit=pl.lit(setting.figure.limit)).to_pandas()
    places = aes(x="limit", xend="limit", y="ymin", yend="ymax")
    return [geom_segment(places, data, inherit_aes=False, color=INK, size=0.6)]


def _told_potential(setting: Setting) -> str:
    name = setting.figure.potential
    return f"outlined: {setting.metrics[name].label}, which could be" if name else ""


KIND = FigureKind(
    id="stacked",
    data=data_stacked,
    words=words_stacked,
    plot=plot_stacked,
    draws="parts of a whole with a limit, and at the end their sum",
    answers="what is it made of, and how near is the limit?",
    caption="parts of {all}",
    shows="what the whole is made of",
    check=check_metrics,
)
