"""What every engine checks before it renders a document folder.

The checks read ``index.qmd`` as text, so that an issue names its line: references
without a target, pictures without a file or alt text, citations and bound numbers
that lead nowhere.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from analysis.declared.base import parse_yaml
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.report.document.bibliography import bibliography_keys
from analysis.report.expressions.bound import bound_keys

INDEX = "index.qmd"
_CODE = re.compile(
    r"^ {0,3}(```+|~~~+).*?^ {0,3}\1|(?P<ticks>`+)[^`\n]+(?P=ticks)",
    re.DOTALL | re.MULTILINE,
)
_ID = re.compile(r'(?<!\\)\{(?:"(?:[^"\\\n]|\\.)*"|[^{}"\n#])*#([\w:.-]+)')
_REFERENCE = re.compile(r"(?<![\w.\\@])@((?:fig|tbl|sec)-[\w-]+)")
_CITATION = re.compile(
    r"(?<![\w.\\@/])@(?!(?:fig|tbl|sec)-)(\w(?:[\w:.#$%&+?<>~/-]*\w)?)"
)
_NOTE = re.compile(r"^\[\^([^\]\n]+)\]:(.*?)(?=\n\n(?! )|\Z)", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"\[\^([^\]\n]+)\]")
_ATTRIBUTES = r'\{(?:"(?:[^"\\]|\\.)*"|[^"}\n])*\}'
_IMAGE = re.compile(rf"(?<!\\)!\[((?:[^\\\n]|\\.)*?)\]\(([^)\s]+)\)({_ATTRIBUTES})?")
_ALT = re.compile(r'fig-alt="((?:[^"\\]|\\.)*)"')
_LINK = re.compile(r"(?<![!\\])\[(?:[^\]\\\n]|\\.)*\]\((?!\w+:|#)([^)\s]+)\)")
_NUMBERED = re.compile(r"(?<!\\)\{[^{}\n\\]*#((fig|tbl)-[\w.-]+)")
_WORDS = {"fig": "Figure", "tbl": "Table"}
_SHOWN = re.compile(r'<(?:figure|table)\b[^>]*?\bid="([^"]+)"')
META = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """A document folder: its text and its metadata, read once."""

    folder: Path
    text: str
    metadata: dict[str, object] = field(default_factory=dict)

    @property
    def edition(self) -> str:
        """The edition's id, which names the PDF."""
        return str(self.metadata["edition"])

    @property
    def timestamp(self) -> int:
        """Midnight UTC of the document's date, in seconds since 1970."""
        date = dt.date.fromisoformat(str(self.metadata["date"]))
        return int(dt.datetime(*date.timetuple()[:3], tzinfo=dt.UTC).timestamp())

    @cached_property
    def prose(self) -> str:
        """The text with code blanked out, every other character in its place."""
        return without_code(self.text)

    @cached_property
    def ids(self) -> frozenset[str]:
        """All identifiers of the text."""
        return frozenset(_ID.findall(self.prose))

    def place(self, offset: int) -> Place:
        """The line of a character of the text."""
        line = self.text.count("\n", 0, offset) + 1
        return Place(str(self.folder / INDEX), line)


def read_document(folder: Path) -> Document:
    """The document of a folder; a :class:`UserError` where a check finds an issue."""
    path = folder / INDEX
    if not path.is_file():
        raise user_error("there is no document to render", path, mend="assemble it")
    text = path.read_text(encoding="utf-8")
    found = META.match(text)
    document = Document(folder, text, _metadata(found[1], path) if found else {})
    raise_if(check_document(document))
    return document


def without_code(text: str) -> str:
    """A text with code blanked out, every other character in its place."""
    return _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)


def labels(text: str) -> dict[str, str]:
    """‘Figure 3’ for the id of each figure and table of a document."""
    found = _NUMBERED.findall(without_code(text))
    ids = {kind: [id for id, own in found if own == kind] for kind in _WORDS}
    return {
        id: f"{_WORDS[kind]}\u00a0{number}"
        for kind in _WORDS
        for number, id in enumerate(ids[kind], 1)
    }


def cited(text: str) -> list[str]:
    """The keys of the references that a text cites, in the order in which it does."""
    text = _CODE.sub("code", text)
    notes = dict(_NOTE.findall(text))  # what a note cites, its mark in the text cites
    text = _MARK.sub(lambda mark: notes.get(mark[1], ""), _NOTE.sub("", text))
    return list(dict.fromkeys(_CITATION.findall(text)))


def check_document(document: Document) -> list[Issue]:
    """Every issue that would spoil the pages, in the order of the text."""
    missing = [n for n in ("title", "edition", "date") if not document.metadata.get(n)]
    issues = [
        Issue(f"the metadata lack {name!r}", document.place(0), f"add '{name}:'")
        for name in missing
    ]
    for check in (_references, _citations, _images, _links, _values):
        issues += check(document)
    return issues


def check_numbered(html: str, document: Document) -> list[Issue]:
    """Anchors of figures and tables that the page of a document has not as such.

    Whatever else bears such an anchor would shift the numbers of all that follow.
    """
    shown = set(_SHOWN.findall(html))
    return [
        Issue(
            f"#{found[1]} is the anchor of no figure or table",
            document.place(found.start()),
            "rename the anchor, or put the caption next to its table",
        )
        for found in _NUMBERED.finditer(document.prose)
        if found[1] not in shown
    ]


def _metadata(text: str, path: Path) -> dict[str, object]:
    found, _ = parse_yaml(text, path, first_line=2)
    if not isinstance(found, dict):
        raise UserError([Issue("the metadata are not a mapping", Place(str(path), 1))])
    return found


def _references(document: Document) -> Iterator[Issue]:
    for found in _REFERENCE.finditer(document.prose):
        if found[1] not in document.ids:
            yield Issue(
                f"nothing has the id of the reference @{found[1]}",
                document.place(found.start()),
                f"correct the id, or give the target {{#{found[1]}}}",
            )


def _citations(document: Document) -> Iterator[Issue]:
    path = document.folder / "references.bib"
    known = set(bibliography_keys(path)) if path.is_file() else set()
    for found in _CITATION.finditer(document.prose):
        if found[1] not in known:
            yield Issue(
                f"no reference has the key @{found[1]}",
                document.place(found.start()),
                "add it to the edition's bibliography, or correct the key",
            )


def _images(document: Document) -> Iterator[Issue]:
    for found in _IMAGE.finditer(document.prose):
        place = document.place(found.start())
        if not (document.folder / found[2]).is_file():
            yield Issue(f"the picture {found[2]} is missing", place, "draw it again")
        alt = _ALT.search(found[3] or "")
        if not (alt[1] if alt else found[1]).strip() or (found[3] and not alt):
            yield Issue(
                f"the picture {found[2]} has no alt text",
                place,
                'say in words what it shows: fig-alt="…"',
            )


def _links(document: Document) -> Iterator[Issue]:
    for found in _LINK.finditer(document.prose):
        if not (document.folder / found[1]).exists():
            yield Issue(
                f"the link leads to {found[1]}, which is missing",
                document.place(found.start()),
                "correct the link, or add the file",
            )


def _values(document: Document) -> Iterator[Issue]:
    for place, key in bound_keys(document.prose):
        if f"fact-{key.replace('.', '-')}" not in document.ids:
            yield Issue(
                f"the number is bound to {key}, which no table of the appendix has",
                document.place(place),
                "add the fact's row to the appendix",
            )
