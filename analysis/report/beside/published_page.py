"""The page of published numbers beside derived ones, for slides without a report.

A report has them in an appendix; slides have no room for a hundred rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.report.beside.frame import frame_of, page_beside
from analysis.report.beside.ledger import trace_id
from analysis.report.material import Material
from analysis.report.output import folders_of
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.tables.reproduction import Match, match_rows
from analysis.report.tables.reproduction_table import parts_of, tally_of
from analysis.report.tables.reproduction_words import (
    number_words,
    published_words,
    remarks,
    statement,
    tolerance_words,
)

PAGE = "published.html"
TEMPLATE = "published.html.j2"
_GLYPHS = {"reproduced": ("✓", "improved"), "differs": ("≠", "regressed")}


def published_file(material: Material) -> str:
    """The name of the page; empty where a report has it all, or nothing is known."""
    studies = {own.published.study if own.published else id
               for id, own in material.studies.items()}  # fmt: skip
    known = any(row.study in studies for row in material.published)
    return PAGE if known and "" not in folders_of(material.edition) else ""


def published_page(
    material: Material, banner: str, templates: Path, fonts: Path = CACHE
) -> dict[str, str]:
    """The page by its name, without its build id; empty where there is none."""
    if not published_file(material):
        return {}
    matches = match_rows(material.published, material.studies, material.facts.facts)
    known: dict[str, Any] = {
        "count": len(matches),
        "tally": tally_of(matches),
        "predicted": any(match.outcome == "predicted" for match in matches),
        "paired": any(match.paired for match in matches),
        "synthetic": "synthetic" in material.origins(),
        "parts": [
            (title, rows)
            for _, title, ids in parts_of(material)
            if (rows := [_row(material, m) for m in matches if m.study in ids])
        ],
    }
    frame = frame_of(material, banner, templates, font_css(fonts), PAGE)
    return {PAGE: page_beside(frame, TEMPLATE, known)}


def _reason(match: Match) -> list[str]:
    """Why nothing is derived, or what the derived number rests on, as a sentence."""
    told = match.reason
    return [f"{told[0].upper()}{told[1:]}."] if told else []


def _row(material: Material, match: Match) -> dict[str, Any]:
    row, facts = match.row, match.facts
    glyph, look = _GLYPHS.get(match.outcome, ("", ""))
    derived = "" if match.derived is None else number_words(row, match.derived)
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
        "remarks": [*remarks(material, match), *_reason(match)],
    }
