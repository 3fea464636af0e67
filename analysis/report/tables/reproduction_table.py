"""The reproduction appendix: published numbers beside derived ones, with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from analysis.declared.edition import Edition, Group, study_id
from analysis.declared.published import Published, PublishedIssue
from analysis.facts.sentences import listed
from analysis.report.expressions.bound import Average, span
from analysis.report.material import Material
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import PREDICTED
from analysis.report.tables.reproduction import OUTCOMES, Match, match_rows
from analysis.report.tables.reproduction_words import (
    number_words,
    published_words,
    remarks,
    statement,
    tolerance_words,
)

_GLYPHS = {
    "reproduced": "[✓ reproduced]{.verdict .improved}",
    "differs": "[≠ differs]{.verdict .regressed}",
    "predicted": f"[{PREDICTED} predicted]{{.verdict .predicted}}",
    "not derived": "not derived",
}


def reproduction(material: Material, cited: Iterable[str]) -> dict[str, Any] | None:
    """What the appendix prints; None where nothing was published of the studies.

    ``cited`` are the keys of the edition's bibliography.
    """
    facts = material.facts.facts
    matches = match_rows(material.published, material.studies, facts)
    if not matches:
        return None
    tables = [
        _table(material, [m for m in matches if m.study in ids], title, id, cited)
        for id, title, ids in parts_of(material)
    ]
    rows = [match.row for match in matches]
    return {
        "count": len(matches),
        "tally": tally_of(matches),
        "predicted": sum(match.outcome == "predicted" for match in matches),
        "paired": any(match.paired for match in matches),
        "tables": [text for text in tables if text],
        "others": _others(material.issues, rows),
    }


def tally_of(matches: Sequence[Match]) -> str:
    """How many rows have each outcome: ``80 are reproduced and 2 are not derived``."""
    counts = {o: sum(m.outcome == o for m in matches) for o in OUTCOMES}
    return listed(f"{n} {_words(o, n)}" for o, n in counts.items() if n)


def _words(outcome: str, count: int) -> str:
    verb = {"differs": "differ" if count > 1 else "differs"}
    be = "are" if count > 1 else "is"
    return verb.get(outcome, f"{be} {outcome}")


def parts_of(material: Material) -> list[tuple[str, str, Sequence[str]]]:
    """The studies that share a table: those of a group, or one alone."""
    edition: Edition = material.edition
    found: list[tuple[str, str, Sequence[str]]] = []
    for entry in edition.studies:
        if isinstance(entry, Group):
            found.append((entry.id, entry.title, [*map(study_id, entry.studies)]))
        else:
            id = study_id(entry)
            found.append((id, material.studies[id].title, (id,)))
    return found


def _table(
    material: Material,
    matches: list[Match],
    title: str,
    id: str,
    cited: Iterable[str],
) -> str:
    if not matches:
        return ""
    notes, keys = Notes(), set(cited)
    columns = [
        Column("What was published", 54),
        Column("Where", 27),
        Column("Published", 21, number=True),
        Column("Derived", 14, number=True),
        Column("Tolerance", 12, number=True),
        Column("Verdict", 22),
    ]
    rows, before = list[list[str]](), ""
    several = len({match.study for match in matches}) > 1  # else the caption names it
    for match in matches:
        study = escape(material.studies[match.study].title)
        told = remarks(material, match)
        if match.study != before and several:
            rows.append([f"[{study}](#sec-{match.study})", *[""] * (len(columns) - 1)])
        rows.append(
            [
                escape(statement(match, material)),
                _where(match.row, keys),
                published_words(match.row) + notes.mark(told),
                _derived(match),
                tolerance_words(match) or NONE,
                _verdict(match, notes),
            ]
        )
        before = match.study
    caption = f"{escape(title)}. Published numbers and what this edition derives."
    return table(columns, rows, caption, f"{id}-reproduction", notes)


def _where(row: Published, cited: set[str]) -> str:
    source = f" [@{row.citation}]" if row.citation in cited else ""
    return escape(row.place) + source


def _derived(match: Match) -> str:
    if match.derived is None:
        return NONE
    text = number_words(match.row, match.derived)
    if len(match.facts) == 1:
        return span(text, match.facts[0])
    return str(Average(match.facts, text))


def _verdict(match: Match, notes: Notes) -> str:
    mark = notes.mark(
        [match.reason[:1].upper() + match.reason[1:]] * bool(match.reason)
    )
    return _GLYPHS[match.outcome] + ", sorted" * match.paired + mark


def _others(issues: Iterable[PublishedIssue], rows: list[Published]) -> list[str]:
    """Inconsistencies of the same sources that are of no number."""
    editions = {row.edition for row in rows}
    return [
        f"{escape(issue.place[:1].upper() + issue.place[1:])}: {escape(issue.text)}"
        for issue in issues
        if editions.intersection(issue.editions) and not issue.rows
    ]
