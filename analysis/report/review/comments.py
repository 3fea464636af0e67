"""``comments.yaml``: what people said of a study, or of front and back matter.

One file beside the texts, as readable as they are. A thread is about a part of a text,
or about all of it, and open until somebody resolves it.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from analysis.declared.base import Declared
from analysis.declared.edition import Line
from analysis.report.review.remarks_file import listed_text, read_remarks
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

    @cached_property
    def words(self) -> list[str]:
        """Its words as a reader has them."""
        return reader_text(self.source).split()

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each of them."""
        return Counter(self.words)

    @cached_property
    def heard(self) -> str:
        """What a quote is looked for in."""
        return _heard(self.reads or self.source)


def read_comments(folder: Path) -> Comments:
    """The comments of a study's folder, or of an edition's; none without a file."""
    return read_remarks(folder / COMMENTS, Comments)


def comments_text(comments: Comments) -> str:
    """The text of the file."""
    return _HEAD + listed_text("threads", comments.threads)


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
    return _likest(reader_text(thread.part).split(), parts)


def _printing(thread: Thread, parts: list[CommentAnchor]) -> list[CommentAnchor]:
    keys = set(thread.value.split())
    return [part for part in parts if keys and keys <= part.keys]


def holding(quote: str, parts: list[CommentAnchor]) -> list[CommentAnchor]:
    """The parts that have the words of a quote; none has those of an empty one."""
    heard = _heard(quote)
    return [part for part in parts if heard.strip() and heard in part.heard]


def _heard(words: str) -> str:
    """Words alone, without marks and numbers of figures, tables and sections."""
    found = re.findall(r"\w+", _REFERENCE.sub(" ", reader_text(words)))
    return f" {' '.join(found)} "


def _likest(words: list[str], parts: list[CommentAnchor]) -> CommentAnchor | None:
    """The part that is most like some words, if any is like them."""
    counts, ratios = Counter(words), list[tuple[float, CommentAnchor]]()
    for part in parts:
        # So many words both have; only where that is enough their order is looked at.
        both, all_words = (counts & part.counts).total(), len(words) + len(part.words)
        if 2 * both >= _ALIKE * all_words:
            ratio = SequenceMatcher(None, words, part.words).ratio()
            ratios.append((ratio, part))
    most, likest = max(ratios, key=lambda one: one[0], default=(0.0, None))
    return likest if most >= _ALIKE else None
