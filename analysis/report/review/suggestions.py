"""``suggestions.yaml``: other words that people suggest for parts of texts.

One file beside the texts, as ``comments.yaml`` is. A suggestion is open until an author
accepts or declines it, and stale when its part reads otherwise than it did.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from analysis.declared.base import Declared
from analysis.declared.edition import Line
from analysis.report.review.remarks_file import listed_text, read_remarks

SUGGESTIONS = "suggestions.yaml"
_HEAD = "# Words that were suggested. Written by: python -m analysis desk\n"
Words = Annotated[str, Field(max_length=100_000)]


class Suggestion(Declared):
    """New Markdown for a part of a text, by whom and when (ISO 8601).

    Where ``text`` is a declaration, they are the words of its ``entry``. ``part`` is
    what the part said when it was made; no ``words`` take it away. ``decided`` is who
    accepted or declined it.
    """

    id: str
    state: Literal["open", "accepted", "declined"] = "open"
    by: Line
    email: Line
    at: str
    text: str
    entry: str = ""
    part: Words
    words: Words = ""
    decided: str = ""


class Suggestions(Declared):
    """All suggestions of a folder, the first one first."""

    suggestions: tuple[Suggestion, ...] = ()

    def having(self, one: Suggestion) -> Suggestions:
        """With a new suggestion, or another state of one that is there."""
        kept = {own.id: own for own in self.suggestions} | {one.id: one}
        return Suggestions(suggestions=tuple(kept.values()))


def read_suggestions(folder: Path) -> Suggestions:
    """The suggestions of a study's folder, or of an edition's; none without a file."""
    return read_remarks(folder / SUGGESTIONS, Suggestions)


def suggestions_text(found: Suggestions) -> str:
    """The text of the file."""
    return _HEAD + listed_text("suggestions", found.suggestions)
