"""What people say of a study, or of front and back matter: comments and suggestions.

Two files beside the texts, as readable as they are. A comment begins a thread, which is
about a part of a text, or about all of it, and open until somebody resolves it. A
suggestion has other words for a part; it is open until an author accepts or declines
it, and stale when its part reads otherwise than it did.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import Field

from analysis.declared.base import Declared, check_declared, parse_yaml
from analysis.declared.edition import Line
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text
from analysis.report.text.characters import reader_text

COMMENTS, SUGGESTIONS = "comments.yaml", "suggestions.yaml"
_SAID = "# What reviewers said. Written by: python -m analysis desk\n"
_SUGGESTED = "# Words that were suggested. Written by: python -m analysis desk\n"
_ALIKE = 0.5  # of its words: a part that was edited is still the same one
_REFERENCE = re.compile(r"@[\w:.-]+|\b(?:Figure|Table|Section) [\d.]+")
# The same text as that of the dumper in Python, ten times as fast.
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
MOST = 10_000  # characters of what somebody says at once
MOST_FILES = 256  # that are kept as they were read: those of a large project
Words = Annotated[str, Field(pattern=r"\S", max_length=MOST)]
Quote = Annotated[str, Field(max_length=2_000)]
PartWords = Annotated[str, Field(max_length=100_000)]


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
    part: PartWords
    words: PartWords = ""
    decided: str = ""


class Comments(Declared):
    """All threads of a folder, the first one first."""

    threads: tuple[Thread, ...] = ()

    def with_thread(self, thread: Thread) -> Comments:
        """With a new thread, or another state of one that is there."""
        return Comments(threads=_with(self.threads, thread))


class Suggestions(Declared):
    """All suggestions of a folder, the first one first."""

    suggestions: tuple[Suggestion, ...] = ()

    def having(self, one: Suggestion) -> Suggestions:
        """With a new suggestion, or another state of one that is there."""
        return Suggestions(suggestions=_with(self.suggestions, one))


Remark = TypeVar("Remark", Thread, Suggestion)
Model = TypeVar("Model", bound=Declared)


def _with(remarks: Iterable[Remark], one: Remark) -> tuple[Remark, ...]:
    return tuple(({remark.id: remark for remark in remarks} | {one.id: one}).values())


def new_id() -> str:
    """A name for a thread or a suggestion, which no other has."""
    return secrets.token_hex(4)


def read_comments(folder: Path) -> Comments:
    """The comments of a study's folder, or of an edition's; none without a file.

    A :class:`analysis.errors.UserError` names file and line of a mistake.
    """
    return _read(folder / COMMENTS, Comments)


def read_suggestions(folder: Path) -> Suggestions:
    """The suggestions, likewise."""
    return _read(folder / SUGGESTIONS, Suggestions)


def comments_text(comments: Comments) -> str:
    """The text of the file."""
    return _SAID + _listed("threads", comments.threads)


def suggestions_text(suggestions: Suggestions) -> str:
    """The text of the file."""
    return _SUGGESTED + _listed("suggestions", suggestions.suggestions)


def _listed(name: str, entries: Sequence[Declared]) -> str:
    if not entries:
        return "{}\n"
    data = [entry.model_dump(mode="json", exclude_defaults=True) for entry in entries]
    text = yaml.dump(data, None, _DUMPER, allow_unicode=True, width=88, sort_keys=False)
    return f"{name}:\n{text}"


def _read(path: Path, model: type[Model]) -> Model:
    if not path.exists():
        return model()
    missing = "this file is missing", "create it"
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    return remarks_of(text, path, model)


_last: dict[Path, tuple[str, Declared]] = {}


def remarks_of(text: str, path: Path, model: type[Model]) -> Model:
    """What the words of a file say, or would say.

    Every open page asks for them, so a file is parsed when its words are others.
    """
    words, found = _last.pop(path, ("", None))
    if words != text or not isinstance(found, model):
        found = check_declared(*parse_yaml(text, path), model, path)
    _last[path] = text, found
    for oldest in list(_last)[:-MOST_FILES]:
        _last.pop(oldest, None)
    return found


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
