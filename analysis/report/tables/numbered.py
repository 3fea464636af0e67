"""A figure of a study that is a table: its numbers bound to their facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.facts.fact import Fact
from analysis.report.expressions.bound import span
from analysis.report.pictures import Picture
from analysis.report.pipe_table import Column, Notes, escape, table
from analysis.report.tables.cells import fact_notes, glyph_cell, legend
from analysis.report.tables.facts import StudyTables

_NAMES, _NUMBERS = 26, 12  # shares of the width


def numbered_table(picture: Picture, tables: StudyTables) -> str:
    """The table of a picture, or nothing where that is drawn.

    Its caption is what it shows, and in which unit.
    """
    made = picture.table
    if made is None:
        return ""
    facts, notes = {fact.key: fact for fact in tables.facts.facts}, Notes()
    columns = [Column(escape(made["corner"]), _NAMES)]
    columns += [Column(escape(h), _NUMBERS, number=True) for h in made["heads"]]
    rows = [
        [escape(name), *(_cell(cell, facts, notes) for cell in cells)]
        for name, cells in made["rows"]
    ]
    keys = [cell["key"] for _, cells in made["rows"] for cell in cells if cell["key"]]
    told = _verdicts(facts[key] for key in keys if key in facts)
    caption = f"{picture.caption} {picture.subtitle}".rstrip() + told
    return table(columns, rows, caption, picture.id, notes, "matrix")


def _cell(cell: Mapping[str, Any], facts: Mapping[str, Fact], notes: Notes) -> str:
    fact = facts.get(cell["key"])
    if fact is None:
        return f"**{escape(cell['text'])}**" if cell["text"] != "–" else "–"
    bound = span(cell["text"], fact) + notes.mark(fact_notes(fact))
    return f"{bound} {glyph_cell(fact)}".rstrip()


def _verdicts(facts: Iterable[Fact]) -> str:
    told = legend(facts)
    return f" {told}." if told else ""
