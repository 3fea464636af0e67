"""What expressions print, and whether the words round it leave it what it is.

A digit, a sign or a unit beside a printed number makes another number of it. And what
is no result (a count, a limit, a tolerance, hardware, a published number) is none
because a sentence uses it as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from analysis.declared.workload import parse_workload
from analysis.facts.units import MINUS
from analysis.report.expressions.bound import plain
from analysis.report.lint.finding import Finding
from analysis.report.lint.known import declared_workloads
from analysis.report.lint.page_texts import PageText
from analysis.report.material import Material
from analysis.report.text.characters import PRINTED
from analysis.report.text.sentences import sentences

_BEFORE = re.compile(rf"[\d.,+{MINUS}\u00b1~\u2248/-]\s?$|(?:\d|\bminus|\btimes)\s$")
_DASH = re.compile(r"\s[\u2013\u2014-]\s?$|\w-$")
_UNIT = (
    r"%|\u2030|\s?per\s?cent|\s?points?\b|\s?\u00b5s|\s?m?s\b(?!\w)|\s?[kKMG]?B\b|"
    r"\s?[kMG]?bit|\s?times\b|\s?-?fold\b|\s?x\b|\s?\u00d7|\s?transactions? (?:a|per)\b"
    r"|\s?(?:micro|milli)seconds?|\s?\^|\d|\.\d|,\d|\s?e-?\d"
    r"|\s?(?:hundred|thousand|million)\b"
)
_AFTER = re.compile(rf"^(?:{_UNIT})", re.IGNORECASE)
_PER = re.compile(r"^\s(?:per|a|each|every|for each|for every)\s(\w+)")
_FACTOR = re.compile(r"\bfactors?\sof\s$|\btimes\s$", re.IGNORECASE)
_CALL = re.compile(r"(\w+)\(")
_FACTS = {
    "delta", "value", "lowest", "highest", "average", "moves", "verdict",
}  # fmt: skip
# What each expression without a fact is of, and the words without which it is not that.
_OF = {
    "limit": r"\blimit|threshold|at least|\bnoise|declare|resol|matter|count|margin"
    r"|floor|below|less than|more than|within",
    "gate": r"toleran|\bcheck|within|differ|\blaw\b|\bflag|\bidle\b|cover|gate|limit",
    "hardware": r"\bCPUs?\b|processor|machine|host|memory|core|node|adapter|thread",
    "published": r"publish|slides|paper|\breports?\b|IBM|@[\w-]+|others|literature",
    "published_issue": r"",
}
_SAID = {name: re.compile(words, re.IGNORECASE) for name, words in _OF.items()}
_COUNTS = {"verdicts", "comparisons", "count_runs"}
_COMPARED = re.compile(
    r"^\s(?:faster|slower|quicker|cheaper|dearer|higher|lower|better|worse|more|less|"
    r"longer|shorter|of (?:the|its|their) (?:throughput|latency|rate|cost|time))\b",
    re.IGNORECASE,
)
_ROLES = {
    "client": ("server", "receiver"), "server": ("client", "sender"),
    "sender": ("receiver", "server"), "receiver": ("sender", "client"),
}  # fmt: skip


@dataclass(frozen=True)
class _Place:
    """What an expression prints, the name of its function, and its sentence."""

    name: str
    expression: str
    output: str
    before: str
    after: str
    sentence: str

    @property
    def number(self) -> bool:
        """Whether a number is printed, and not words or a table."""
        return bool(re.match(rf"^\[?[+{MINUS}]?\d[^|\n]{{0,40}}$", plain(self.output)))


def check_placed(passages: Iterable[PageText], material: Material) -> Iterator[Finding]:
    """Values in passages that the words round them make something else of."""
    names = declared_workloads(material)
    roles = {row.id: row.role for row in material.published}
    for passage in passages:
        for at, place in _places(passage):
            own = place.name == "statistic" and passage.kind == "edition"
            for check in () if own else (_glued, _misused):
                if what := check(place):
                    yield _told(passage, at, what)
            if place.name == "published" and (what := _other_role(place, roles)):
                yield _told(passage, at, what)
            if place.name == "workload_name" and passage.study:
                name = plain(place.output).strip("`")
                if parse_workload(name).name not in names:
                    yield _told(passage, at, f"{name} is a workload that no study has")


def _places(passage: PageText) -> Iterator[tuple[int, _Place]]:
    """Each expression with its words, where marks and expressions are as many."""
    flat = passage.words.replace("\n", " ")
    marks = [at for at, c in enumerate(flat) if c == PRINTED]
    if len(marks) != len(passage.printed):
        return  # a mark in an address or an anchor is refused before
    spans = [(s.start, s.start + len(s.words), s.words) for s in sentences(flat)]
    for at, printed in zip(marks, passage.printed, strict=True):
        found = _CALL.match(printed.expression)
        sentence = next((w for a, b, w in spans if a <= at < b), flat)
        if passage.kind == "edition" and not passage.keys:
            sentence = flat  # a paragraph on the method speaks of one thing
        yield (
            at,
            _Place(
                found[1] if found else "",
                printed.expression,
                printed.output,
                flat[:at],
                flat[at + 1 :],
                sentence,
            ),
        )


def _glued(place: _Place) -> str:
    """What stands right beside a number and makes another one of it."""
    if not place.number and place.name not in (*_COUNTS, "statistic"):
        return ""
    before = place.before[-12:]
    if before.endswith(PRINTED) or place.after.startswith(PRINTED):
        return "two printed values stand side by side and read as one"
    if place.name in ("limit", "gate"):
        before = before.rstrip("\u00b1")
    if _BEFORE.search(before) and not _DASH.search(before) and not _list(before):
        return f"{before.split()[-1]!r} before what {place.name}(…) prints"
    if found := _AFTER.match(place.after):
        return f"{found[0].strip()!r} after what {place.name}(…) prints"
    if _FACTOR.search(place.before):
        return f"what {place.name}(…) prints is no factor"
    per = _PER.match(place.after)
    if per and place.name == "value" and per[1].lower() not in _PERIODS:
        return f"'per {per[1]}' gives what value(…) prints another unit"
    return ""


_PERIODS = {"second", "run", "day"}


def _list(before: str) -> bool:
    """Whether a comma or a point belongs to the words before, not to a number."""
    return bool(re.search(r"[^\d\s][.,/]\s?$", before))


def _misused(place: _Place) -> str:
    """An expression of no result in a sentence that makes one of it."""
    if place.name in _FACTS or place.name not in (*_OF, *_COUNTS):
        return ""
    if _COMPARED.match(place.after) and place.name != "published":
        return f"what {place.name}(…) prints is no result"
    if place.name in _COUNTS:
        result = re.search(r"\bby\s(?:about\s)?$", place.before)
        return f"{place.name}(…) is a count and no result" if result else ""
    if place.name == "hardware" or place.name == "published_issue":
        return ""
    if not _SAID[place.name].search(place.sentence.replace(PRINTED, " ")):
        return f"the sentence does not say that this is a {_CALLED[place.name]}"
    return ""


_CALLED = {"limit": "limit", "gate": "tolerance", "published": "published number"}


def _other_role(place: _Place, roles: Mapping[str, str | None]) -> str:
    """A published number of one role in a sentence that names the other alone."""
    found = re.search(r"P\d{3}", place.expression)
    role = roles.get(found[0]) if found else None
    others = _ROLES.get(role or "", ())
    words = place.sentence.lower()
    if role and role not in words and any(other in words for other in others):
        return f"{place.expression} is of the {role}, which the sentence does not name"
    return ""


def _told(passage: PageText, at: int, what: str) -> Finding:
    mend = "let the sentence say what the expression prints, or print what it says"
    return Finding("error", "lint", passage.issue(what, at, mend))
