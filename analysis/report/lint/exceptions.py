"""Exceptions that a text declares under ``allow``: what they may cover, and what not.

An exception is for a number that is no result: a name, a setting, a size. A result
stays one whatever its author says, so an exception that covers a percentage, a multiple
or a value in a metric's unit needs a reference that gives it: ``see: key``. In front
and back matter, which tell of the method, a reason in some words is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.errors import Issue, Place
from analysis.report.lint.finding import Finding, Severity
from analysis.report.lint.names import blank_names
from analysis.report.lint.quantities import quantities
from analysis.report.text.characters import reader_text
from analysis.report.text.reviewed import Allowed
from analysis.report.text.texts import Text

_LONGEST = 8  # words; a longer exception is a sentence that nobody checks
_EXPLAINED = 4  # words of a reason
_RESULTS = ("share", "ratio", "multiple", "fraction")
_UNIT = re.compile(r"\d\s?(?:\u00b5s|ms\b|ns\b|[kMG]?i?B(?:/s|ps)|[kMG]?bit/s|trans)")


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


def check_allowed(text: Text, known: Iterable[str]) -> Iterator[Finding]:
    """Exceptions of a text that nothing in it needs, or that cover too much.

    ``known`` are the keys of the references.
    """
    keys = frozenset(known)
    for allowed in text.source.allow:
        where = Place(str(text.path))
        words = reader_text(allowed.text)
        told = f"the exception {allowed.text!r}"
        if allowed.text not in text.source.body:
            what = f"{told} is not in the text"
            yield _told("warning", what, where, "delete it from 'allow'")
        if allowed.see and allowed.see not in keys:
            what = f"{told} refers to @{allowed.see}, which is no reference"
            yield _told("error", what, where, "name an entry of the bibliography")
        if not re.search(r"\w\W+\w", allowed.reason):
            what = f"{told} has no reason that a reader could judge"
            yield _told("held", what, where, "say why the number is no result")
        explained = not text.study and len(allowed.reason.split()) >= _EXPLAINED
        for what, mend in _beyond(words, bool(allowed.see) or explained):
            yield _told("held", f"{told} {what}", where, mend)


def _beyond(words: str, cited: bool) -> Iterator[tuple[str, str]]:
    """What an exception covers and may not."""
    if len(words.split()) > _LONGEST or re.search(r"[.?!]\s*$", words.strip()):
        yield "covers a sentence", "name the number alone, with the words beside it"
    found = list(quantities(blank_names(words)))
    result = any(q.dress in _RESULTS for q in found) or _UNIT.search(words)
    if result and not cited:
        mend = "print it, or name the reference that gives it: see: key"
        yield "covers what looks like a result", mend
    if not any(character.isdigit() for character in words) and not found:
        yield "covers words and no number", "back the words with a claim"


def _told(severity: Severity, what: str, where: Place, mend: str) -> Finding:
    return Finding(severity, "lint", Issue(what, where, mend))
