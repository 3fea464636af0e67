"""The page ``across.html``: questions that several editions answer, side by side,
with how far each side's changes reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.questions import SharedQuestion, read_questions
from analysis.errors import Issue, raise_if
from analysis.facts.sentences import tally
from analysis.files.atomic import write_all
from analysis.report.across.answers import AnswerCell, AnswerRow, SharedAnswer, answer
from analysis.report.across.library import Library
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.pages.html_page import html_page, page_styles

PAGE = "across.html"
TEMPLATE = "across.html.j2"
_LEAST = 1.5  # per cent of the axis: what is narrower is not seen
_AXIS = 5.0  # per cent of change that an axis has at least: noise stays small


def all_answers(library: Library, only: tuple[str, ...] = ()) -> list[SharedAnswer]:
    """The answers to the questions that two editions or more, of ``only``, answer."""
    questions, node = read_questions(library.report)
    raise_if([i for n, q in enumerate(questions) for i in library.mistakes(q, n, node)])
    return _answers(library, questions, only)


def _answers(
    library: Library, questions: Iterable[SharedQuestion], only: tuple[str, ...] = ()
) -> list[SharedAnswer]:
    found = [answer(library, question, only) for question in questions]
    return [one for one in found if len({s.edition for s in one.sides}) > 1]


def across_page(answers: list[SharedAnswer], templates: Path, nothing: str = "") -> str:
    """The page as HTML; it asks the network for nothing. It says ``nothing`` where
    there are no answers."""
    styles = page_styles(templates, font_css(CACHE))
    shown = [
        {"answer": one, "columns": reach_columns(one)}
        | {"origins": origins(one), "met": met_rows(one)}
        for one in answers
    ]
    known = {"shown": shown, "styles": styles, "nothing": nothing}
    return html_page(templates, TEMPLATE, known)


def write_across(folder: Path, library: Library, templates: Path) -> list[Issue]:
    """Write the page into the folder of the builds, or take it away if it is empty.

    Questions with mistakes are left out, and these returned; one about an edition that
    is gone is left out in silence, as a report must not fail for it.
    """
    page = folder / PAGE
    questions, node = read_questions(library.report)
    told = {q.id: list(library.mistakes(q, n, node)) for n, q in enumerate(questions)}
    if answers := _answers(library, [q for q in questions if not told[q.id]]):
        text = across_page(answers, templates)
        write_all(folder, {PAGE: text.encode()})
    else:
        page.unlink(missing_ok=True)
    there = {
        q.id for q in questions if {o.edition for o in q.of} <= {*library.editions}
    }
    return [issue for id in sorted(there) for issue in told[id]]


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
