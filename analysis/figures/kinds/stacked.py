"""The stacked chart: parts of a whole as bars, with a limit and a potential part."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.facts.units import format_value
from analysis.figures.grammar.columns import Heading, RowTable, WordColumn, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.legend import swatches
from analysis.figures.grammar.parts import limit_line, part_bars
from analysis.figures.grammar.rows import lay_out
from analysis.figures.grammar.scales import scale_value
from analysis.figures.grammar.values import value_ground
from analysis.figures.kind import FigureKind, check_metrics
from analysis.figures.page import BOLD, PageFormat, Words
from analysis.figures.palette import SOFT, TESTS
from analysis.figures.select import fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.words import foot_line, unit_and_better


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
        f"Parts: {named}; at the end their sum.",
        foot_line(_told_marks(setting, frame["unit"][0]), frame),
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
    filled = frame.filter(pl.col("metric") != setting.figure.potential)["pair"]
    named = [(colours[name], name) for name in filled.unique(maintain_order=True)]
    marks = [
        value_ground(rows, zero=0.0),
        *part_bars(frame, rows, colours, setting.figure.potential),
        *limit_line(rows, setting.figure.limit),
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


def sums(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The whole of each workload and configuration, with what its parts add up to."""
    found = []
    for _, part in groups(frame, "workload", "configuration"):
        end = float(part["value"].sum())
        row = part.row(0, named=True)
        told = {"end": end, "sum": format_value(end, row["unit"]), "one": 1}
        found.append(row | told)
    return found


def _colours(frame: pl.DataFrame) -> dict[str, str]:
    names = frame["pair"].unique(maintain_order=True)
    return {name: TESTS[i % len(TESTS)] for i, name in enumerate(names)}


def _told_marks(setting: Setting, unit: str) -> list[str]:
    """What the outline and the upright line are, if they are drawn."""
    name, limit = setting.figure.potential, setting.figure.limit
    told = [f"upright line: limit of {format_value(limit, unit)}"] if limit else []
    if name:
        told.append(f"outlined: {inside(setting.metrics[name].label)}, not a part yet")
    return told


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
