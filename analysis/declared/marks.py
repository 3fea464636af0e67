"""Marks by which an author says that something is still to be done: ``# check``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

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
        for found in _MARKS.finditer(line):
            yield Reminder(number, found[0])
