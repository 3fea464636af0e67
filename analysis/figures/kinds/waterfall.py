"""The waterfall: a change of cost as the steps of what makes it.

Parts are changes of geometric means, which multiply to the whole exactly; the interval
of each is that of the change of its metric, as the report has it everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from analysis.declared.metrics import COST_PARTS
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside
from analysis.facts.units import format_percent
from analysis.figures import page, words
from analysis.figures.findings import size_words
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import Heading, RowTable, WordColumn
from analysis.figures.kind import FigureKind, check_metrics
from analysis.figures.kinds.delta import delta_foot
from analysis.figures.select import SCHEMA, fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.statistics.product import DIVIDES, CostPart, cost_parts, reason

_GUIDE = "docs/how-to/why.md"
_OF_PART = ("key", "verdict", "n", "origin", "basis")
_BAR = ("role", "workload", "configuration")
_COLUMNS = (
    "workload", "role", "part", "metric", "configuration", "baseline", "value", "low",
    "high", "log_change", "share", "unit", "n", "verdict", "origin", "basis", "key",
)  # fmt: skip


def data_waterfall(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The parts of each change and the whole last, a row each: ``part``, its
    ``log_change``, which adds up, its ``share`` of the whole, and where its step has
    its ``start``; ``without`` names the changes that lack a part. Where all lack one,
    these are the changes alone.
    """
    known = {fact.key: fact for fact in facts.facts}
    rows = list[dict[str, Any]]()
    lacks = set[str]()
    for row in fact_frame(facts, setting, "delta").to_dicts():
        parts = cost_parts(known[row["key"]], known)
        rows += _steps(row, parts, setting)
        if not parts:
            lacks.add(f"{row['role'] or ''} {row['workload']}".strip())
    if not rows:
        return fact_frame(facts, setting, "delta")  # which check_parts refuses
    schema = {name: kind for name, kind in SCHEMA.items() if name in rows[0]}
    frame = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=schema)
    return frame.with_columns(without=pl.lit(", ".join(sorted(lacks))))


def _steps(
    whole: Mapping[str, Any], parts: Sequence[CostPart], setting: Setting
) -> Iterator[dict[str, Any]]:
    """The rows of one change: each part from where the one before it ends."""
    start = 0.0
    for part in parts:
        told, last = dict(whole), part is parts[-1]
        if not last:
            told |= {"metric": part.metric}
            told |= {id: getattr(part.fact, id, None) for id in _OF_PART}
        total = parts[-1].log
        yield told | {
            "part": setting.metrics[part.metric].label
            + ", inverted" * (part.metric == DIVIDES),
            "log_change": part.log,
            "start": 0.0 if last else start,
            "value": part.change,
            "low": part.low,
            "high": part.high,
            "printed": format_percent(part.change),
            "share": 1.0 if last else part.log / total if abs(total) > 1e-9 else None,
        }
        start += part.log


def check_waterfall(setting: Setting) -> list[Issue]:
    """An issue for each metric whose parts are not known."""
    known = ", ".join(COST_PARTS)
    return check_metrics(setting) + [
        Issue(
            f"figure {setting.figure.id}: no parts of {id} are known",
            setting.place,
            f"draw changes of {known}",
        )
        for id in setting.figure.metrics
        if id not in COST_PARTS
    ]


def check_parts(frame: pl.DataFrame, setting: Setting) -> list[Issue]:
    """An issue where no change has all its parts, with what to record."""
    if frame.is_empty() or "start" in frame.columns:
        return []
    what = f"figure {setting.figure.id}: no change has counters on both sides"
    mend = f"record cycles and instructions, as {_GUIDE} says"
    return [Issue(what, setting.place, mend)]


def words_waterfall(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a waterfall."""
    if "start" not in frame.columns:  # which check_parts refuses
        return page.Words("No counters", "", "", "No counters.")
    finding = _finding(frame, setting)
    subtitle = "Changes of geometric means, which multiply to the last row."
    if bare := frame["without"][0]:
        subtitle += f" Without counters: {bare}."
    told = "; ".join(_told(cell, setting) for _, cell in groups(frame, *_BAR))
    return page.Words(
        finding,
        subtitle,
        delta_foot(frame, setting),
        f"Waterfall chart. {finding}. {told}.",
    )


def _told(cell: pl.DataFrame, setting: Setting) -> str:
    """``Client, RR1(1kB): instructions per transaction +10%, …, together +12%``."""
    *parts, whole = cell.to_dicts()
    each = [f"{inside(row['part'])} {row['printed']}" for row in parts]
    return f"{_place(whole, setting)}: {', '.join(each)}, together {whole['printed']}"


def _place(row: Mapping[str, Any], setting: Setting) -> str:
    several = len(setting.tests) > 1
    names = (row["role"], row["workload"], row["name"] if several else "")
    return ", ".join(filter(None, names))


def _finding(frame: pl.DataFrame, setting: Setting) -> str:
    """How much the cost changed where it did most, and which part that is."""
    cells = [cell for _, cell in groups(frame, *_BAR)]
    clear = [c for c in cells if c["verdict"][-1] in ("improved", "regressed")]
    if not clear:
        return "No clear change in cost, and so of no part of it"
    most = max(clear, key=lambda cell: abs(cell["log_change"][-1]))
    whole = most.row(-1, named=True)
    size, way = size_words([whole["value"]], setting.metrics[whole["metric"]])
    why = [_why(cell) for cell in clear]
    part = _why(most)
    if len(clear) > 1 and len(set(why)) == 1:
        part = part.replace("all of it", "all of each change")
        part = part.replace("most of it", "most of each change")
    return f"{size} {way} ({_place(whole, setting)}): {part}"


def _why(cell: pl.DataFrame) -> str:
    parts = cell.head(-1)
    return reason([*parts["log_change"]], [inside(name) for name in parts["part"]])


def plot_waterfall(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A panel a role, a block a change: its parts as steps, and the whole."""
    several = len(setting.tests) > 1
    bars = [f"{row['workload']}{', ' + row['name'] if several else ''}"
            for row in frame.to_dicts()]  # fmt: skip
    last = pl.col("share") == 1.0
    drawn = frame.with_columns(
        bar=pl.Series(bars), interval=pl.Series(map(_interval, frame.to_dicts())),
        cost=pl.lit(setting.figure.metrics[0]), last=last & (pl.col("start") == 0.0),
        **{name: _moved(name) for name in ("value", "low", "high")},
        begin=(pl.col("start").exp() - 1) * 100, threshold=pl.lit(None, pl.Float64),
    ).with_columns(least="begin")  # fmt: skip

    def heading(panel: pl.DataFrame) -> Heading:
        metric = setting.metrics[panel["cost"][0]]
        name = words.panel_name(metric, panel["role"][0])
        return Heading(f"Change of {inside(name)}", words.direction(metric.better))

    def weight(row: dict[str, Any]) -> int:
        return page.BOLD if row["last"] else page.NORMAL

    columns = [
        WordColumn("bar", "left", of_block=True),
        WordColumn("part", "left", color=page.SOFT, weight=weight),
        WordColumn("printed", ha="right", weight=weight, line=2),
        WordColumn("interval", color=page.SOFT, line=2),
    ]
    table = RowTable(sheet, drawn, columns, ("cost", "role"), heading, "bar")
    rows, scale = table.frame, marks.change_axis(drawn, table.room)
    fill = [marks.verdict_colour(verdict) for verdict in rows["verdict"]]
    filled = rows.with_columns(fill=pl.Series(fill, dtype=pl.String))
    layers = [
        *marks.change_ground(rows, marks.change_ends(rows, [1] * len(table.panels))),
        marks.bars(filled, "begin", "value", "fill", 1.25),
        *marks.intervals(filled),
    ]
    table.draw(layers, scale, [1] * len(table.panels))


def _moved(column: str) -> pl.Expr:
    """A change in percent, from where its step begins."""
    return (pl.col("start").exp() * (1 + pl.col(column) / 100) - 1) * 100


def _interval(row: Mapping[str, Any]) -> str:
    return words.interval_text(row["low"], row["high"])


KIND = FigureKind(
    id="waterfall",
    data=data_waterfall,
    words=words_waterfall,
    plot=plot_waterfall,
    draws="a change of CPU cost as steps: instructions, cycles each, frequency",
    answers="why did the cost change?",
    caption="{pairs}",
    reads=(
        "Each bar begins where the one above it ends; the last one is the whole. A "
        "frequency that falls makes cost rise, so it is drawn inverted."
    ),
    key=(
        ("bar", "what one part does to the cost"),
        ("interval", "interval of the change of that part"),
    ),
    compares=True,
    check=check_waterfall,
    check_data=check_parts,
    columns=_COLUMNS,
)
