"""The delta chart: changes against the baseline in percent, with intervals."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl

from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.findings import finding_of
from analysis.figures.grammar.changes import (
    axes_of,
    axis_words,
    change_marks,
    change_scale,
)
from analysis.figures.grammar.columns import Heading, RowTable, WordColumn, fitting
from analysis.figures.grammar.compose import Composed, compose
from analysis.figures.grammar.rows import lay_out
from analysis.figures.kind import FigureKind
from analysis.figures.page import BOLD, NORMAL, PageFormat, Words
from analysis.figures.palette import INK, QUIET, SOFT, VERDICT_COLOURS
from analysis.figures.published import told_below, with_stated
from analysis.figures.select import PANEL, fact_frame, groups, only, with_values
from analysis.figures.setting import Setting
from analysis.figures.words import (
    BARS,
    VERDICT_WORDS,
    Strokes,
    adjustment,
    compared,
    direction,
    foot_line,
    interval_text,
    panel_name,
    seen,
    spoken_name,
    value_text,
    verdict_text,
)


def data_delta(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The figure's changes, one row for each metric, role, workload and test."""
    frame = fact_frame(facts, setting.figure, "delta", setting.tests)
    return with_stated(with_values(frame, facts), setting)


def words_delta(frame: pl.DataFrame, setting: Setting) -> Words:
    """Finding, subtitle, foot line and alt text of a delta chart."""
    facts = only(frame, "fact")
    subtitle = f"Change of the median of {compared(setting)}, in percent."
    return Words(
        finding_of(facts, setting),
        " ".join([subtitle, *axis_words(frame)]),
        delta_foot(frame, setting),
        alt_of(facts, setting),
    )


def plot_delta(
    frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Composed:
    """Names, marks and numbers of the changes, a panel a metric and role."""
    several = len(setting.tests) > 1
    columns = _columns(several)
    format, lines = fitting(frame, columns, format)
    rows = lay_out(frame, format, PANEL, "workload" if several else None, lines)
    headings = [
        Heading(
            panel_name(setting.metrics[metric], role), direction(panel["better"][0])
        )
        for (metric, role), panel in groups(frame, *PANEL)
    ]
    table = RowTable(rows, columns, headings, words, format, axes_of(frame))
    return compose(table, change_marks(rows), change_scale(frame, table.room))


def _columns(several: bool) -> list[WordColumn]:
    name = WordColumn(lambda row: row["workload"] + row["mark"] * (not several), "left")
    names = [name]
    if several:
        names = [
            WordColumn(lambda row: row["workload"], "left", of_block=True),
            WordColumn(
                lambda row: row["pair"] + row["mark"], "left", color=lambda _: SOFT
            ),
        ]
    return [
        *names,
        WordColumn(value_text, color=lambda _: SOFT, ha="right", line=2),
        WordColumn(
            lambda row: row["printed"] or "", ha="right", weight=_weight, color=_ink
        ),
        WordColumn(_interval, color=lambda _: SOFT, line=2),
        WordColumn(verdict_text, color=_verdict_ink, weight=_weight),
        WordColumn(lambda row: row["says"] or "", color=lambda _: SOFT, spans=True),
    ]


def _interval(row: dict[str, Any]) -> str:
    stated = row["record"] == "stated"
    return "" if stated else interval_text(row["low"], row["high"])


def _weight(row: dict[str, Any]) -> int:
    return BOLD if row["verdict"] in ("improved", "regressed") else NORMAL


def _ink(row: dict[str, Any]) -> str:
    return QUIET if row["verdict"] == "comparable" else INK


def _verdict_ink(row: dict[str, Any]) -> str:
    return VERDICT_COLOURS.get(row["verdict"], QUIET)


def delta_foot(frame: pl.DataFrame, setting: Setting, marks: Strokes = BARS) -> str:
    """The foot line of changes: runs, intervals, test, published numbers, origin."""
    tested, parts = seen(frame), list[str]()
    if tested.height:
        confidence = max(tested["confidence"].to_list())
        parts = [
            f"{marks.interval}: {confidence:.0%} bootstrap interval",
            f"test: Mann-Whitney and Yuen, {adjustment(setting)}-adjusted",
        ]
    if frame["stated"].drop_nulls().len():
        parts.append("open diamond: published")
    return foot_line([*parts, told_below(frame, setting)], frame, marks)


def alt_of(frame: pl.DataFrame, setting: Setting) -> str:
    """How many changes there are of each verdict, and which are the largest."""
    judged = [verdict_text(row) or "not judged" for row in frame.to_dicts()]
    counts = Counter(judged)
    order = [*VERDICT_WORDS.values(), "predicted", "not judged"]
    told = listed([f"{counts[v]} {v}" for v in order if counts[v]])
    metrics = frame["metric"].unique(maintain_order=True)
    what = listed([spoken_name(setting.metrics[metric], None) for metric in metrics])
    changes = f"{frame.height} {'change' if frame.height == 1 else 'changes'} in {what}"
    text = f"Bar chart of {changes} of {compared(setting)}: {told}."
    largest = pl.col("verdict").is_in(["improved", "regressed"])
    clear = frame.filter(largest | pl.col("model").is_not_null())
    if clear.is_empty():
        return text
    clear = clear.with_columns(pl.col("value").abs().alias("size"))
    top = clear.sort("size", descending=True, maintain_order=True).head(3)
    return f"{text} Largest: {listed([_told(r, setting) for r in top.to_dicts()])}."


def _told(row: dict[str, Any], setting: Setting) -> str:
    name = spoken_name(setting.metrics[row["metric"]], row["role"])
    test = f" on {row['configuration']}" if len(setting.tests) > 1 else ""
    return f"{name} of {row['workload']}{test} {row['printed']}"


KIND = FigureKind(
    id="delta",
    data=data_delta,
    words=words_delta,
    plot=plot_delta,
    draws="changes in percent with interval, verdict and values, a row a workload",
    answers="what did the test change?",
    caption="change of {pairs}",
    judges=True,
    compares=True,
    shows="the changes of {pairs}",
    overlays=("delta",),
)
