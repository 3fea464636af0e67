"""Numbers typed by hand, in every dress, and the expressions that print them.

A number is fine that an expression prints, that a declaration knows, or that stands in
a form which no result has. All others are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from analysis.declared.shapes import ANY_SHAPE
from analysis.declared.workload import parse_workload
from analysis.report.lint.exceptions import without_allowed
from analysis.report.lint.finding import Finding, Severity
from analysis.report.lint.known import DeclaredNumbers
from analysis.report.lint.mends import Mender
from analysis.report.lint.names import blank, blank_names, blank_sizes, names
from analysis.report.lint.page_texts import PageText
from analysis.report.lint.quantities import TypedNumber, quantities, value_of
from analysis.report.text.sentences import Sentence, sentences

_WORKLOAD = re.compile(
    rf"(?<!\w)(?:\[(?:{ANY_SHAPE})\]|(?:{ANY_SHAPE}))[\[(]?\d+[\])]?"
    r"\(~?\d[\d.]*\s?[kKMG]?B(?:(?:/|\.\.)~?\d[\d.]*\s?[kKMG]?B)?\)"
    rf"|(?<!\w)(?:{ANY_SHAPE})\d+(?:\*|\b(?!\())"
)
# A size beside one of these is what something gains, loses or moves in a second.
_FLOW = re.compile(
    r"\b(?:(?:per|each|every|a|one) second|sav(?:e|es|ed|ing|ings)|loses?|gains?|gained"
    r"|(?:slower|faster|quicker|less|more|up|down) by|throughput of|runs at)\b",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"confiden|interval|\branges?\b|\blevel|probab|quantile|percentile|certain"
    r"|true value",
    re.IGNORECASE,
)
_CHANCE = re.compile(r"\bp(?:-values?)?\b|significan", re.IGNORECASE)
_LED = re.compile(r"\b(?:minus|plus|by|to|at|about|is|of)\s$", re.IGNORECASE)
_ANY_TWO = re.compile(r"\b(?:between|\w{2,}er of)\s$", re.IGNORECASE)
_TIMES = re.compile(r"\borders? of magnitude\b|\btimes\b|\w+fold\b", re.IGNORECASE)
_NAMED = 12  # beyond it a number in words counts nothing that is counted in passing
_OF = re.compile(r"\b(?:out of|in|of)\b")
_VERSION_OF = re.compile(r"(?:[A-Z][\w/-]*|[Vv]ersions?|[Rr]eleases?)\s$")
_CHANCES = (0.05, 0.01, 0.001, 0.1)
_NO_WORD = re.compile(r"[\s.,;:!?()\d]+")
_EXAMPLE = re.compile(
    r"^\W*(?:suppose|assume|imagine|let us say|say that|for (?:example|instance)|as an "
    r"example|take )",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(r"[=\u00f7\u00d7]")
# Nouns of what a report counts: so many of them are a result, or declared.
_COUNTED = {
    "comparison", "microsecond", "millisecond", "nanosecond", "second",
    "cp", "cpu", "core", "processor", "ziip", "run",
    "repetition", "measurement", "sample", "error", "failure", "cycle",
    "instruction", "megabyte", "gigabyte", "kilobyte", "megabit", "gigabit",
    "verdict", "retransmission", "timeout", "interruption", "regression", "improvement",
}  # fmt: skip
# A few of these are told of in passing.
_COUNTED_FROM_FOUR = {
    "transaction", "request", "response", "answer", "reply", "connection", "handshake",
    "session", "stream", "client", "server", "workload", "configuration",
    "study",
}  # fmt: skip
_AS_MULTIPLE = re.compile(
    r"\W*(?:as|more|less|the|what|that|its|their|over|faster|slower|quicker|higher|lower|"
    r"larger|smaller|greater|longer|shorter|cheaper|dearer|better|worse)\b",
    re.IGNORECASE,
)


def check_numbers(
    passages: Iterable[PageText], known: DeclaredNumbers, mender: Mender
) -> Iterator[Finding]:
    """Numbers in passages of an edition that nothing prints and nothing declares."""
    for passage in passages:
        yield from _check(passage, known, mender)


def _check(
    passage: PageText, known: DeclaredNumbers, mender: Mender
) -> Iterator[Finding]:
    words = without_allowed(passage.words, passage.allow).replace("\n", " ")
    if not any(c.isalnum() for c in words):
        return
    yield from _workloads(words, passage, known)
    words = blank_names(blank(words, _WORKLOAD))
    for at, name, glued in names(words):
        if name not in known.names and (glued or not _like_a_name(name)):
            yield _name(passage, at, name, glued)
    words = "".join(_nameless(words))
    example, method = False, passage.kind == "edition"
    for sentence in sentences(words):
        example = _is_example(sentence, passage, example)
        yield from _settings(sentence, passage, known)
        for found in quantities(_without_sizes(sentence.words)):
            if example or _is_known(found, sentence, known, method):
                continue
            before = sentence.words[: found.start]
            severity = _severity(found, passage, before)
            if severity:
                at, text = sentence.start + found.start, found.text
                what = f"a number typed by hand: {text!r}"
                issue = passage.issue(what, at, mender.mend(found, passage.study))
                fixes = mender.fixes(found, passage.study)
                yield Finding(severity, "lint", replace(issue, fixes=fixes))


def _settings(
    sentence: Sentence, passage: PageText, known: DeclaredNumbers
) -> Iterator[Finding]:
    """Values that a sentence gives a setting and no configuration has."""
    if known.settings.keys().isdisjoint(_NO_WORD.split(sentence.words.lower())):
        return
    for found in quantities(sentence.words):
        name = _setting(sentence.words[: found.start], known)
        if name and found.typed and found.value not in known.settings[name]:
            values = ", ".join(f"{value:g}" for value in sorted(known.settings[name]))
            what = f"{found.text} is no declared value of {name.upper()}: {values}"
            mend = "write one of these, or correct the declaration"
            issue = passage.issue(what, sentence.start + found.start, mend)
            yield Finding("error", "lint", issue)


def _workloads(
    words: str, passage: PageText, known: DeclaredNumbers
) -> Iterator[Finding]:
    """Names of workloads in observations that no run and no study has."""
    for found in _WORKLOAD.finditer(words):
        if passage.kind != "observations" or ".." in found[0] or "(" not in found[0]:
            continue
        if parse_workload(found[0]).name not in known.workloads:
            what = f"{found[0]} is the name of a workload that no study has"
            mend = "name one that was run"
            issue = passage.issue(what, found.start(), mend)
            yield Finding("held", "lint", issue)


def _name(passage: PageText, at: int, name: str, glued: bool) -> Finding:
    if glued:
        what, mend = f"a number in a name: {name!r}", "print it with an expression"
        return Finding("error", "lint", passage.issue(what, at, mend))
    what = f"nothing declares the name {name!r}"
    mend = "see that it is no result; names of what was measured stand in campaign.yaml"
    return Finding("warning", "lint", passage.issue(what, at, mend))


def _like_a_name(name: str) -> bool:
    """Whether letters beside the digits are those of a name: capitals, or _ within."""
    letters = [c for c in name if c.isalpha()]
    return any(c.isupper() for c in letters) or "_" in name or len(name) <= 4


def _nameless(words: str) -> Iterator[str]:
    place = 0
    for at, name, _ in names(words):
        yield words[place:at]
        yield " " * len(name)
        place = at + len(name)
    yield words[place:]


def _without_sizes(words: str) -> str:
    return words if _FLOW.search(words) else blank_sizes(words)


def _is_example(sentence: Sentence, passage: PageText, before: bool) -> bool:
    """Whether a sentence of front or back matter reckons with numbers of its own."""
    if passage.kind != "edition" or passage.printed:
        return False
    if _EXAMPLE.match(sentence.words):
        return True
    quoted = passage.source.startswith(">") and _ARITHMETIC.search(passage.words)
    follows = re.match(r"\W*(?:then|so|that is)\b", sentence.words, re.IGNORECASE)
    return bool(quoted) or (before and bool(follows))


def _is_known(
    found: TypedNumber, sentence: Sentence, known: DeclaredNumbers, method: bool
) -> bool:
    """Whether a declaration has the number, or the ``method`` that a text tells."""
    before = sentence.words[: found.start]
    after = sentence.words[found.start + len(found.text) :]
    if (setting := _setting(before, known)) and found.value in known.settings[setting]:
        return True
    level = _LEVEL.search(sentence.words) or _CHANCE.search(sentence.words)
    if found.dress == "share":
        return found.value in known.levels and bool(level)
    if found.dress == "ratio":
        return _is_level(found.text, known) and bool(level)
    if found.dress == "multiple":
        repeated = found.text.lower().endswith("times") and not _AS_MULTIPLE.match(
            after
        )
        return repeated and known.counted(found.value, "time")
    if found.value in _CHANCES and _CHANCE.search(sentence.words):
        return True
    if not found.noun and found.text in known.names:
        return True  # a code such as that of a cipher
    if _VERSION_OF.search(before) and found.text in known.versions:
        return True
    if method and (found.value, found.noun) in known.method:
        return True
    if method and level and found.value in (100.0, *known.levels):
        return True
    return known.counted(found.value, found.noun)


def _setting(before: str, known: DeclaredNumbers) -> str:
    """The setting that is named a few words before a number, none between them."""
    near = re.split(r"[.,;:!?()\d]", before)[-1].lower().split()[-6:]
    return next((word for word in reversed(near) if word in known.settings), "")


def _is_level(text: str, known: DeclaredNumbers) -> bool:
    """Whether *90 of 100* or *nine of ten* is a level of the report's intervals."""
    values = [value_of(part.strip()) for part in _OF.split(text)]
    if len(values) != 2 or not all(values):
        return False
    return round(100 * (values[0] or 0) / (values[1] or 1), 6) in known.levels


def _severity(found: TypedNumber, passage: PageText, before: str) -> Severity | None:
    """How bad a number is that nothing knows; None where it may stand."""
    if found.dress == "words":
        if found.value == 2 and _ANY_TWO.search(before):
            return None
        if not found.noun and _TIMES.search(before):
            return "error"
        large = (found.value or 0) >= 4
        if not found.noun and (found.value or 0) > _NAMED and _LED.search(before):
            return "error"
        told = found.noun in _COUNTED or (large and found.noun in _COUNTED_FROM_FOUR)
        return "error" if told else None
    if found.dress == "digits" and passage.kind == "campaign":
        return None
    if passage.entry == "number" and passage.words.isdigit():
        return None
    if found.dress == "digits" and passage.kind == "edition" and not passage.keys:
        return "held"
    return "error"
