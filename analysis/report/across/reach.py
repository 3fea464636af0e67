"""The answers to a question at a glance: how far each side's changes reach.

One line a side and one column a metric, with a bar on an axis that all lines share, so
that the eye follows a question from report to report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.facts.sentences import tally
from analysis.report.across.answers import AnswerCell, AnswerRow, SharedAnswer

_LEAST = 1.5  # per cent of the axis: what is narrower is not seen
_AXIS = 5.0  # per cent of change that an axis has at least: noise stays small


@dataclass(frozen=True)
class Reach:
    """The changes of a metric on one side, the lowest and the highest of them printed.

    ``start``, ``width`` and ``zero`` are per cent of the axis of the metric.
    """

    printed: str
    verdicts: str
    start: float
    width: float
    zero: float


@dataclass(frozen=True)
class ReachColumn:
    """A metric, of all roles and workloads, and the span of each side."""

    label: str
    spans: tuple[Reach | None, ...]


def reach_columns(answer: SharedAnswer) -> list[ReachColumn]:
    """The columns, in the order of the question's metrics."""
    return [_column(rows) for rows in _by_metric(answer.rows).values()]


def _by_metric(rows: tuple[AnswerRow, ...]) -> dict[str, list[AnswerRow]]:
    found: dict[str, list[AnswerRow]] = {}
    for row in rows:
        found.setdefault(row.name[0], []).append(row)
    return found


def _column(rows: list[AnswerRow]) -> ReachColumn:
    values = [cell.value for row in rows for cell in row.cells if cell]
    low, high = min(-_AXIS, *values), max(_AXIS, *values)
    sides = zip(*(row.cells for row in rows), strict=True)
    _, role, workload = rows[0].name
    label = rows[0].label.removesuffix(f", {workload}").removesuffix(f", {role}")
    return ReachColumn(label, tuple(_reach(side, low, high) for side in sides))


def _reach(
    cells: tuple[AnswerCell | None, ...], low: float, high: float
) -> Reach | None:
    found = sorted((cell for cell in cells if cell), key=lambda cell: cell.value)
    if not found:
        return None
    first, last = found[0], found[-1]
    ends = dict.fromkeys((first.printed, last.printed))
    of = high - low
    width = max(100 * (last.value - first.value) / of, _LEAST)
    return Reach(
        " to ".join(ends),
        tally(cell.verdict for cell in found),
        min(100 * (first.value - low) / of, 100 - width),
        width,
        100 * -low / of,
    )


def origins(answer: SharedAnswer) -> list[str]:
    """Of each side where its values come from, and who chose the sizes."""
    sides = zip(*(row.cells for row in answer.rows), strict=True)
    return [
        "; ".join(dict.fromkeys(cell.origin for cell in side if cell)) for side in sides
    ]


@dataclass(frozen=True)
class MetRows:
    """Rows that several editions answer: the sides that do, and their rows."""

    sides: tuple[int, ...]
    rows: tuple[AnswerRow, ...]


def met_rows(answer: SharedAnswer) -> MetRows:
    """The metrics of workloads of which two editions or more have a change."""
    rows = tuple(row for row in answer.rows if len(set(_editions(answer, row))) > 1)
    sides = (n for n in range(len(answer.sides)) if any(row.cells[n] for row in rows))
    return MetRows(tuple(sides), rows)


def _editions(answer: SharedAnswer, row: AnswerRow) -> Iterator[str]:
    for side, cell in zip(answer.sides, row.cells, strict=True):
        if cell:
            yield side.edition
