"""What Markdown of an assembled document defines and refers to.

The patterns read Markdown that templates wrote, or ``text/write.py`` from the tree of
a text: code has fences, headings stand between blank lines, attributes are in braces.
A Python parser would read the tables of an appendix for half a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakValueDictionary

_CODE = re.compile(
    r"^ {0,3}(```+|~~~+).*?^ {0,3}\1|(?P<ticks>`+)[^`\n]+(?P=ticks)",
    re.DOTALL | re.MULTILINE,
)
_ID = re.compile(r'(?<!\\)\{(?:"(?:[^"\\\n]|\\.)*"|[^{}"\n#])*#([\w:.-]+)')
_MEANT = re.compile(  # @fig-x, @key and [^note]
    r"(?<![\w.\\@])@(?P<target>(?:fig|tbl|sec)-[\w-]+)"
    r"|(?<![\w.\\@/])@(?P<key>(?!(?:fig|tbl|sec)-)\w(?:[\w:.#$%&+?<>~/-]*\w)?)"
    r"|\[(?P<note>\^[^\]\n]+)\]"
)
_NOTE = re.compile(r"^\[(\^[^\]\n]+)\]:(.*?)(?=\n\n(?! )|\Z)", re.DOTALL | re.MULTILINE)
_IMAGE = re.compile(
    r"(?<!\\)!\[(?P<words>(?:[^\\\n]|\\.)*?)\]\((?P<path>[^)\s]+)\)"
    r'(?P<own>\{(?:"(?:[^"\\]|\\.)*"|[^"}\n])*\})?'
)
_ALT = re.compile(r'fig-alt="((?:[^"\\]|\\.)*)"')
_LINK = re.compile(r"(?<![!\\])\[(?:[^\]\\\n]|\\.)*\]\((?!\w+:|#)([^)\s]+)\)")
_LEADS = re.compile(r"\[(?![\^@])[^\]\[\\]*\]:\s")  # where a [link][name] leads to
_MARK = re.compile(r"\[(\^[^\]\n]+)\]")
# Notes in their line and examples, which are numbered through the document.
_COUNTED = re.compile(r"\^\[|\(@(?!fig-|tbl-|sec-)[\w-]*\)")


class At(NamedTuple):
    """A key, id or path, and where it stands in the text."""

    at: int
    name: str


class Image(NamedTuple):
    """A picture: where it stands, its file, and its alt text if it has one."""

    at: int
    path: str
    alt: str


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
    def images(self) -> tuple[Image, ...]:
        """Its pictures."""
        return tuple(map(_image, _IMAGE.finditer(self.prose)))

    @cached_property
    def links(self) -> tuple[At, ...]:
        """The files of the document's folder to which it links."""
        return tuple(At(one.start(), one[1]) for one in _LINK.finditer(self.prose))

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
            or any(not image.path.endswith(".svg") for image in self.images)
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


def _image(found: re.Match[str]) -> Image:
    """The words in brackets are its alt text only where it has no attributes."""
    alt = _ALT.search(found["own"] or "")
    words = alt[1] if alt else "" if found["own"] else found["words"]
    return Image(found.start(), found["path"], words.strip())
