"""An assembled document as a sequence of parts, each read once.

A part is a heading with what follows it up to the next, the metadata, or what opens
or closes something for the page alone. A folded review parts its section in three: it
changes with each word, and what is generated beside it does not. A part knows what it
defines and what it refers to.
The checks, the numbers of figures and references, the manifest, the page of facts and
incremental rendering all ask the parts.

The patterns read Markdown that templates wrote, or ``text/write.py`` from the tree of
a text: code has fences, headings stand between blank lines, attributes are in braces.
A Python parser would read the tables of an appendix for half a second.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from weakref import WeakValueDictionary

from analysis.report.bound import Number

_WORDS = {"fig": "Figure", "tbl": "Table"}
_HTML_ONLY, _WORKSHOP = "{.html-only}", "{.workshop "
_BLOCK = re.compile(
    r"^(?:#{1,6} |(?P<code>`{3,}|~{3,})|(?P<div>:{3,})[ \t]*(?P<opens>\S[^\n]*)?$)",
    re.MULTILINE,
)
_CODE = re.compile(  # a run of signs is read once, not from each of its signs
    r"^ {0,3}(`{3,}+|~{3,}+).*?^ {0,3}\1|(?<!`)(?P<ticks>`++)[^`\n]+(?P=ticks)",
    re.DOTALL | re.MULTILINE,
)
_ID = re.compile(r'(?<!\\)\{(?:"(?:[^"\\\n]|\\.)*"|[^{}"\n#])*#([\w:.-]+)')
_MEANT = re.compile(  # @fig-x, @key and [^note]
    r"(?<![\w.\\@])@(?P<target>(?:fig|tbl|sec)-[\w-]+)"
    r"|(?<![\w.\\@/])@(?P<key>(?!(?:fig|tbl|sec)-)\w(?:[\w:.#$%&+?<>~/-]*\w)?)"
    r"|\[(?P<note>\^[^\]\n]+)\]"
)
_NOTE = re.compile(r"^\[(\^[^\]\n]+)\]:(.*?)(?=\n\n(?! )|\Z)", re.DOTALL | re.MULTILINE)
_IMAGE = re.compile(r"(?<!\\)!\[(?:[^\\\n]|\\.)*?\]\(([^)\s]+)\)")
_LEADS = re.compile(r"\[(?![\^@])[^\]\[\\]*\]:\s")  # where a [link][name] leads to
_MARK = re.compile(r"\[(\^[^\]\n]+)\]")
# Notes in their line and examples, which are numbered through the document.
_COUNTED = re.compile(r"\^\[|\(@(?!fig-|tbl-|sec-)[\w-]*\)")


@dataclass(frozen=True)
class DocumentPart:
    """A part: the line that it starts with, which every rendering has, and its body.

    ``level`` is that of its heading, 0 where it has none. ``at`` is its place in the
    text. ``html_only`` parts are for the page alone.
    """

    at: int
    start: str
    body: str
    level: int = 0
    html_only: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether it belongs to the section of the part before it."""
        return not self.start and self.at > 0

    @property
    def text(self) -> str:
        """The Markdown of the part."""
        return self.start + self.body

    @property
    def heading(self) -> str:
        """The words of its heading, with their attributes; empty where it has none."""
        return self.start[self.level :].strip() if self.level else ""

    @property
    def id(self) -> str:
        """The anchor that its heading gives; empty where it gives none."""
        ids = self.content.ids if self.level else ()
        return ids[0].name if ids and ids[0].at < len(self.start) else ""

    @cached_property
    def content(self) -> Content:
        """What the part defines and refers to."""
        return content(self.text)

    @property
    def stands_alone(self) -> bool:
        """Whether it may be rendered without the others, but for its notes' numbers."""
        heading = "[^" in self.start
        return bool(self.body.strip()) and not (heading or self.content.moves)

    @property
    def has_notes(self) -> bool:
        """Whether it has notes, which are numbered through the document."""
        return "[^" in self.content.prose

    @property
    def notes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels of its notes where they are numbered, and what its notes say."""
        return self.content.note_marks, note_texts(self.body)


@dataclass(frozen=True)
class DocumentParts:
    """A document: its parts in order, the metadata first.

    ``numbers`` are those that it was composed with; one that was read has none.
    """

    parts: tuple[DocumentPart, ...]
    numbers: tuple[Number, ...] = ()

    def __iter__(self) -> Iterator[DocumentPart]:
        return iter(self.parts)

    @cached_property
    def text(self) -> str:
        """The whole Markdown."""
        return "".join(part.text for part in self.parts)

    @property
    def metadata(self) -> str:
        """The YAML at the start; empty where there is none."""
        return self.parts[0].start.removeprefix("---\n").removesuffix("---\n")

    def with_build(self, build: str) -> DocumentParts:
        """The document with the id of its build in its metadata, if it has one yet."""
        if not build:
            return self
        line = f'build: "{build}"\n'
        first, *others = self.parts
        start = first.start.replace("---\n", f"---\n{line}", 1)
        moved = (replace(part, at=part.at + len(line)) for part in others)
        return replace(self, parts=(replace(first, start=start), *moved))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """All anchors, in order."""
        return tuple(id.name for id in self.all(lambda found: found.ids))

    @cached_property
    def numbered(self) -> tuple[At, ...]:
        """The anchors of figures and tables, with their places in the text."""
        ids = self.all(lambda found: found.ids)
        return tuple(id for id in ids if id.name.partition("-")[0] in _WORDS)

    @cached_property
    def labels(self) -> dict[str, str]:
        """‘Figure 3’ for the id of each figure and table."""
        ids = [id.name for id in self.numbered]
        return {
            id: f"{word}\u00a0{number}"
            for kind, word in _WORDS.items()
            for number, id in enumerate(
                (id for id in ids if id.startswith(f"{kind}-")), 1
            )
        }

    @cached_property
    def cited(self) -> list[str]:
        """The keys of the references that are cited, in the order of the text."""
        notes: dict[str, tuple[str, ...]] = {}
        for part in self.parts:
            notes |= part.content.notes
        found = (name for part in self.parts for name in part.content.cites)
        # What a note cites, its mark in the text cites.
        keys = (notes.get(n, ()) if n.startswith("^") else (n,) for n in found)
        return list(dict.fromkeys(key for several in keys for key in several))

    def all(self, what: Callable[[Content], Iterable[At]]) -> Iterator[At]:
        """All that parts have of something, with its place in the whole text."""
        for part in self.parts:
            for found in what(part.content):
                yield At(part.at + found.at, found.name)

    def without_html_only(self) -> DocumentParts:
        """The document without what is for the page alone."""
        return DocumentParts(tuple(part for part in self.parts if not part.html_only))


def read_parts(text: str, numbers: Iterable[Number] = ()) -> DocumentParts:
    """The parts of a document that was composed with some numbers."""
    head = _metadata_end(text)
    starts = [_Start(0, head), *_starts(text, head)]
    ends = [*(start.at for start in starts[1:]), len(text)]
    return DocumentParts(
        tuple(
            DocumentPart(
                start.at,
                text[start.at : start.end],
                text[start.end : end],
                start.level,
                start.html_only,
            )
            for start, end in zip(starts, ends, strict=True)
        ),
        tuple(numbers),
    )


class _Start(NamedTuple):
    at: int
    end: int
    level: int = 0
    html_only: bool = False


def _metadata_end(text: str) -> int:
    end = text.find("\n---\n", 4) if text.startswith("---\n") else -1
    return end + len("\n---\n") if end >= 0 else 0


def _starts(text: str, head: int) -> Iterator[_Start]:
    """The headings, and what opens and closes a part for the page alone."""
    blocks: list[str] = []  # that are open, by what opened them
    code = ""
    for found in _BLOCK.finditer(text, head):
        at, end = found.start(), text.find("\n", found.end()) + 1 or len(text)
        outside = _outside(blocks)
        if ticks := found["code"]:
            code = (code if not ticks.startswith(code) else "") if code else ticks
        elif code:
            continue
        elif found["div"]:
            opens = (found["opens"] or "").rstrip()
            bounds = outside and (opens == _HTML_ONLY or bool(blocks and not opens))
            if outside and opens.startswith(_WORKSHOP):
                yield _Start(at, at, html_only=bool(blocks))
            folded = bool(blocks) and blocks[-1].startswith(_WORKSHOP)
            blocks = [*blocks, opens] if opens else blocks[:-1]
            if bounds:
                yield _Start(at, end, html_only=True)
            ends = folded and _outside(blocks)
            if not opens and (bounds or ends):  # what follows is another part
                yield _Start(end, end, html_only=bool(blocks))
        elif outside and (at == head or _is_blank(text, at)):
            yield _Start(at, end, found.end() - at - 1, bool(blocks))


def _outside(blocks: list[str]) -> bool:
    return all(block == _HTML_ONLY for block in blocks)


def _is_blank(text: str, at: int) -> bool:
    """Whether the line before is."""
    return not text[text.rfind("\n", 0, at - 1) + 1 : at].strip()


class At(NamedTuple):
    """A key, id or path, and where it stands in the text."""

    at: int
    name: str


@dataclass(frozen=True)
class Content:
    """What ``prose``, Markdown with its code blanked, defines and refers to."""

    prose: str

    @cached_property
    def ids(self) -> tuple[At, ...]:
        """Its anchors."""
        return tuple(At(one.start(), one[1]) for one in _ID.finditer(self.prose))

    @cached_property
    def references(self) -> tuple[At, ...]:
        """The figures, tables and sections that it refers to."""
        return self._meant("target")

    @cached_property
    def citations(self) -> tuple[At, ...]:
        """The keys of references that it cites."""
        return self._meant("key")

    @cached_property
    def cites(self) -> tuple[str, ...]:
        """The keys that it cites outside of notes and, with ^, labels of its notes."""
        return _cites(_NOTE.sub("", self.prose))

    @cached_property
    def notes(self) -> Mapping[str, tuple[str, ...]]:
        """What each note cites, by its label."""
        return {one[1]: _cites(one[2]) for one in _NOTE.finditer(self.prose)}

    @cached_property
    def note_marks(self) -> tuple[str, ...]:
        """The labels of notes where they are numbered, in their order."""
        return tuple(_MARK.findall(_NOTE.sub("", self.prose)))

    @cached_property
    def images(self) -> tuple[str, ...]:
        """The files of its pictures."""
        return tuple(_IMAGE.findall(self.prose))

    @cached_property
    def names_links(self) -> bool:
        """Whether it says where links with a name lead, which may stand anywhere."""
        return bool(_LEADS.search(self.prose))

    @cached_property
    def moves(self) -> bool:
        """Whether it has examples, notes in a line, references, named links or photos.

        They are numbered through the document, or an engine puts them elsewhere, or
        they may change behind the name of their file.
        """
        return (
            self.names_links
            or any(id.name == "refs" for id in self.ids)
            or any(not path.endswith(".svg") for path in self.images)
            or bool(_COUNTED.search(self.prose))
        )

    def _meant(self, group: str) -> tuple[At, ...]:
        found = _meant(self.prose)
        return tuple(At(one.start(), one[group]) for one in found if one[group])


# Of the parts that somebody has: a document is read again with most of them the same.
_known: WeakValueDictionary[str, Content] = WeakValueDictionary()


def content(markdown: str) -> Content:
    """What Markdown defines and refers to; what stands in code does not count."""
    found = _known.get(markdown)
    if found is None:
        found = _known[markdown] = Content(_CODE.sub(_blank, markdown))
    return found


def _blank(code: re.Match[str]) -> str:
    return "\n".join("`" * len(line) for line in code[0].split("\n"))


def note_texts(markdown: str) -> tuple[str, ...]:
    """The notes of Markdown with their labels, code and all."""
    return tuple(found[0] for found in _NOTE.finditer(markdown))


def _cites(text: str) -> tuple[str, ...]:
    found = _meant(text)
    return tuple(one["key"] or one["note"] for one in found if not one["target"])


def _meant(text: str) -> Iterable[re.Match[str]]:
    """Most of an appendix means nothing, and is not searched."""
    return _MEANT.finditer(text) if "@" in text or "[^" in text else ()
