"""The sections of a document, in the rendered form that they had last time.

Whoever edits a sentence leaves all sections but one as they are. The engine renders
the document with a mark in the place of each section that it kept, and puts what it
kept into what comes out. Headings always stay in, so that their numbers and the table
of contents are those of the whole; the numbers of figures and tables are handed to
the filters, and the references are cited in their order at the start.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path

from analysis.files.atomic import whole_file
from analysis.report.document.document import META, cited, labels, without_code

_FENCE = re.compile(r":{3,}\s*(\S.*)?")
_CODE = re.compile(r"`{3,}|~{3,}")
_HEADING = re.compile(r"#{1,6} ")
_LEADS = re.compile(r"\[(?![\^@])[^\]\[\\]*\]:\s")  # where a [link][name] leads to
_HTML_ONLY = "{.html-only}"
# Notes and examples are numbered through the document, the engine puts the references
# where they belong, a picture may change behind the name of its file, and links
# anywhere may lead by a name.
_BOUND = re.compile(
    r"\[\^|\^\[|\{#refs\}"
    r"|\(@(?!fig-|tbl-|sec-)[\w-]*\)"
    r"|!\[[^\n]*\]\((?![^)\s]+\.svg\))"
    rf"|{_LEADS.pattern}"
)


@dataclass(frozen=True)
class Marks:
    """The words that stand for kept sections and round new ones, in one rendering.

    ``word`` is drawn at random for each, so that no text can hold it.
    """

    word: str = field(default_factory=lambda: f"kept{secrets.token_hex(16)}")

    def at(self, place: int, what: str) -> str:
        """The mark of a section: where it was, or where it begins or ends."""
        return f"{self.word}-{place}-{what}"

    def found(self, rendered: str) -> list[str]:
        """All marks of sections, in the order in which they came back."""
        return re.findall(rf"{self.word}-\d+-[a-z]+", rendered)

    @cached_property
    def cites(self) -> re.Pattern[str]:
        """The paragraph that cites all references."""
        word = self.word
        return re.compile(
            rf"(<p>)?{word}-cites-begin.*?{word}-cites-end(</p>)?\s*", re.S
        )

    @cached_property
    def kept(self) -> re.Pattern[str]:
        """The paragraph in the place of a section that was kept."""
        return re.compile(rf"(?:<p>)?{self.word}-(\d+)-here(?:</p>)?\n?")

    @cached_property
    def new(self) -> re.Pattern[str]:
        """A section that was rendered, with the paragraphs round it."""
        return re.compile(
            rf"(?:<p>)?{self.word}-(\d+)-begin(?:</p>)?\n(.*?)"
            rf"(?:<p>)?{self.word}-\1-end(?:</p>)?\n?",
            re.DOTALL,
        )


@dataclass(frozen=True)
class Sections:
    """A document: text that stays in and sections that may be kept, in turns."""

    parts: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The text of the document."""
        return "".join(self.parts)

    @cached_property
    def labels(self) -> dict[str, str]:
        """‘Figure 3’ for the id of each figure and table."""
        return labels(self.whole)

    def keys(self, rests_on: Iterable[bytes]) -> dict[int, str]:
        """What the rendered form of each section is kept under, by its place.

        It changes with the section and ``rests_on``, and with what a section may tell
        of others: their headings, and the numbers of figures, tables and references.
        """
        text = self.whole
        common = [
            line for stays, line in _lines(text) if stays and _HEADING.match(line)
        ]
        common += [part for part in self.parts[::2] if _LEADS.search(part)]
        told = json.dumps([self.labels, cited(text), common])
        shared = hashlib.sha256(told.encode())
        for content in rests_on:
            shared.update(hashlib.sha256(content).digest())
        return {
            place: hashlib.sha256(shared.digest() + section.encode()).hexdigest()
            for place, section in enumerate(self.parts)
            if place % 2
        }

    def marked(
        self, keys: Mapping[int, str], kept: Mapping[str, str], marks: Marks
    ) -> str:
        """The document to render: marks for what is kept, and round what is not."""
        pieces = list(self.parts)
        for place, key in keys.items():
            begin, end = marks.at(place, "begin"), marks.at(place, "end")
            new = f"\n\n{begin}\n\n{pieces[place]}\n\n{end}\n\n"
            here = f"\n\n{marks.at(place, 'here')}\n\n"
            pieces[place] = here if key in kept else new
        cites = " ".join(f"[@{key}]" for key in cited(self.whole))
        first = f"{marks.word}-cites-begin {cites} {marks.word}-cites-end\n\n"
        head = META.match(pieces[0])
        start = head.end() if head else 0
        return "".join([pieces[0][:start], "\n", first, pieces[0][start:], *pieces[1:]])


def split_sections(text: str) -> Sections:
    """A document by its headings; what is bound to other sections stays in."""
    parts = [""]
    for stays, lines in groupby(_lines(text), key=lambda line: line[0]):
        part = "".join(line for _, line in lines)
        if stays or not part.strip() or _BOUND.search(without_code(part)):
            parts[-1] += part
        else:
            parts += [part, ""]
    return Sections(tuple(parts))


def put_back(
    rendered: str, keys: Mapping[int, str], kept: Mapping[str, str], marks: Marks
) -> tuple[str, dict[str, str]] | None:
    """The rendered document without marks, and all its sections by their keys.

    None where the marks did not come back as they went in, each once and in order:
    then nothing tells where sections begin and end.
    """
    sent = [
        marks.at(place, what)
        for place, key in keys.items()
        for what in (("here",) if key in kept else ("begin", "end"))
    ]
    if marks.found(rendered) != sent:
        return None
    now = {keys[int(new[1])]: new[2] for new in marks.new.finditer(rendered)}
    now |= {key: kept[key] for key in keys.values() if key in kept}
    whole = marks.new.sub(lambda new: new[2], marks.cites.sub("", rendered, count=1))
    return marks.kept.sub(lambda mark: now[keys[int(mark[1])]], whole), now


def _lines(text: str) -> Iterator[tuple[bool, str]]:
    """Each line, and whether it stays in: metadata, headings, what opens and closes a
    part for the page alone."""
    head = META.match(text)
    start = head.end() if head else 0
    yield True, text[:start]
    blocks: list[str] = []  # that are open, by what opened them
    code, blank = "", True
    for line in text[start:].splitlines(keepends=True):
        outside = all(block == _HTML_ONLY for block in blocks)
        stays = False
        if (ticks := _CODE.match(line)) and line.startswith(code):
            code = "" if code else ticks[0]
        elif not code and (fence := _FENCE.fullmatch(line.rstrip())):
            opens = fence[1] or ""
            stays = outside and (opens == _HTML_ONLY or bool(blocks and not opens))
            blocks = [*blocks, opens] if opens else blocks[:-1]
        elif not code and outside:
            stays = blank and bool(_HEADING.match(line))
        blank = not line.strip()
        yield stays, line


def kept_file(document: Path, option: str) -> Path:
    """Where a document folder's sections are kept, for Pandoc's ``--to`` option."""
    return document.with_name(f".{document.name}.kept") / option.removeprefix("--to=")


def read_kept(file: Path) -> dict[str, str]:
    """The rendered sections by their keys; none where the file is absent or not as
    :func:`write_kept` left it."""
    try:
        digest, kept = file.read_bytes().split(b"\n", 1)
    except (OSError, ValueError):
        return {}
    if digest.decode("ascii", "replace") != hashlib.sha256(kept).hexdigest():
        return {}
    found: dict[str, str] = json.loads(kept)
    return found


def write_kept(file: Path, kept: Mapping[str, str]) -> None:
    """In one step, below its digest; a preview may write the same file meanwhile."""
    content = json.dumps(dict(kept)).encode("ascii")
    digest = hashlib.sha256(content).hexdigest().encode("ascii")
    with whole_file(file, rivals=True) as draft:
        draft.write_bytes(digest + b"\n" + content)
