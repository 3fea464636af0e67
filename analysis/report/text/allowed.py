"""Words that a text declares under ``allow``: numbers that may be typed there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis.report.text.characters import reader_text
from analysis.report.text.reviewed import Allowed


def allowed_spans(words: str, allow: Iterable[Allowed]) -> list[tuple[int, int]]:
    """Where the exceptions stand among words: the begin and the end of each."""
    found = []
    for allowed in allow:
        text = reader_text(allowed.text)
        whole = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)" if text else r"(?!)")
        found += [match.span() for match in whole.finditer(words)]
    return found


def without_allowed(words: str, allow: Iterable[Allowed]) -> str:
    """The words without the exceptions, every other character in its place."""
    for start, end in allowed_spans(words, allow):
        words = words[:start] + " " * (end - start) + words[end:]
    return words
