"""Answers of editions as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.report.across.answers import AnswerCell, Continued, SharedAnswer


def told(answers: list[SharedAnswer]) -> str:
    """All answers, one below the other."""
    return "\n\n".join("\n".join(_lines(one)) for one in answers)


def _lines(answer: SharedAnswer) -> Iterator[str]:
    yield answer.question.title
    if answer.question.text:
        yield answer.question.text.strip()
    for number, side in enumerate(answer.sides, 1):
        yield f"  [{number}] {side.edition}, {side.study}: {side.pair}"
        yield f"      declared in {side.place}"
    for edition in answer.absent:
        yield f"  {edition} has no facts yet: run 'make report'"
    for row in answer.rows:
        yield f"  {row.label}"
        for number, cell in enumerate(row.cells, 1):
            if cell:
                yield f"    [{number}] {_said(cell)}"
    for same in answer.same:
        yield from _continued(same)


def _said(cell: AnswerCell) -> str:
    between = f" ({cell.interval})" if cell.interval else ""
    return f"{cell.printed}{between}, {cell.judged}; {cell.origin}"


def _continued(same: Continued) -> Iterator[str]:
    earlier, later = same.arms
    yield (
        f"  {earlier.configuration} of {earlier.edition} should be "
        f"{later.configuration} of {later.edition}, its baseline"
    )
    yield from (f"    differs in {words}" for words in same.differs)
    if same.rows:
        yield f"    values rest on: {' → '.join(same.origins)}"
    for label, before, after, change in same.rows:
        yield f"    {label}: {before} → {after} ({change})"
    if not same.rows:
        yield "    no workload has values in both"
