"""``comments.yaml``: what people said of a study, or of front and back matter.

One file beside the texts, as readable as they are. A thread is about a part of a text,
or about all of it, and open until somebody resolves it.
"""

from __future__ import annotations

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
Words = Annotated[str, Field(min_length=1, max_length=10_000)]


class Remarked(Declared):
    """What somebody said, and when (ISO 8601)."""

    by: Line
    at: str
    words: Words


class Thread(Declared):
    """What was said of one place: the text's name, what its part says, and a quote.

    Without a text it is about all. ``part`` is the Markdown of the part when it was
    begun, by which the place is found again.
    """

    id: str
    state: Literal["open", "resolved"] = "open"
    text: str = ""
    part: str = ""
    quote: str = ""
    said: Annotated[tuple[Remarked, ...], Field(min_length=1)]


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
    """A part of a text that a thread may be about: its number and its Markdown."""

    number: int
    source: str


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
    quote = " ".join(thread.quote.split())
    holding = [p for p in parts if quote and quote in " ".join(p.source.split())]
    if len(holding) == 1:
        return holding[0]
    likest = max(parts, key=lambda part: _alike(thread, part), default=None)
    return likest if likest and _alike(thread, likest) >= _ALIKE else None


def _alike(thread: Thread, part: CommentAnchor) -> float:
    one, other = (reader_text(s).split() for s in (thread.part, part.source))
    return SequenceMatcher(None, one, other).ratio()
