"""The equivalence plot: are all changes of a study within the limit that counts?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.figures import page, words
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import Heading, RowTable, WordColumn
from analysis.figures.kind import FigureKind
from analysis.figures.kinds.delta import delta_foot
from analysis.figures.select import PANEL, fact_frame, groups
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet

_STEP = 1.15  # mm between two intervals


def data_equivalence(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The figure's changes, one row for each metric, role, workload and test, with the
    intervals that decide whether they are comparable."""
    judged = tuple(fact.at_90 for fact in facts.facts)
    return fact_frame(replace(facts, facts=judged), setting, "delta")


def words_equivalence(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of an equivalence plot."""
    parts = _panels(frame, setting)
    outside = [name for name, p in parts if not all(map(_within, p.to_dicts()))]
    limits = sorted(f"{limit:.2g}%" for limit in set(frame["threshold"].drop_nulls()))
    within = f"within {' to '.join(limits)}"
    finding = f"Every change stays {within}"
    if outside:
        first, *more = outside
        named = listed([first, *map(inside, more)])
        finding = f"{named} {'do' if more else 'does'} not stay {within} throughout"
    if not limits:
        finding = "Too few runs for an interval of any change"
    subtitle = "Intervals of the changes. Shaded: within the limit."
    panels = [f"{name}: {_count(p)}, {_span(p)}" for name, p in parts]
    alt = f"Interval chart. {finding}. {'; '.join(panels)}."
    return page.Words(finding, subtitle, delta_foot(frame, setting), alt)


def plot_equivalence(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """One row a metric and role, in it the intervals of all workloads by size."""
    parts = _panels(frame, setting)
    most = max(part.height for _, part in parts)
    first = pl.DataFrame(
        [
            part.row(0, named=True) | {"says": name, "count": _count(part)}
            | {"span": _span(part), "one": 1, "keys": ""}
            for name, part in parts
        ],
        infer_schema_length=None, schema_overrides=frame.schema,
    )  # fmt: skip
    columns = [
        WordColumn("says", "left"),
        WordColumn("count", weight=page.BOLD),
        WordColumn("span", color=page.SOFT),
    ]
    heading = Heading("Change", "intervals, lowest to highest")
    high = (most + 1) * _STEP
    table = RowTable(sheet, first, columns, ["one"], lambda _: heading, marks=high)
    changes, scale = _placed(table.frame, parts), marks.change_axis(frame, table.room)
    plain = changes.with_columns(model=pl.lit(None, pl.String))  # ends would touch
    layers = marks.change_ground(table.frame, marks.change_ends(changes, [1]))
    table.draw([*layers, *marks.intervals(plain, width=1.1, mark=0.45)], scale)
    x, (top, _) = sheet.panels[0].x, sheet.panels[0].y
    for row in changes.to_dicts():
        y = (top - row["y"] - _STEP / 2, top - row["y"] + _STEP / 2)
        sheet.hit(x, y, row["key"], row["workload"])


def _panels(frame: pl.DataFrame, setting: Setting) -> list[tuple[str, pl.DataFrame]]:
    return [
        (words.panel_name(setting.metrics[metric], role), part)
        for (metric, role), part in groups(frame, *PANEL)
    ]


def _placed(rows: pl.DataFrame, parts: list[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Every change in the row of its metric, the highest on top."""
    placed: list[dict[str, Any]] = []
    for (_, part), row in zip(parts, rows.to_dicts(), strict=True):
        ordered = part.sort("value", descending=True, maintain_order=True).to_dicts()
        top = row["y"] + _STEP * (len(ordered) - 1) / 2
        placed += [
            change | {"panel": row["panel"], "y": top - i * _STEP}
            for i, change in enumerate(ordered)
        ]
    return pl.DataFrame(
        placed, infer_schema_length=None, schema_overrides=parts[0][1].schema
    )


def _within(row: dict[str, Any]) -> bool:
    if row["low"] is None or row["threshold"] is None:
        return False
    return bool(-row["threshold"] <= row["low"] and row["high"] <= row["threshold"])


def _count(part: pl.DataFrame) -> str:
    return f"{sum(map(_within, part.to_dicts()))} of {part.height} within"


def _span(part: pl.DataFrame) -> str:
    """From the lowest end of an interval to the highest."""
    return words.interval_text(part["low"].min(), part["high"].max())  # type: ignore[arg-type]


KIND = FigureKind(
    id="equivalence",
    data=data_equivalence,
    words=words_equivalence,
    plot=plot_equivalence,
    draws="the intervals of all changes, metric by metric, against the limit",
    answers="is everything as it was?",
    caption="{pairs}",
    reads=(
        "Each thick line is the interval of one change. Where all of them lie in "
        "the band, nothing changed that matters."
    ),
    key=(
        ("interval", "interval of one change"),
        ("band", "changes within the limit"),
    ),
    compares=True,
    better="",
)
