"""What people say of a study, or of front and back matter: ``comments.yaml``.

One file beside the texts, as readable as they are. A thread is about a part of a text,
or about all of it, and open until somebody resolves it. One that has other words for
its part is a suggestion, open until an author accepts or declines it.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field

from analysis.declared.base import Declared, check_declared, parse_yaml
from analysis.declared.edition import Line
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text

COMMENTS = "comments.yaml"
_HEAD = "# What reviewers said. Written by: python -m analysis desk\n"
MOST = 10_000  # characters of what somebody says at once
MOST_FILES = 256  # that are kept as they were read: those of a large project
# The same text as that of the dumper in Python, ten times as fast.
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
Words = Annotated[str, Field(pattern=r"\S", max_length=MOST)]
Quote = Annotated[str, Field(max_length=2_000)]
Markdown = Annotated[str, Field(max_length=100_000)]


class Remarked(Declared):
    """What somebody said, and when (ISO 8601); their address where they suggest it."""

    by: Line
    email: Line | None = None
    at: str
    words: Words


class Thread(Declared):
    """What was said of one place: a part of a text, a figure or a value, or of all.

    ``part`` is the Markdown of the part when it was begun, by which the place is found
    again, and ``quote`` words of it as they were read; ``entry`` is that of declared
    words. ``value`` has keys of facts, as a page names them, with or without the part
    that prints them; ``figure`` is the anchor of one. ``instead`` is the Markdown that
    is suggested for the part; an empty one takes it away.
    """

    id: str
    state: Literal["open", "resolved", "accepted", "declined", "withdrawn"] = "open"
    text: str = ""
    entry: str = ""
    part: str = ""
    instead: Markdown | None = None
    quote: Quote = ""
    value: str = ""
    figure: str = ""
    said: Annotated[tuple[Remarked, ...], Field(min_length=1)]

    @property
    def of_all(self) -> bool:
        """Whether it is about a whole study, or about all of front and back matter."""
        return not (self.text or self.value or self.figure)

    @property
    def suggests(self) -> bool:
        """Whether it has other words for its part."""
        return self.instead is not None

    @property
    def waits(self) -> bool:
        """Whether it is a suggestion that nobody accepted or declined."""
        return self.state == "open" and self.suggests

    @property
    def asks(self) -> bool:
        """Whether it is a comment that nobody resolved."""
        return self.state == "open" and not self.suggests


class Comments(Declared):
    """All threads of a folder, the first one first."""

    threads: tuple[Thread, ...] = ()

    def with_thread(self, thread: Thread) -> Comments:
        """With a new thread, or another state of one that is there."""
        threads = {one.id: one for one in self.threads} | {thread.id: thread}
        return Comments(threads=tuple(threads.values()))


_last: dict[Path, tuple[str, Comments]] = {}


def suggested(by: str, email: str, at: str) -> Remarked:
    """What begins a suggestion."""
    return Remarked(by=by, email=email, at=at, words="suggested")


def new_id() -> str:
    """A name for a thread, which no other has."""
    return secrets.token_hex(4)


def read_comments(folder: Path) -> Comments:
    """The comments of a study's folder, or of an edition's; none without a file.

    A :class:`analysis.errors.UserError` names file and line of a mistake.
    """
    path = folder / COMMENTS
    if not path.exists():
        return Comments()
    missing = "this file is missing", "create it"
    text = read_text(path, missing, DECLARATION_BYTES, "DECLARATION_BYTES")
    return comments_of(text, path)


def comments_of(text: str, path: Path) -> Comments:
    """What the words of a file say, or would say; else as :func:`read_comments`.

    Every open page asks for them: a file is parsed when its words are others.
    """
    words, parsed = _last.pop(path, ("", None))
    if parsed is None or words != text:
        parsed = check_declared(*parse_yaml(text, path), Comments, path)
    _last[path] = text, parsed
    for oldest in list(_last)[:-MOST_FILES]:
        _last.pop(oldest, None)
    return parsed


def comments_text(comments: Comments) -> str:
    """The text of the file."""
    if not comments.threads:
        return f"{_HEAD}{{}}\n"
    data = [one.model_dump(mode="json", exclude_defaults=True)
            for one in comments.threads]  # fmt: skip
    text = yaml.dump(data, None, _DUMPER, allow_unicode=True, width=88, sort_keys=False)
    return f"{_HEAD}threads:\n{text}"
