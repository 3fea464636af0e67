"""Hand-written text files: UTF-8, of a size that can be read, without control codes."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from analysis.errors import UserError, user_error
from analysis.files.limits import TEXT_BYTES

# What no keyboard writes, and what Python takes for the end of a line and others not.
_CONTROL = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")

# By which an author says that something is still to be done.
_MARKS = re.compile(
    r"#\s*check\b|\b(?:TO" + r"DO|FIX" + r"ME|TBD|TBC|X" + r"XX+)\b|\?{3,}"
    r"|\bto be (?:written|filled in|completed)\b|\blorem ipsum\b",
    re.IGNORECASE,
)


class Reminder(NamedTuple):
    """A mark, and the line of the file that it stands in."""

    line: int
    words: str


def marks_of(text: str) -> Iterator[Reminder]:
    """The marks of a text or a declaration, in order."""
    for number, line in enumerate(text.split("\n"), 1):
        for mark in _MARKS.finditer(line):
            yield Reminder(number, mark[0])


def read_text(
    path: Path,
    missing: tuple[str, str] = ("this file is missing", "create it"),
    limit: int = TEXT_BYTES,
    name: str = "TEXT_BYTES",
) -> str:
    """The text of a file, lines ended by ``\\n``; a :class:`UserError` if it is none.

    ``missing`` is what to say of a file that is absent, and how to mend that;
    ``limit`` the most bytes that it may have, and ``name`` that of the limit.
    """
    return as_text(_read(path, missing, limit, name), path, limit, name)


def as_text(
    data: bytes, path: Path, limit: int = TEXT_BYTES, name: str = "TEXT_BYTES"
) -> str:
    """The text of bytes that a file has or would have; see :func:`read_text`."""
    if len(data) > limit:
        raise too_large(f"{len(data):,} bytes", limit, name, path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise user_error(
            "not UTF-8 text", path, offset=error.start, mend="save it as UTF-8"
        ) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        what = f"the control character U+{ord(control[0]):04X}"
        raise user_error(what, path, line, mend="remove it")
    return text


def ends_as(path: Path, text: str) -> str:
    """A text whose lines end as those of a file do: with a carriage return, or not."""
    return text.replace("\n", "\r\n") if b"\r\n" in path.read_bytes() else text


def _read(path: Path, missing: tuple[str, str], limit: int, name: str) -> bytes:
    what, mend = missing
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            what, mend = "this is a folder, not a text", "name a file"
            raise user_error(what, path, mend=mend)
        if not stat.S_ISREG(about.st_mode):
            what = "this is a device or a pipe, not a text"
            raise user_error(what, path, mend="put a file in its place")
        if about.st_size > limit:
            raise too_large(f"{about.st_size:,} bytes", limit, name, path)
        return path.read_bytes()
    except FileNotFoundError:
        raise user_error(what, path, mend=mend) from None
    except OSError as error:
        what = f"this file cannot be read: {error.strerror}"
        mend = "correct its permissions, or where its link leads"
        raise user_error(what, path, mend=mend) from None


def too_large(
    what: str, limit: int, name: str, path: Path, line: int | None = None
) -> UserError:
    """The mistake of being beyond a limit, which is named with its value."""
    return user_error(
        f"{what}; at most {limit:,} are read ({name})", path, line, mend="make it less"
    )
