"""A table drawn on a sheet: in columns where these fit, else row by row."""

from __future__ import annotations

from analysis.figures.diagrams.sheet import Sheet, draw_foot, draw_head, widest
from analysis.figures.grid import SUM, Grid
from analysis.figures.page import BOLD, NORMAL, POINT, PageFormat, Words, wrap
from analysis.figures.palette import INK, RULE, SOFT

_GAP = 4.0  # mm between columns
_HEAD = 24.0  # mm that the head of a column takes at most, unless its cells are wider
_NAMES = 0.45  # of the page, for the names of the rows
_LEADING = 1.25  # of the size of the text
_AROUND = 1.6  # mm above and below the words of a row


def draw_grid(grid: Grid, words: Words, format: PageFormat) -> Sheet:
    """The table with its words, as wide as the format."""
    sheet = Sheet(format)
    draw_head(sheet, words)
    names, columns = _widths(grid, format)
    if names + sum(columns) <= format.width:
        _draw_columns(sheet, grid, names, columns)
    else:
        _draw_rows(sheet, grid)
    draw_foot(sheet, words)
    return sheet


def _widths(grid: Grid, format: PageFormat) -> tuple[float, list[float]]:
    """The width of the names of rows, and of each column with its gap [mm]."""
    size = format.text
    names = widest([grid.corner, *(name for name, _ in grid.rows)], size, BOLD)
    columns = []
    for i, head in enumerate(grid.heads):
        cells = widest([row[i].text for _, row in grid.rows], size, BOLD)
        words = widest(head.split(), size, BOLD)
        room = max(cells, words, min(widest([head], size, BOLD), _HEAD))
        columns.append(room + _GAP)
    return min(names, format.width * _NAMES) + 0.5, columns


def _draw_columns(sheet: Sheet, grid: Grid, names: float, columns: list[float]) -> None:
    size, line = sheet.format.text, sheet.format.text * POINT * _LEADING
    heads = [
        wrap(head, width - _GAP + 0.1, size, BOLD)
        for head, width in zip(grid.heads, columns, strict=True)
    ]
    rights = [names + sum(columns[: i + 1]) for i in range(len(columns))]
    end = rights[-1]
    lines = max(len(words) for words in [*heads, wrap(grid.corner, names, size, BOLD)])
    bottom = sheet.y + lines * line
    for words, right in zip(heads, rights, strict=True):
        for i, text in enumerate(reversed(words)):
            place = (right, bottom - (i + 0.5) * line)
            sheet.text(place, text, weight=BOLD, align="right")
    for i, text in enumerate(reversed(wrap(grid.corner, names, size, BOLD))):
        sheet.text((0.0, bottom - (i + 0.5) * line), text, color=SOFT)
    sheet.y = bottom + 0.8
    sheet.line((0.0, sheet.y), (end, sheet.y), INK, 0.6)
    for name, cells in grid.rows:
        told = wrap(name, names, size, BOLD)
        weight = BOLD if name == SUM else NORMAL
        high = len(told) * line + _AROUND
        for i, text in enumerate(told):
            place = (0.0, sheet.y + _AROUND / 2 + (i + 0.5) * line)
            sheet.text(place, text, weight=weight)
        for cell, right in zip(cells, rights, strict=True):
            place = (right, sheet.y + high / 2)
            sheet.text(place, cell.text, weight=weight, align="right")
        sheet.y += high
        sheet.line((0.0, sheet.y), (end, sheet.y), RULE, 0.4)


def _draw_rows(sheet: Sheet, grid: Grid) -> None:
    """Each row below its name: as many heads with their values as fit side by side."""
    size, width = sheet.format.text, sheet.format.width
    line = size * POINT * _LEADING
    cells = [cell.text for _, row in grid.rows for cell in row]
    pair = widest(list(grid.heads), size) + 2.0 + widest(cells, size, BOLD)
    beside = max(int((width + _GAP) // (pair + _GAP)), 1)
    step = (width + _GAP) / beside
    for name, row in grid.rows:
        sheet.y += _AROUND / 2
        for text in wrap(name, width, size, BOLD):
            sheet.text((0.0, sheet.y + line / 2), text, weight=BOLD)
            sheet.y += line
        for i, (head, cell) in enumerate(zip(grid.heads, row, strict=True)):
            left, y = (i % beside) * step, sheet.y + (i // beside + 0.5) * line
            for n, text in enumerate(wrap(head, step - _GAP, size)):
                sheet.text((left, y + n * line), text, color=SOFT)
            sheet.text((left + step - _GAP, y), cell.text, align="right")
        sheet.y += -(-len(row) // beside) * line + _AROUND / 2
        sheet.line((0.0, sheet.y), (width, sheet.y), RULE, 0.4)
