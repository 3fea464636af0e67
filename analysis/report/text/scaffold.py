"""What an author has yet to write: sentences of a new study, and marks to come back.

The sentences are those of the files that a new edition and a new study begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from analysis.declared.campaign import CAMPAIGN_FILE
from analysis.errors import Issue, Place
from analysis.files.templates import template_file
from analysis.files.text_file import Reminder, marks_of
from analysis.report.material import Material
from analysis.report.text.passages import passages
from analysis.report.text.texts import Text

# Of a new edition's texts, the ones that ask their author for words of his own.
_ASKING = ("background.md", "environment.md", "observations.md", "preface.md")
_SHOWN = 40  # characters of a mark
_LEAST = 4  # fewer words in a row may stand in any sentence
_MADE = re.compile(r"<<.*?>>|<%.*?%>|\{\{.*?\}\}", re.DOTALL)
_PARTS = re.compile(r"[.,:;!?…\n]\s*\n|[.,:;!?…]|\n\s*\n")


def unwritten_text(text: Text, templates: Path) -> Iterator[Issue]:
    """Issues of a text that still waits for its author, one a paragraph."""
    asked = _asked(templates)
    for passage in passages(text.tree):
        words = f" {_bare(passage.words)} "
        found = next((one for one in asked if f" {one} " in words), None)
        if found:
            place = Place(str(text.path), passage.line(0))
            what = f"a sentence of the scaffold: '{found} …'"
            yield Issue(what, place, "write what it asks for in its place")
    yield from _marks(marks_of(text.source.body), text.path)


def unwritten_declarations(material: Material) -> Iterator[Issue]:
    """Issues of declarations that still wait for their author."""
    studies = (f"studies/{id}/study.yaml" for id in material.edition.own_studies)
    for name in ("edition.yaml", *studies, "glossary.yaml"):
        path = material.folder / name
        if path.is_file():
            yield from _marks(marks_of(path.read_text(encoding="utf-8")), path)
    for id, evidence in material.evidence.items():
        yield from _marks(evidence.marks, Path("raw") / id / CAMPAIGN_FILE)


def _marks(found: Iterable[Reminder], path: Path) -> Iterator[Issue]:
    """One issue for all marks of a file: there may be dozens in a new one."""
    marks = list(found)
    if marks:
        lines = sorted({mark.line for mark in marks})
        what = f"a mark to come back to: {marks[0].words[:_SHOWN]!r}"
        if len(lines) > 1:
            rest = ", ".join(map(str, lines[1:]))
            what += f", and more in the lines {rest}"
        place = Place(str(path), lines[0])
        yield Issue(what, place, "do what it asks, delete it")


@cache
def _asked(templates: Path) -> tuple[str, ...]:
    """The demands of a new edition's texts on their author, as bare words."""
    found = []
    for name in _ASKING:
        text = template_file(templates, f"new/{name}.j2").read_text(encoding="utf-8")
        parts = (_bare(part) for part in _PARTS.split(_MADE.sub("…", text)))
        found += [part for part in parts if len(part.split()) >= _LEAST]
    return tuple(found)


def _bare(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+", text.lower()))
