"""The delta chart: changes against the baseline in percent, with intervals."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.facts.fact import Facts
from analysis.figures import page, words
from analysis.figures.chart import charts_of_changes
from analysis.figures.findings import finding_of
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import Heading, RowTable, WordColumn
from analysis.figures.kind import FigureKind
from analysis.figures.published import foot_of_published, with_stated
from analysis.figures.select import PANEL, fact_frame, groups, only, with_values
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet

_MANY = 9  # changes, from which on an alt text names the largest alone


def data_delta(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The figure's changes, one row for each metric, role, workload and test."""
    frame = fact_frame(facts, setting, "delta")
    return with_stated(with_values(frame, facts), setting)


def words_delta(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a delta chart."""
    facts = only(frame, "fact")
    finding = finding_of(facts, setting)
    return page.Words(
        finding,
        " ".join(["Change of the median.", *marks.axis_words(frame)]),
        delta_foot(frame, setting),
        f"Bar chart. {finding}. {changes_in_words(facts, setting)}",
    )


def plot_delta(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """Names, marks and numbers of the changes, a panel a metric and role."""
    several = len(setting.tests) > 1
    block, frame = "workload" if several else None, marks.with_apart(frame)
    shared = dict(
        zip((p for p, _ in groups(frame, *PANEL)), marks.axes_of(frame), strict=True)
    )
    kinds = [
        (shared[m, r], apart) for (m, r, apart), _ in groups(frame, *PANEL, "apart")
    ]
    known = list(dict.fromkeys(kinds))
    axes = [known.index(kind) + 1 for kind in kinds]

    def heading(panel: pl.DataFrame) -> Heading:
        row = panel.row(0, named=True)
        name = words.panel_name(setting.metrics[row["metric"]], row["role"])
        return Heading(name, words.direction(row["better"]))

    by = (*PANEL, "apart")
    table = RowTable(sheet, frame, _columns(several), by, heading, block)
    rows, scale = table.frame, marks.change_axis(frame, table.room)
    facts = only(rows, "fact")
    fill = [marks.verdict_colour(verdict) for verdict in facts["verdict"]]
    facts = facts.with_columns(zero=pl.lit(0.0), fill=pl.Series(fill, dtype=pl.String))
    layers = [
        *marks.change_ground(rows, marks.change_ends(rows, axes)),
        marks.bars(facts, "zero", "value", "fill", 1.25),
        *marks.intervals(facts),
        *marks.published_marks(rows),
    ]
    table.draw(layers, scale, axes)


def _columns(several: bool) -> list[WordColumn]:
    names = [WordColumn(lambda row: row["workload"] + row["mark"], "left")]
    if several:
        names = [
            WordColumn("workload", "left", of_block=True),
            WordColumn("name", "left", color=page.SOFT),
        ]
    return [
        *names,
        WordColumn("sides", color=page.SOFT, ha="right", line=2),
        WordColumn("printed", ha="right", weight=_weight, color=_ink),
        WordColumn(_interval, color=page.SOFT, line=2),
        WordColumn(words.verdict_text, color=_verdict_ink, weight=_weight),
        WordColumn("says", color=page.SOFT, spans=True),
    ]


def _interval(row: dict[str, Any]) -> str:
    stated = row["record"] == "stated"
    return "" if stated else words.interval_text(row["low"], row["high"])


def _weight(row: dict[str, Any]) -> int:
    return page.BOLD if row["verdict"] in ("improved", "regressed") else page.NORMAL


def _ink(row: dict[str, Any]) -> str:
    return page.QUIET if row["verdict"] == "comparable" else page.INK


def _verdict_ink(row: dict[str, Any]) -> str:
    return marks.verdict_colour(row["verdict"])


def delta_foot(
    frame: pl.DataFrame, setting: Setting, strokes: words.Strokes = words.BARS
) -> str:
    """The foot line of changes: runs, intervals, test, published numbers, origin."""
    tested, parts = words.measured_facts(frame), list[str]()
    adjusted = words.ADJUSTED[setting.study.noise.adjust]
    if tested.height:
        confidence = max(tested["confidence"].to_list())
        parts = [
            f"{strokes.interval}: {confidence:.0%} interval",
            f"test: Welch and Mann-Whitney, {adjusted}-adjusted",
        ]
    parts += foot_of_published(frame, setting)
    return words.foot_line(parts, frame, strokes)


def changes_in_words(frame: pl.DataFrame, setting: Setting) -> str:
    """``Latency: RR1(1kB) −58%, RR10(1kB) −60%.``; of many changes, the largest."""
    facts = frame
    if frame.height > _MANY:
        size = pl.col("value").abs()
        top = frame.sort(size, descending=True, maintain_order=True).head(3)
        facts = frame.filter(pl.col("key").is_in(top["key"].to_list()))
    several = len(setting.tests) > 1
    sentences = []
    for (metric, role), panel in groups(facts, *PANEL):
        name = words.panel_name(setting.metrics[metric], role)
        changes = [
            " ".join([words.bar_name(row, several) + "," * several, row["printed"]])
            for row in panel.to_dicts()
        ]
        sentences.append(f"{name}: {', '.join(changes)}.")
    return " ".join(["Largest changes."] * (facts.height < frame.height) + sentences)


KIND = FigureKind(
    id="delta",
    data=data_delta,
    words=words_delta,
    plot=plot_delta,
    draws="changes in percent with interval, verdict and values, a row a workload",
    answers="what did the test change?",
    caption="{pairs}",
    reads=(
        "A bar is the change of the median. The change counts where the whole thick "
        "line lies beyond the shaded band."
    ),
    key=(
        ("bar", "change of the median, from no change"),
        ("interval", "interval of the change, and the change itself"),
        ("band", "changes too small to count"),
    ),
    compares=True,
    chart=charts_of_changes,
    overlays=("delta",),
)
