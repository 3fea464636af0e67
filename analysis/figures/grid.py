"""Facts in rows and columns: what differs among them names the sides of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from analysis.declared.study import Side
from analysis.declared.vocabulary import part_words
from analysis.declared.workload import SHAPES, parse_workload
from analysis.facts.units import format_unit, format_value
from analysis.figures.select import groups
from analysis.figures.setting import Setting

SIDES: tuple[Side, ...] = get_args(Side)  # as facts are sorted
NONE = "–"
SUM = "Sum"
_DIGITS = "0123456789.,"


@dataclass(frozen=True)
class GridCell:
    """What a table prints in one place, and the key of its fact; sums have none."""

    text: str
    key: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: what its rows are, the heads of its columns, its rows by their names.

    ``unit`` is that of all cells, which then do not repeat it.
    """

    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]
    unit: str = ""


def grid_of(frame: pl.DataFrame, setting: Setting) -> Grid:
    """The table of a figure's facts.

    Whatever differs among them and is none of the columns names the rows.
    """
    across = setting.figure.columns
    down = _down(frame, setting)
    names = _Names(frame, setting)
    columns = frame.select(across).unique(maintain_order=True).rows()
    cells = {
        (row, column): part.row(0, named=True)
        for (*_,), part in groups(frame, *down, *across)
        for row in [tuple(part.select(down).row(0)) if down else ()]
        for column in [part.select(across).row(0)]
    }
    keys = _ordered(frame, down)
    rows = [
        (
            names.of(down, key) or names.whole,
            tuple(names.cell(cells.get((key, column))) for column in columns),
        )
        for key in keys
    ]
    if setting.figure.totals:
        rows.append((SUM, tuple(_sum(frame, across, column) for column in columns)))
    heads = tuple(names.of(across, column) for column in columns)
    return Grid(names.corner(down), heads, tuple(rows), names.unit)


def _ordered(frame: pl.DataFrame, down: Sequence[Side]) -> list[tuple[Any, ...]]:
    """What names the rows, side by side in the order in which it first occurs."""
    if not down:
        return [()]
    places = {s: list(dict.fromkeys(frame[s])) for s in down}
    found = frame.select(down).unique(maintain_order=True).rows()
    return sorted(
        found,
        key=lambda row: [places[s].index(v) for s, v in zip(down, row, strict=True)],
    )


def _down(frame: pl.DataFrame, setting: Setting) -> list[Side]:
    """The sides of the rows: those named, then the others in which facts differ."""
    figure = setting.figure
    others = [s for s in SIDES if frame[s].n_unique() > 1]
    wanted = dict.fromkeys([*figure.rows, *others])
    return [side for side in wanted if side not in figure.columns]


class _Names:
    """What the sides of a table are called, and what stands in its cells."""

    def __init__(self, frame: pl.DataFrame, setting: Setting) -> None:
        self.setting = setting
        self.whole = setting.label(frame["configuration"][0])
        workloads = frame["workload"].unique().to_list()
        self.counted = _are_counts(workloads)
        self.client = SHAPES[parse_workload(workloads[0]).shape].client
        units = frame["unit"].unique(maintain_order=True).to_list()
        self.unit = format_unit(units[0]) if len(units) == 1 else ""
        self.change = frame["baseline"][0] is not None

    def of(self, sides: Sequence[Side], values: Sequence[Any]) -> str:
        """The name of a row or column: ``Rate, 100 clients``."""
        pairs = zip(sides, values, strict=True)
        return ", ".join(filter(None, (self._one(s, v) for s, v in pairs)))

    def corner(self, sides: Sequence[Side]) -> str:
        """What the rows are: ``Configuration``."""
        told = [self._side(side) for side in sides]
        return ", ".join([*told[:1], *map(str.lower, told[1:])])

    def cell(self, row: dict[str, Any] | None) -> GridCell:
        """What is printed of a fact, without a unit that is told elsewhere."""
        if row is None:
            return GridCell(NONE)
        text = str(row["printed"])
        if self.unit and not self.change:
            text = text.removesuffix(self.unit).rstrip()
        return GridCell(text, row["key"])

    def _side(self, side: Side) -> str:
        counts = side == "workload" and self.counted
        return f"{self.client}s".capitalize() if counts else side.capitalize()

    def _one(self, side: Side, value: Any) -> str:
        if side == "workload":
            clients = parse_workload(value).clients
            counted = f"{clients:,} {self.client}{'s' * (clients != 1)}"
            return counted if self.counted else str(value)
        if side == "metric":
            return self.setting.metrics[value].label
        if side == "configuration":
            return self.setting.label(value)
        return part_words(value) if value else ""


def _are_counts(workloads: Sequence[str]) -> bool:
    """Whether workloads differ in nothing but the number of their clients."""
    known = [parse_workload(name) for name in workloads]
    apart = {(w.shape, w.request_bytes, w.response_bytes) for w in known}
    return len(known) > 1 and len(apart) == 1


def _sum(
    frame: pl.DataFrame, across: Sequence[Side], column: Sequence[Any]
) -> GridCell:
    """The sum of a column, where all of it has one unit."""
    own = frame
    for side, value in zip(across, column, strict=True):
        own = own.filter(pl.col(side).eq_missing(value))
    if own["unit"].n_unique() != 1:
        return GridCell(NONE)
    text = format_value(float(own["value"].sum()), own["unit"][0])
    if frame["unit"].n_unique() == 1:
        text = text.removesuffix(format_unit(own["unit"][0])).rstrip()
    return GridCell(text)
