"""The table: facts in rows and columns, on a page as a table, on a slide as drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, get_args

import polars as pl

from analysis.declared.study import Side
from analysis.declared.vocabulary import part_words
from analysis.declared.workload import SHAPES, parse_workload
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.facts.units import format_unit, format_value
from analysis.figures import page, words
from analysis.figures.findings import finding_of, levels_of
from analysis.figures.kind import FigureKind, Grid, GridCell, check_metrics
from analysis.figures.select import fact_frame, groups, load_names, number_text
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet, TextCell, widest

SIDES: tuple[Side, ...] = get_args(Side)  # as facts are sorted
NONE = "–"
SUM = "Sum"
_GAP = 4.0  # mm between columns
_HEAD = 24.0  # mm that the head of a column takes at most, unless its cells are wider
_NAMES = 0.45  # of the page, for the names of the rows
_LEADING = 1.25  # of the size of the text
_AROUND = 1.6  # mm above and below the words of a row


def data_table(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The facts to print, a row each: values, or changes where the figure says so."""
    changes = setting.figure.shows == "changes"
    return fact_frame(facts, setting, "delta" if changes else "value")


def words_table(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a table."""
    grid, changes = grid_of(frame, setting), setting.figure.shows == "changes"
    finding = finding_of(frame, setting) if changes else _levels(frame, setting)
    unit = f"In {grid.unit}." if grid.unit and not changes else ""
    rows = ". ".join(
        f"{name}: " + ", ".join(cell.text for cell in cells)
        for name, cells in grid.rows
    )
    return page.Words(
        finding,
        unit,
        words.foot_line([], frame),
        f"Table. {finding}. Columns: {', '.join(grid.heads)}. {rows}.",
    )


def plot_table(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """The table as drawn for slides, in columns where these fit, else row by row."""
    grid = grid_of(frame, setting)
    names, columns = _widths(grid, sheet.format)
    if names + sum(columns) <= sheet.format.width:
        _draw_columns(sheet, grid, names, columns)
    else:
        _draw_rows(sheet, grid)


def _levels(frame: pl.DataFrame, setting: Setting) -> str:
    """Which configuration is ahead, or how values grow; else from where to where they
    go."""
    roles = frame["role"].n_unique() > 1
    return ("" if roles else levels_of(frame, setting)) or _ends(frame, setting)


def _ends(frame: pl.DataFrame, setting: Setting) -> str:
    """``Rate 197 to 1,222 trans/s``, metric by metric."""
    spans = []
    for (metric,), part in groups(frame, "metric"):
        rows = part.sort("value").to_dicts()
        low, high = number_text(rows[0]), rows[-1]["printed"]
        ends = high if part["value"].n_unique() == 1 else f"{low} to {high}"
        spans.append(f"{inside(setting.metrics[metric].label)} {ends}")
    text = listed(spans)
    return text[0].upper() + text[1:]


def check_table(setting: Setting) -> list[Issue]:
    """Sums of changes, and changes where nothing is compared, are refused."""
    figure = setting.figure
    issues = check_metrics(setting)
    if figure.shows == "changes" and figure.totals:
        what = f"figure {figure.id}: changes in percent have no totals"
        issues.append(Issue(what, setting.place, "leave totals out, or show values"))
    if figure.shows == "changes" and setting.study.of_values:
        what = f"figure {figure.id}: there are no changes without tests"
        issues.append(Issue(what, setting.place, "write shows: values, or name a test"))
    return issues


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
    rows = frame.select(down).unique(maintain_order=True).rows()
    return sorted(
        rows,
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
        workloads = frame["workload"].unique().to_list()
        self.loads = load_names(workloads)
        self.client = SHAPES[parse_workload(workloads[0]).shape].client
        units = frame["unit"].unique(maintain_order=True).to_list()
        self.unit = format_unit(units[0]) if len(units) == 1 else ""
        self.change = frame["baseline"][0] is not None
        sides: tuple[Side, ...] = ("configuration", "metric", "workload")
        free = [s for s in sides if s not in setting.figure.columns]
        self.whole = self._one(free[0], frame[free[0]][0]) if free else "Value"

    def of(self, sides: Sequence[Side], values: Sequence[Any]) -> str:
        """The name of a row or column: ``Rate, 100 clients``."""
        pairs = zip(sides, values, strict=True)
        return ", ".join(filter(None, (self._one(s, v) for s, v in pairs)))

    def corner(self, sides: Sequence[Side]) -> str:
        """What the rows are: ``Configuration``."""
        names = [self._side(side) for side in sides]
        return ", ".join([*names[:1], *map(str.lower, names[1:])])

    def cell(self, row: dict[str, Any] | None) -> GridCell:
        """What is printed of a fact, without a unit that is told elsewhere."""
        if row is None:
            return GridCell(NONE)
        text = str(row["printed"])
        if self.unit and not self.change:
            text = text.removesuffix(self.unit).rstrip()
        return GridCell(text, row["key"])

    def _side(self, side: Side) -> str:
        counts = side == "workload" and self.loads != {w: w for w in self.loads}
        return f"{self.client}s".capitalize() if counts else side.capitalize()

    def _one(self, side: Side, value: Any) -> str:
        if side == "workload":
            return self.loads[value]
        if side == "metric":
            return self.setting.metrics[value].label
        if side == "configuration":
            return self.setting.label(value)
        return part_words(value) if value else ""


def _sum(
    frame: pl.DataFrame, across: Sequence[Side], column: Sequence[Any]
) -> GridCell:
    """The sum of a column, where all of it has one unit."""
    cells = frame
    for side, value in zip(across, column, strict=True):
        cells = cells.filter(pl.col(side).eq_missing(value))
    if cells["unit"].n_unique() != 1:
        return GridCell(NONE)
    text = format_value(float(cells["value"].sum()), cells["unit"][0])
    if frame["unit"].n_unique() == 1:
        text = text.removesuffix(format_unit(cells["unit"][0])).rstrip()
    return GridCell(text)


def _widths(grid: Grid, format: page.PageFormat) -> tuple[float, list[float]]:
    """The width of the names of rows, and of each column with its gap [mm]."""
    size = format.text
    names = widest([grid.corner, *(name for name, _ in grid.rows)], size, page.BOLD)
    columns = []
    for i, head in enumerate(grid.heads):
        cells = widest([row[i].text for _, row in grid.rows], size, page.BOLD)
        longest = widest(head.split(), size, page.BOLD)
        room = max(cells, longest, min(widest([head], size, page.BOLD), _HEAD))
        columns.append(room + _GAP)
    return min(names, format.width * _NAMES) + 0.5, columns


def _draw_columns(sheet: Sheet, grid: Grid, names: float, columns: list[float]) -> None:
    line, first = sheet.format.text * page.POINT * _LEADING, (0.0, names)
    rights = list(accumulate(columns, initial=names))
    spans = [(left + _GAP - 0.1, right) for left, right in pairwise(rights)]
    heads = [TextCell(grid.corner, first, page.SOFT)]
    pairs = zip(grid.heads, spans, strict=True)
    heads += [TextCell(head, x, page.INK, page.BOLD, "right") for head, x in pairs]
    sheet.row(heads, line, down=True)
    sheet.y += 0.8
    sheet.rule(rights[-1], page.INK, 0.6)
    for name, row in grid.rows:
        weight, cells = (
            page.BOLD if name == SUM else page.NORMAL,
            zip(row, spans, strict=True),
        )
        texts = [TextCell(cell.text, x, page.INK, weight, "right") for cell, x in cells]
        sheet.row([TextCell(name, first, page.INK, weight), *texts], line, _AROUND)
        sheet.rule(rights[-1])


def _draw_rows(sheet: Sheet, grid: Grid) -> None:
    """Each row below its name: as many heads with their values as fit side by side."""
    size, width = sheet.format.text, sheet.format.width
    line = size * page.POINT * _LEADING
    cells = [cell.text for _, row in grid.rows for cell in row]
    pair = widest(grid.heads, size) + 2.0 + widest(cells, size, page.BOLD) + _GAP
    step = (width + _GAP) / max(int((width + _GAP) // pair), 1)
    starts = [i * step for i in range(round((width + _GAP) / step))]
    for name, row in grid.rows:
        sheet.y += _AROUND / 2
        sheet.row([TextCell(name, (0.0, width), page.INK, page.BOLD)], line)
        pairs = list(zip(grid.heads, row, strict=True))
        for first in range(0, len(pairs), len(starts)):
            placed = zip(starts, pairs[first : first + len(starts)], strict=False)
            texts = [
                cell
                for left, (head, value) in placed
                for right in [left + step - _GAP]
                for cell in (
                    TextCell(head, (left, right), page.SOFT),
                    TextCell(value.text, (left, right), align="right"),
                )
            ]
            sheet.row(texts, line)
        sheet.y += _AROUND / 2
        sheet.rule(width)


KIND = FigureKind(
    id="table",
    data=data_table,
    words=words_table,
    plot=plot_table,
    table=grid_of,
    draws="chosen facts in rows and columns, a real table on the page",
    answers="what is each value?",
    caption="{all}",
    reads="Each cell is a median, or a change; a click leads to what it is made from.",
    check=check_table,
)
