"""A drafted text against a release: which numbers it prints, which it does not.

Somebody's own words stay theirs and are marked. A result is refused unless a fact
prints it, of what the sentence names, and in the direction that the sentence gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.ask.library import AskedBuild, AskedBuilds
from analysis.errors import user_error
from analysis.facts.fact import Fact
from analysis.facts.units import MINUS, format_unit
from analysis.report.checks.declared import RESULT
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.language.listing import forms
from analysis.report.table import escape

MOST = 10_000  # characters of a draft
LIMITS = (
    "Numbers with a unit are compared. Reasons, advice, and amounts in other words, "
    "such as half, are not: they are own words, for a person to judge."
)
_SHOWN = 3  # facts for a number
_NEAR = 60  # characters between a word of direction and its number
_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FIRST = re.compile(rf"([+{MINUS}-]?{_NUMBER.pattern})\s*(?:to|–|and)\s*$")
_NO_UNIT = ("percent", "per cent", "%")


@dataclass(frozen=True)
class _Candidate:
    """A number that a release prints, and of which fact."""

    build: AskedBuild
    fact: Fact


def check_draft(asked: AskedBuilds, text: str, edition: str = "") -> dict[str, Any]:
    """Each sentence with what it is: ``bound`` to facts, ``own words``, or ``refused``.

    ``marked`` is the text as Markdown with own words and refused numbers marked, and
    ``refused`` how many sentences are. A :class:`UserError` where the text is empty or
    too long.
    """
    if not text.strip() or len(text) > MOST:
        what = f"a draft of {len(text):,} characters; from 1 to {MOST:,}"
        raise user_error(what, mend="check it part by part")
    builds = [asked.build(edition)] if edition else asked.builds
    numbers = _numbers(builds)
    sentences = [
        _sentence(asked, part.strip(), numbers)
        for part in _END.split(text)
        if part.strip()
    ]
    return {
        "sentences": sentences,
        "refused": sum(one["is"] == "refused" for one in sentences),
        "marked": " ".join(map(_marked, sentences)),
        "limits": LIMITS,
    }


def _sentence(
    asked: AskedBuilds, text: str, numbers: dict[str, list[_Candidate]]
) -> dict[str, Any]:
    bound: list[dict[str, str]] = []
    refused: list[str] = []
    for number, found in _typed(text):
        every = [c for c in numbers.get(_plain(number), ()) if _unit(found, c.fact)]
        named, what = _of_what_is_named(asked, text, every)
        fitting = [c for c in named if not (sign := _sign(text, found.start(), c.fact))
                   or sign * c.fact.value > 0]  # fmt: skip
        if fitting:
            bound += [_place(number, one) for one in fitting[:_SHOWN]]
        elif not every:
            refused.append(f"{number}: no fact prints this")
        elif not named:
            other = every[0].fact
            refused.append(f"{number}: printed of {_of(other)}, not of {what}")
        else:
            other = named[0].fact
            refused.append(
                f"{found[0]}: {_of(other)} is {other.printed}, the other way"
            )
    kind = "refused" if refused else "bound" if bound else "own words"
    return {"text": text, "is": kind, "facts": bound, "refused": refused}


def _typed(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The results of a sentence with their units: of a range, both of its ends."""
    for found in RESULT.finditer(text):
        if first := _FIRST.search(text[: found.start()]):
            yield f"{first[1]} {found['unit']}", found
        yield found[0], found


def _numbers(builds: Sequence[AskedBuild]) -> dict[str, list[_Candidate]]:
    """What facts print, by its number alone."""
    found: dict[str, list[_Candidate]] = {}
    for build in builds:
        for fact in build.facts.values():
            for shown in {n for text, _ in forms(fact) for n in _NUMBER.findall(text)}:
                known = found.setdefault(_plain(shown), [])
                known.append(_Candidate(build, fact))
    return found


def _of_what_is_named(
    asked: AskedBuilds, text: str, every: Sequence[_Candidate]
) -> tuple[list[_Candidate], str]:
    """Those of the workloads, metrics and roles that a sentence names; else what is
    named and has no such number."""
    understood = asked.ranking.understand(text)
    loads = {c.fact.workload for b in asked.builds for c in _all(b)
             if c.fact.workload in text}  # fmt: skip
    first = {id for id, share in understood.metrics.items() if share > 0}
    tests = (
        (loads, "workload", str),
        (first, "metric", asked.metric_label),
        (set(understood.roles), "role", str),
    )
    left = list(every)
    for names, of, label in tests:
        kept = [c for c in left if not names or getattr(c.fact, of) in names]
        if left and not kept:
            return [], ", ".join(sorted(map(label, names)))
        left = kept
    return left, ""


def _all(build: AskedBuild) -> Iterator[_Candidate]:
    return (_Candidate(build, fact) for fact in build.facts.values())


def _sign(text: str, at: int, fact: Fact) -> int:
    """The sign that the nearest word of direction gives a change; 0 for none."""
    before = text[max(at - _NEAR, 0) : at]
    every = list(WORD.finditer(before))
    if fact.kind != "delta" or not every or DENIES.search(before):
        return 0
    return word_of(every[-1]).of(fact)


def _unit(found: re.Match[str], fact: Fact) -> bool:
    percent = found["unit"].lower().replace("  ", " ") in _NO_UNIT
    if percent or fact.unit == "%":
        return percent and fact.unit == "%"
    typed, own = found["unit"].lower(), format_unit(fact.unit).lower()
    return own.replace("μ", "µ").startswith(typed.replace("μ", "µ")[:2])


def _plain(text: str) -> str:
    number = _NUMBER.search(text.replace(MINUS, ""))
    return number[0].replace(",", "").rstrip(".") if number else ""


def _of(fact: Fact) -> str:
    return ", ".join(filter(None, (fact.metric, fact.role, fact.workload)))


def _place(number: str, one: _Candidate) -> dict[str, str]:
    return {
        "number": number,
        "key": one.fact.key,
        "of": _of(one.fact),
        "printed": one.fact.printed,
        "facts": one.build.trace(one.fact.key),
    }


def _marked(sentence: dict[str, Any]) -> str:
    text = escape(sentence["text"])
    classes = {"own words": ".own-words", "refused": ".refused"}
    mark = classes.get(sentence["is"])
    return f"[{text}]{{{mark}}}" if mark else text
