"""The waterfall: a change of cost as the steps of what makes it.

Parts are changes of geometric means, which multiply to the whole exactly; the interval
of each is that of the change of its metric, as the report has it everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.declared.metrics import COST_PARTS
from analysis.errors import Issue
from analysis.facts.fact import Fact, Facts
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
from analysis.statistics.product import Factor, log_parts

DIVIDES = "cpu_frequency"  # a higher one lowers the cost
_NEARLY_ALL, _MOST = 0.8, 0.5  # of a change, from which on a part is called that
_ADDS_UP = 1e-6  # of a logarithm: parts of other work than the cost do not
_GUIDE = "docs/how-to/why.md"
_BAR = ("role", "workload", "configuration")
_COLUMNS = (
    "workload", "role", "part", "metric", "configuration", "baseline", "value", "low",
    "high", "log_change", "share", "unit", "n", "verdict", "origin", "basis", "key",
)  # fmt: skip
Values = Mapping[tuple[str, str | None, str, str], Fact]


def data_waterfall(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The parts of each change and the whole last, a row each: ``part``, its
    ``log_change``, which adds up, its ``share`` of the whole, and where its step has
    its ``start``; ``without`` names the changes that lack a part. Where all lack one,
    these are the changes alone.
    """
    values = {
        (f.workload, f.role, f.metric, f.configuration): f
        for f in facts.facts
        if f.kind == "value"
    }
    deltas = {
        (f.workload, f.role, f.metric, f.configuration): f
        for f in facts.facts
        if f.kind == "delta"
    }
    rows = list[dict[str, Any]]()
    lacks = set[str]()
    for row in fact_frame(facts, setting, "delta").to_dicts():
        cell = row["workload"], row["role"]
        sides = _sides(values, cell, row)
        whole, *logs = (log_parts(sides) if sides else None) or (math.nan,)
        if not abs(sum(logs) - whole) < _ADDS_UP:
            lacks.add(f"{row['role'] or ''} {row['workload']}".strip())
            continue
        rows += _steps(row, logs, deltas, setting)
    if not rows:
        return fact_frame(facts, setting, "delta")  # which check_parts refuses
    known = {name: kind for name, kind in SCHEMA.items() if name in rows[0]}
    frame = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=known)
    return frame.with_columns(without=pl.lit(", ".join(sorted(lacks))))


def _sides(
    values: Values, cell: tuple[str, str | None], row: Mapping[str, Any]
) -> list[Factor]:
    """The runs of both sides of the cost and of each part; empty where one lacks."""
    sides = []
    parts = COST_PARTS.get(row["metric"], ())
    for metric in (row["metric"], *parts) if parts else ():
        both = [
            values.get((*cell, metric, configuration))
            for configuration in (row["baseline"], row["configuration"])
        ]
        if None in both:
            return []
        before, after = (
            dict(zip(f.lineage.runs, f.samples, strict=False)) for f in both if f
        )
        sides.append(Factor(before, after, metric == DIVIDES))
    return sides


def _steps(
    whole: Mapping[str, Any], logs: list[float], deltas: Values, setting: Setting
) -> Iterator[dict[str, Any]]:
    """The rows of one change: each part from where the one before it ends."""
    total, start = sum(logs), 0.0
    for metric, step in zip(COST_PARTS[whole["metric"]], logs, strict=True):
        fact = deltas.get(
            (whole["workload"], whole["role"], metric, whole["configuration"])
        )
        name = setting.metrics[metric].label + ", inverted" * (metric == DIVIDES)
        entries = ("key", "verdict", "n", "origin", "basis")
        told = dict(whole) | {"metric": metric}
        told |= {entry: getattr(fact, entry, None) for entry in entries}
        yield (
            told
            | _step(name, step, start, fact, metric == DIVIDES)
            | {"share": step / total if abs(total) > 1e-9 else None}
        )
        start += step
    own = (whole["workload"], whole["role"], whole["metric"], whole["configuration"])
    label = setting.metrics[whole["metric"]].label
    yield dict(whole) | _step(label, total, 0.0, deltas[own], False) | {"share": 1.0}


def _step(
    name: str, step: float, start: float, fact: Fact | None, divides: bool
) -> dict[str, Any]:
    """A step in percent, with the interval of its metric's change about it."""
    value = math.expm1(step) * 100
    low, high = (fact.low, fact.high) if fact else (None, None)
    if divides and low is not None and high is not None and low > -100:
        low, high = _inverted(high), _inverted(low)
    return {
        "part": name, "log_change": step, "start": start, "value": value,
        "low": None if low is None else min(low, value),
        "high": None if high is None else max(high, value),
        "printed": format_percent(value),
    }  # fmt: skip


def _inverted(change: float) -> float:
    return (100 / (100 + change) - 1) * 100


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
    reason = _why(most)
    if len(clear) > 1 and len(set(why)) == 1:
        reason = reason.replace("all of it", "all of each change")
        reason = reason.replace("most of it", "most of each change")
    return f"{size} {way} ({_place(whole, setting)}): {reason}"


def _why(cell: pl.DataFrame) -> str:
    """``nearly all of it is instructions per transaction``."""
    *parts, _ = cell.to_dicts()
    first = max(parts, key=lambda row: row["share"] or 0.0)
    name, share = inside(first["part"]), first["share"] or 0.0
    others = sum(abs(row["share"] or 0.0) for row in parts if row is not first)
    if share >= _NEARLY_ALL and others <= 2 * (1 - _NEARLY_ALL):
        return f"nearly all of it is {name}"
    if share >= _MOST and others <= 2 * _MOST:
        return f"most of it is {name}"
    return f"several parts, the largest is {name}"


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
