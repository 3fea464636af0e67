"""Comments and tracked changes of a file of Word, as Pandoc reads them.

The file comes from elsewhere: Pandoc opens nothing beside it, and has limits.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.errors import UserError, user_error
from analysis.files.limits import PANDOC_BYTES, WORD_BYTES, WORD_UNPACKED_BYTES
from analysis.programs.child import run_child
from analysis.report.text.pandoc_program import pandoc_program

_COMMAND = ("--sandbox", "--from=docx", "--to=json", "--track-changes=all")
_ROOM = ("+RTS", f"-M{PANDOC_BYTES}", "-RTS")
_MAIN = "word/document.xml"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
_END = "¶"  # of a paragraph, where one is parted or joined to the next
_LEAVES = {"Para": None, "Plain": None, "Header": 2}  # where their words are
_BREAKS = {"Space", "SoftBreak", "LineBreak"}
_INLINES = {"Quoted": 1, "Cite": 1, "Link": 1, "Image": 1, "Span": 1}
_VERBATIM = {"Code": 1, "Math": 1, "RawInline": 1}


@dataclass
class WordRemark:
    """What one person did at a place: ``said`` of a comment, or what went and came.

    ``quote`` is what a comment is on; ``at`` is the time as Word has it.
    """

    by: str
    at: str
    said: str = ""
    quote: str = ""
    went: str = ""
    came: str = ""


@dataclass
class WordParagraph:
    """A paragraph with remarks: its words before all changes, and its heading's."""

    heading: str
    words: str = ""
    remarks: list[WordRemark] = field(default_factory=list)


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
    if path.stat().st_size > WORD_BYTES:
        mend = "take pictures out of it"
        raise user_error("it is too long (WORD_BYTES)", path, mend=mend)
    try:
        with zipfile.ZipFile(path) as file:
            file.getinfo(_MAIN)
            size = sum(part.file_size for part in file.infolist())
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError):
        raise _not_word(path) from None
    if size > WORD_UNPACKED_BYTES:
        what = "unpacked it would be too long (WORD_UNPACKED_BYTES)"
        raise user_error(what, path, mend="take pictures out of it")


def _not_word(path: Path) -> UserError:
    mend = "save it as DOCX in Word, and give that file"
    return user_error("not a document of Word", path, mend=mend)


def _paragraphs(blocks: Any) -> Iterator[WordParagraph]:
    heading = ""
    for block in _leaves(blocks):
        at = _LEAVES[block["t"]]
        found = _Reading(heading).read(block["c"] if at is None else block["c"][at])
        if at is not None:
            heading = found.words
        if found.remarks:
            yield found


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
        self.found = WordParagraph(heading)
        self.open: dict[str, WordRemark] = {}  # comments, by what Word numbers them
        self.last: WordRemark | None = None  # the change that just ended

    def read(self, inlines: Any) -> WordParagraph:
        """The paragraph with all its remarks."""
        self._all(inlines, None, "")
        self.found.words = " ".join(self.found.words.split())
        for one in self.found.remarks:
            for name in ("by", "at", "said", "quote", "went", "came"):
                setattr(one, name, " ".join(_CONTROL.sub(" ", vars(one)[name]).split()))
        return self.found

    def _all(self, inlines: Any, change: WordRemark | None, kind: str) -> None:
        for one in inlines:
            what, held = one["t"], one.get("c")
            if what == "Span":
                self._span(held, change, kind)
            elif what in _INLINES:
                self._all(held[_INLINES[what]], change, kind)
            elif what == "Str" or what in _BREAKS or what in _VERBATIM:
                text = held[_VERBATIM[what]] if what in _VERBATIM else held
                self._words(text or " ", change, kind)
            elif what != "Note":
                self._all(held, change, kind)

    def _words(self, text: str, change: WordRemark | None, kind: str) -> None:
        if kind != "insertion":
            self.found.words += text.replace(_END, "")
        if change is None:
            self.last = self.last if text == " " else None
        elif kind == "insertion":
            change.came += text
        else:
            change.went += text
        for comment in self.open.values():
            comment.quote += text

    def _span(self, held: Any, change: WordRemark | None, kind: str) -> None:
        (_, classes, pairs), inner = held
        about, what = dict(pairs), next(iter(classes), "")
        by, at = about.get("author", ""), about.get("date", "")
        if what == "comment-start":
            said = _Reading("").read(inner).words
            remark = self.open[about.get("id", "")] = WordRemark(by, at, said)
            self.found.remarks.append(remark)
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
            self.found.remarks.append(last)
        self.last = last
        return last
