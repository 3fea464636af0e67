"""The reproduction appendix: published numbers beside derived ones, with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from analysis.declared.edition import Edition, Group, study_id
from analysis.declared.metrics import Metric
from analysis.declared.published import ALL, Published, PublishedIssue
from analysis.facts.sentences import listed
from analysis.facts.units import (
    MINUS,
    format_number,
    format_percent,
    format_unit,
)
from analysis.report.expressions.bound import Average, span
from analysis.report.material import Material
from analysis.report.pipe_table import NONE, Column, Notes, escape, table
from analysis.report.tables.cells import PREDICTED
from analysis.report.tables.reproduction import (
    OUTCOMES,
    Match,
    match_rows,
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
    counts = {o: sum(m.outcome == o for m in matches) for o in OUTCOMES}
    tables = [
        _table(material, [m for m in matches if m.study in ids], title, id, cited)
        for id, title, ids in _parts(material)
    ]
    rows = [match.row for match in matches]
    return {
        "count": len(matches),
        "tally": listed(f"{n} {_words(o, n)}" for o, n in counts.items() if n),
        "predicted": counts["predicted"],
        "tables": [text for text in tables if text],
        "others": _others(material.issues, rows),
    }


def _words(outcome: str, count: int) -> str:
    verb = {"differs": "differ" if count > 1 else "differs"}
    be = "are" if count > 1 else "is"
    return verb.get(outcome, f"{be} {outcome}")


def _parts(material: Material) -> list[tuple[str, str, Sequence[str]]]:
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
        Column("Study", 14),
        Column("What was published", 46),
        Column("Where", 34),
        Column("Published", 16, number=True),
        Column("Derived", 11, number=True),
        Column("Tolerance", 11, number=True),
        Column("Verdict", 16),
    ]
    rows = []
    before = ""
    for match in matches:
        study = escape(material.studies[match.study].title)
        told = [*([match.row.note] if match.row.note else []), *_told(material, match)]
        rows.append(
            [
                f"[{study}](#sec-{match.study})" if match.study != before else "",
                _statement(match.row, material),
                _where(match.row, keys),
                _published(match.row) + notes.mark(told),
                _derived(match),
                _tolerance(match),
                _verdict(match, notes),
            ]
        )
        before = match.study
    caption = f"{escape(title)}. Published numbers and what this edition derives."
    return table(columns, rows, caption, f"{id}-reproduction", notes)


def _told(material: Material, match: Match) -> list[str]:
    """The inconsistencies that name the row."""
    return [i.text for i in material.issues if match.row.id in i.rows]


def _statement(row: Published, material: Material) -> str:
    metric: Metric | None = material.metrics.get(row.metric)
    label = "All metrics" if row.metric == ALL else metric.label if metric else ""
    role = {"both": "both sides", None: ""}.get(row.role, row.role)
    against = f"{row.test} against {row.baseline}" if row.baseline else row.test or ""
    parts = [label, role, row.workload, row.variant, against]
    return escape(", ".join(part for part in parts if part))


def _where(row: Published, cited: set[str]) -> str:
    source = f" [@{row.citation}]" if row.citation in cited else ""
    return escape(row.place) + source


def _published(row: Published) -> str:
    if row.qualifier == "comparable":
        return "comparable"
    if row.qualifier == "direction":
        return "higher" if row.value > 0 else "lower"
    before = "" if row.qualifier == "exact" else f"{row.qualifier} "
    number = f"{row.value:+,.10g}" if row.kind == "delta" else f"{row.value:,.10g}"
    unit = {"%": "%", "x": "×"}.get(row.unit, f"\u00a0{format_unit(row.unit)}")
    return f"{before}{number.replace('-', MINUS)}{unit}"


def _number(row: Published, value: float) -> str:
    if row.kind in ("delta", "direction"):
        return format_percent(value)
    if row.kind == "value":
        return format_number(value)
    return f"{format_number(value)}×"


def _derived(match: Match) -> str:
    if match.derived is None:
        return NONE
    text = _number(match.row, match.derived)
    if len(match.facts) == 1:
        return span(text, match.facts[0])
    return str(Average(match.facts, text))


def _tolerance(match: Match) -> str:
    if match.tolerance is None:
        return NONE
    unit = {"%": "\u00a0pp", "": "\u00a0pp"}.get(match.row.unit, "")
    return f"±{match.tolerance:.2g}{unit}"


def _verdict(match: Match, notes: Notes) -> str:
    mark = notes.mark(
        [match.reason[:1].upper() + match.reason[1:]] * bool(match.reason)
    )
    return _GLYPHS[match.outcome] + mark


def _others(issues: Iterable[PublishedIssue], rows: list[Published]) -> list[str]:
    """Inconsistencies of the same sources that are of no number."""
    editions = {row.edition for row in rows}
    return [
        f"{escape(issue.place[:1].upper() + issue.place[1:])}: {escape(issue.text)}"
        for issue in issues
        if editions.intersection(issue.editions) and not issue.rows
    ]
