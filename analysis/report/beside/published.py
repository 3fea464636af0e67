"""The page of published numbers beside derived ones, for slides without a report.

A report has them in an appendix; slides have no room for a hundred rows.
"""

from __future__ import annotations

from pathlib import Path

from analysis.report.beside.frame import Frame, page_beside, published_file
from analysis.report.beside.ledger import trace_id
from analysis.report.material import Material
from analysis.report.pages.html_page import Filters
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
    if not (file := published_file(material)):
        return {}
    compared = matches_of(material)
    parts = [
        (title, [match for match in compared if match.study in ids])
        for _, title, ids in parts_of(material)
    ]

    def remark(match: Match) -> str:
        reason = f"{match.reason[:1].upper()}{match.reason[1:]}."
        return " ".join([*remarks(material, match), *[reason] * bool(match.reason)])

    filters: Filters = {
        "statement": lambda match: statement(match, material),
        "published": published_words,
        "derived": lambda match: number_words(match.row, match.derived),
        "tolerance": tolerance_words,
        "remark": remark,
        "anchor": trace_id,
    }
    known = {
        **counts_of(compared),
        "synthetic": "synthetic" in material.origins(),
        "parts": [(title, rows) for title, rows in parts if rows],
        "glyphs": GLYPHS,
    }
    frame = Frame(material, banner, templates)
    return {file: page_beside(frame, TEMPLATE, known, filters)}
