"""``comments.yaml``: what people said of a study, or of front and back matter.

One file beside the texts, as readable as they are. A thread is about a part of a text,
or about all of it, and open until somebody resolves it.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field

from analysis.declared.base import Declared, read_declared
from analysis.declared.reviewer import Line
from analysis.report.text.characters import reader_text

COMMENTS = "comments.yaml"
_HEAD = "# What reviewers said. Written by: python -m analysis desk\n"
_ALIKE = 0.5  # of its words: a part that was edited is still the same one
_REFERENCE = re.compile(r"@[\w:.-]+|\b(?:Figure|Table|Section) [\d.]+")
MOST = 10_000  # characters of what somebody says at once
Words = Annotated[str, Field(pattern=r"\S", max_length=MOST)]
Quote = Annotated[str, Field(max_length=2_000)]


class Remarked(Declared):
    """What somebody said, and when (ISO 8601)."""

    by: Line
    at: str
    words: Words


class Thread(Declared):
    """What was said of one place: a part of a text, a figure or a value, or of all.

    ``part`` is the Markdown of the part when it was begun, by which the place is found
    again, and ``quote`` words of it as they were read. ``value`` has keys of facts, as
    a page names them, with or without the part that prints them; ``figure`` is the
    anchor of one.
    """

    id: str
    state: Literal["open", "resolved"] = "open"
    text: str = ""
    part: str = ""
    quote: Quote = ""
    value: str = ""
    figure: str = ""
    said: Annotated[tuple[Remarked, ...], Field(min_length=1)]

    @property
    def of_all(self) -> bool:
        """Whether it is about a whole study, or about all of front and back matter."""
        return not (self.text or self.value or self.figure)


class Comments(Declared):
    """All threads of a folder, the first one first."""

    threads: tuple[Thread, ...] = ()

    def with_thread(self, thread: Thread) -> Comments:
        """With a new thread, or another state of one that is there."""
        ids = [one.id for one in self.threads]
        if thread.id not in ids:
            return Comments(threads=(*self.threads, thread))
        same = (thread if one.id == thread.id else one for one in self.threads)
        return Comments(threads=tuple(same))


@dataclass(frozen=True)
class CommentAnchor:
    """A part of a text that a thread may be about: its number and its Markdown.

    ``reads`` is how it reads with its values printed, ``keys`` are of their facts.
    """

    number: int
    source: str
    reads: str = ""
    keys: frozenset[str] = frozenset()


def read_comments(folder: Path) -> Comments:
    """The comments of a study's folder, or of an edition's; none without a file."""
    path = folder / COMMENTS
    return read_declared(path, Comments) if path.exists() else Comments()


def comments_text(comments: Comments) -> str:
    """The text of the file."""
    told = comments.model_dump(mode="json", exclude_defaults=True)
    return _HEAD + yaml.safe_dump(told, allow_unicode=True, width=88, sort_keys=False)


def new_id() -> str:
    """A name for a thread, which no other has."""
    return secrets.token_hex(4)


def place_of(thread: Thread, parts: list[CommentAnchor]) -> CommentAnchor | None:
    """The part that a thread is about, also after edits; None where it is gone."""
    same = [part for part in parts if part.source == thread.part]
    if same:
        return same[0]
    for found in (_printing(thread, parts), holding(thread.quote, parts)):
        if len(found) == 1:
            return found[0]
    likest = max(parts, key=lambda part: _alike(thread, part), default=None)
    return likest if likest and _alike(thread, likest) >= _ALIKE else None


def _printing(thread: Thread, parts: list[CommentAnchor]) -> list[CommentAnchor]:
    keys = set(thread.value.split())
    return [part for part in parts if keys and keys <= part.keys]


def holding(quote: str, parts: list[CommentAnchor]) -> list[CommentAnchor]:
    """The parts that have the words of a quote; none has those of an empty one."""
    heard = _heard(quote)
    return [p for p in parts if heard.strip() and heard in _heard(p.reads or p.source)]


def _heard(words: str) -> str:
    """Words alone, without marks and numbers of figures, tables and sections."""
    found = re.findall(r"\w+", _REFERENCE.sub(" ", reader_text(words)))
    return f" {' '.join(found)} "


def _alike(thread: Thread, part: CommentAnchor) -> float:
    one, other = (reader_text(s).split() for s in (thread.part, part.source))
    return SequenceMatcher(None, one, other).ratio()
