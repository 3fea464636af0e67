"""The page of published numbers beside derived ones, for slides without a report.

A report has them in an appendix; slides have no room for a hundred rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.report.beside.frame import Frame, page_beside, published_file
from analysis.report.beside.ledger import trace_id
from analysis.report.material import Material
from analysis.report.tables.reproduction import (
    GLYPHS,
    Match,
    counts_of,
    matches_of,
    number_words,
    parts_of,
    published_words,
    remarks,
    statement,
    tolerance_words,
)

TEMPLATE = "published.html.j2"


def published_page(material: Material, banner: str, templates: Path) -> dict[str, str]:
    """The page by its name, without its build id; empty where there is none."""
    file = published_file(material)
    if not file:
        return {}
    compared = matches_of(material)
    known: dict[str, Any] = {
        **counts_of(compared),
        "synthetic": "synthetic" in material.origins(),
        "parts": [
            (title, rows)
            for _, title, ids in parts_of(material)
            if (rows := [_row(material, m) for m in compared if m.study in ids])
        ],
    }
    frame = Frame(material, banner, templates)
    return {file: page_beside(frame, TEMPLATE, known)}


def _row(material: Material, match: Match) -> dict[str, Any]:
    row, facts = match.row, match.facts
    glyph, look = GLYPHS.get(match.outcome, ("", ""))
    derived = "" if match.derived is None else number_words(row, match.derived)
    reason = f"{match.reason[:1].upper()}{match.reason[1:]}."
    return {
        "id": row.id,
        "study": material.studies[match.study].title,
        "of": statement(match, material),
        "where": row.place,
        "published": published_words(row),
        "derived": derived,
        "at": trace_id(facts[0].key) if len(facts) == 1 else "",
        "mean_of": len(facts) if len(facts) > 1 else 0,
        "tolerance": tolerance_words(match),
        "verdict": f"{glyph} {match.outcome}".strip() + ", sorted" * match.paired,
        "look": look,
        "remarks": [*remarks(material, match), *[reason] * bool(match.reason)],
    }
