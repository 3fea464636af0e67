"""What the checks found, put where it stands: drafts and previews show it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from analysis.report.checks.claims import Checked
from analysis.report.document.compose import Notes
from analysis.report.finding import Finding
from analysis.report.table import escape
from analysis.report.text.texts import Text
from analysis.report.text.tree import Node

_LABELS = {
    "error": "Error",
    "held": "Stops a final edition",
    "warning": "Look at this",
}


def noted(checked: Checked, findings: Iterable[Finding]) -> tuple[Checked, Notes]:
    """The texts with what was found in their paragraphs, and the rest by study.

    Findings on reviews are left out, as these have their own place.
    """
    material = checked.material
    paths = {str(text.path): text for text in checked.texts.values()}
    beside: dict[str, dict[tuple[int, bool], list[str]]] = defaultdict(dict)
    rest: dict[str, list[str]] = defaultdict(list)
    for found in (one for one in findings if one.check != "review"):
        where = found.issue.where
        text = paths.get(where.file) if where else None
        place = _place(text, where.line) if text and where and where.line else None
        if text and place:
            beside[text.name].setdefault(place, []).append(_shown(found))
        else:
            folders = Path(where.file).parts if where else ()
            own = [id for id in material.studies if id in folders]
            rest[own[0] if own else ""].append(_listed(found))
    texts = dict(checked.texts)
    for name, notes in beside.items():
        told = tuple((at, _told(own, ends)) for (at, ends), own in notes.items())
        texts[name] = replace(texts[name], notes=told)
    return replace(checked, texts=texts), rest


def _shown(found: Finding) -> str:
    words = f"{_LABELS[found.severity]}: {escape(_first(found.issue.what))}"
    return f"[{words}]{{.found .{found.severity}}}"


def _listed(found: Finding) -> str:
    where = found.issue.where
    file = f"{escape('/'.join(Path(where.file).parts[-2:]))}: " if where else ""
    return f"{_LABELS[found.severity]}: {file}{escape(_first(found.issue.what))}"


def _first(what: str) -> str:
    return what.split("\n", maxsplit=1)[0]


def _told(notes: list[str], ends: bool) -> str:
    """Notes at the end of a paragraph, or as one of their own."""
    words = " ".join(dict.fromkeys(notes))
    return f" {words}" if ends else f"\n\n{words}\n"


def _place(text: Text, line: int) -> tuple[int, bool] | None:
    """Where a note on a line stands, and whether a paragraph ends there."""
    for node in text.tree.walk():
        here = node.kind == "paragraph" and node.line <= line <= node.last
        if here and not prints_alone(text, node):
            return end_of_line(text, node.last), True
    for block in text.tree.blocks:
        if block.line <= line <= block.last:
            return end_of_line(text, block.last), False
    return None


def prints_alone(text: Text, node: Node) -> bool:
    """Whether a paragraph is nothing but a picture, or prints a table."""
    tables = (p for p in text.printed if "\n" in p.words)
    words = [child.kind for child in node.children if child.words.strip()]
    return not words or any(node.line <= p.line <= node.last for p in tables)


def end_of_line(text: Text, last: int) -> int:
    """The end of a line of the file, as an offset into the text with marks."""
    lines = text.marked.text.split("\n")
    count = bisect_right(text.marked.lines, last)
    end = sum(len(line) + 1 for line in lines[:count]) - 1
    return end - len(lines[count - 1]) + len(lines[count - 1].rstrip())
