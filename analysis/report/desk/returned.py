"""List the comments and tracked changes of a returned DOCX at their places.

The file is the DOCX of an edition (formats: [html, pdf, docx]) that somebody commented
and changed in Word with its changes tracked. Each remark is told with the file and line
of the text that it is about; nothing is changed.
"""

from __future__ import annotations

import argparse
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import Any

from analysis.declared.edition import find_editions
from analysis.errors import UserError, user_error
from analysis.facts.units import how_many
from analysis.files.inputs import open_regular
from analysis.files.limits import PANDOC_BYTES, WORD_BYTES, WORD_UNPACKED_BYTES
from analysis.programs.child import pandoc_program, run_child
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.desk.parts import declared_words, parts_of
from analysis.report.material import read_material
from analysis.report.source_options import add_sources, sources_of
from analysis.report.text.texts import own_texts

_ALIKE = 0.6  # of the words, from which on two paragraphs are one
_SHOWN = 60  # characters of a paragraph that is in no text
_MARKS = re.compile(
    r"\[?@[\w:.-]+(?:; ?@[\w:.-]+)*\]?|\{[.#][^}]*\}|[*_`\[\]{}]|^[-+>#:]+ "
)
_WORD = re.compile(r"[\w%.,−+/-]+")
_COMMAND = ("--sandbox", "--from=docx", "--to=json", "--track-changes=all")
_ROOM = ("+RTS", f"-M{PANDOC_BYTES}", "-RTS")
_MAIN = "word/document.xml"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
_END = "¶"  # of a paragraph, where one is parted or joined to the next
_LEAVES = {"Para": None, "Plain": None, "Header": 2}  # where their words are
_BREAKS = {"Space", "SoftBreak", "LineBreak"}
_INLINES = {"Quoted": 1, "Cite": 1, "Link": 1, "Image": 1, "Span": 1}
_VERBATIM = {"Code": 1, "Math": 1, "RawInline": 1}
_Place = tuple[str, tuple[str, ...]]  # of a text, with its words as a page has them


@dataclass
class WordRemark:
    """What one person did at a place: ``words`` of a comment, or what went and came.

    ``quote`` is what a comment is on; ``at`` is the time as Word has it.
    """

    by: str
    at: str
    words: str = ""
    quote: str = ""
    went: str = ""
    came: str = ""

    def __str__(self) -> str:
        who = f"{self.by or 'somebody'}, {self.at[:10] or 'some day'}"
        if self.went and self.came:
            return f"{who}: ‘{self.came}’ instead of ‘{self.went}’"
        if self.went or self.came:
            verb = "takes away" if self.went else "adds"
            return f"{who}: {verb} ‘{self.went or self.came}’"
        return f"{who} on ‘{self.quote}’: {self.words}"


@dataclass
class WordParagraph:
    """A paragraph with remarks: its words before all changes, and its heading's."""

    heading: str
    words: str = ""
    remarks: list[WordRemark] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis returned``."""
    parser.add_argument("file", type=Path, help="the DOCX that came back")
    help = "whose texts it has; the file's name where that begins with one"
    parser.add_argument("--edition", help=help)
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print what each person said and changed, place by place."""
    edition = _edition(args)
    paragraphs = remarked_paragraphs(args.file)
    material = read_material(edition, sources_of(args, edition))
    places = list(_places(check_texts(material, {}, {})))
    for where, several in groupby(_located(paragraphs, places), key=lambda one: one[0]):
        print(where)
        for _, paragraph in several:
            print(*(f"  {one}" for one in paragraph.remarks), sep="\n")
    remarks = [one for paragraph in paragraphs for one in paragraph.remarks]
    comments = sum(not one.went and not one.came for one in remarks)
    changes = how_many(len(remarks) - comments, "change")
    names = ", ".join(sorted({one.by or "somebody" for one in remarks}))
    by = f" by {names}" if names else ""
    print(f"{how_many(comments, 'comment')} and {changes}{by}")
    return 0


def _edition(args: argparse.Namespace) -> str:
    known = find_editions(args.report)
    if args.edition in known:
        return str(args.edition)
    fits = [id for id in known if args.file.name.startswith(id)]
    if args.edition or not fits:
        what = f"there is no edition {args.edition or args.file.stem!r}"
        raise user_error(what, mend=f"--edition is one of: {', '.join(sorted(known))}")
    return max(fits, key=len)


def _places(checked: Checked) -> Iterator[_Place]:
    """All parts of an edition's texts, and its titles, questions and captions."""
    material = checked.material
    for text in own_texts(checked.texts, material.edition).values():
        for part in parts_of(text):
            yield f"{text.path}:{part.first}", _words(part.edited[0])
    for one in declared_words(material.folder, material.edition):
        yield f"{material.folder / one.text}: {one.entry}", _words(one.source)


def _located(
    paragraphs: list[WordParagraph], places: list[_Place]
) -> Iterator[tuple[str, WordParagraph]]:
    """Each paragraph with where its words stand, in words."""
    last = ""
    for paragraph in paragraphs:
        words = _words(paragraph.words)
        ranked = ((_alike(words, other), where) for where, other in places)
        most, where = max(ranked, key=lambda one: one[0], default=(0.0, ""))
        if most >= _ALIKE:
            last = where
        elif words:
            start = paragraph.words[:_SHOWN]
            where = f"in no text, below ‘{paragraph.heading}’: {start}"
        else:
            where = f"a new paragraph after {last}" if last else "at the start"
        yield where, paragraph


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """How much of two paragraphs is the same, from 0 to 1."""
    both, least = len(set(one) & set(other)), _ALIKE * len(set(other))
    if not one or not other or 2 * both < least:
        return 0.0
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return 2 * sum(block.size for block in blocks) / (len(one) + len(other))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_MARKS.sub("", text).lower()))


def remarked_paragraphs(path: Path) -> list[WordParagraph]:
    """The paragraphs of a file that have remarks; a UserError where it is none."""
    _check(path)
    command = [pandoc_program(), *_ROOM, *_COMMAND, str(path.absolute())]
    done = run_child(command, path.absolute().parent)
    if done.code:
        raise _not_word(path)
    try:
        return list(_paragraphs(json.loads(done.output)["blocks"]))
    except RecursionError:
        mend = "save it anew in Word"
        raise user_error("it is nested too deeply", path, mend=mend) from None


def _check(path: Path) -> None:
    mend = "take pictures out of it"
    open_regular(path).close()
    if path.stat().st_size > WORD_BYTES:
        raise user_error("it is too long (WORD_BYTES)", path, mend=mend)
    try:
        with zipfile.ZipFile(path) as file:
            file.getinfo(_MAIN)
            size = sum(part.file_size for part in file.infolist())
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError):
        raise _not_word(path) from None
    if size > WORD_UNPACKED_BYTES:
        what = "unpacked it would be too long (WORD_UNPACKED_BYTES)"
        raise user_error(what, path, mend=mend)


def _not_word(path: Path) -> UserError:
    mend = "save it as DOCX in Word, and give that file"
    return user_error("not a document of Word", path, mend=mend)


def _paragraphs(blocks: Any) -> Iterator[WordParagraph]:
    heading = ""
    for block in _leaves(blocks):
        at = _LEAVES[block["t"]]
        inlines = block["c"] if at is None else block["c"][at]
        paragraph = _Reading(heading).read(inlines)
        if at is not None:
            heading = paragraph.words
        if paragraph.remarks:
            yield paragraph


def _leaves(node: Any) -> Iterator[dict[str, Any]]:
    """All blocks of words, in order; notes below a page follow their paragraph."""
    if isinstance(node, list):
        for one in node:
            yield from _leaves(one)
    elif isinstance(node, dict):
        if node.get("t") in _LEAVES:
            yield node
        yield from _leaves(node.get("c"))


class _Reading:
    """Reads the inlines of one paragraph."""

    def __init__(self, heading: str) -> None:
        self.paragraph = WordParagraph(heading)
        self.open: dict[str, WordRemark] = {}  # comments, by what Word numbers them
        self.last: WordRemark | None = None  # the change that just ended

    def read(self, inlines: Any) -> WordParagraph:
        """The paragraph with all its remarks."""
        self._all(inlines, None, "")
        self.paragraph.words = " ".join(self.paragraph.words.split())
        for one in self.paragraph.remarks:
            for name, words in vars(one).items():
                setattr(one, name, " ".join(_CONTROL.sub(" ", words).split()))
        return self.paragraph

    def _all(self, inlines: Any, change: WordRemark | None, kind: str) -> None:
        for one in inlines:
            what, inner = one["t"], one.get("c")
            if what == "Span":
                self._span(inner, change, kind)
            elif what in _INLINES:
                self._all(inner[_INLINES[what]], change, kind)
            elif what == "Str" or what in _BREAKS or what in _VERBATIM:
                text = inner[_VERBATIM[what]] if what in _VERBATIM else inner
                self._words(text or " ", change, kind)
            elif what != "Note":
                self._all(inner, change, kind)

    def _words(self, text: str, change: WordRemark | None, kind: str) -> None:
        if kind != "insertion":
            self.paragraph.words += text.replace(_END, "")
        if change is None:
            self.last = self.last if text == " " else None
        elif kind == "insertion":
            change.came += text
        else:
            change.went += text
        for comment in self.open.values():
            comment.quote += text

    def _span(self, span: Any, change: WordRemark | None, kind: str) -> None:
        (_, classes, pairs), inner = span
        about, what = dict(pairs), next(iter(classes), "")
        by, at = about.get("author", ""), about.get("date", "")
        if what == "comment-start":
            words = _Reading("").read(inner).words
            remark = self.open[about.get("id", "")] = WordRemark(by, at, words)
            self.paragraph.remarks.append(remark)
        elif what == "comment-end":
            self.open.pop(about.get("id", ""), None)
        elif what in ("insertion", "deletion"):
            self._all(inner, self._change(by, at, what), what)
        elif what in ("paragraph-insertion", "paragraph-deletion"):
            what = what.removeprefix("paragraph-")
            self._words(_END, self._change(by, at, what), what)
        else:
            self._all(inner, change, kind)

    def _change(self, by: str, at: str, what: str) -> WordRemark:
        """The change that words belong to: what goes and comes at once is one."""
        last = self.last
        if last is None or last.by != by or (what == "deletion" and last.came):
            last = WordRemark(by, at)
            self.paragraph.remarks.append(last)
        self.last = last
        return last
