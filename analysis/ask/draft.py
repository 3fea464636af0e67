"""A drafted text against a release: which numbers it prints, which it does not.

Somebody's own words stay theirs and are marked. A result is refused unless a fact
prints it, of what the sentence names, and in the direction that the sentence gives it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.ask.library import AskedBuild, AskedBuilds
from analysis.ask.rank import fold, words_of
from analysis.errors import user_error
from analysis.facts.fact import Fact
from analysis.facts.units import format_unit
from analysis.report.across.page import known_interval
from analysis.report.checks.declared import RESULT
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.language.listing import NUMBER, plain
from analysis.report.table import escape

MOST = 10_000  # characters of a draft
LIMITS = (
    "Numbers with a unit are compared. Reasons, advice, and amounts in other words, "
    "such as half, are not: they are own words, for a person to judge."
)
_SHOWN = 3  # facts for a number
_NEAR = 60  # characters between a word of direction and its number
_END = re.compile(r"(?<=[.!?])\s+|\n{2,}")
# Sizes and rates are no results where texts explain; here nothing else tells them.
_TYPED = re.compile(
    rf"{RESULT.pattern}|(?<![\w.,@/(-])(?P<more>{NUMBER.pattern}) ?"
    r"(?P<of>[kKMG]i?B|tps|trans?/s|\w+/tran)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"({NUMBER.pattern})\s*(?:to|–|and)\s*[+\u2212-]?$")
_AGAINST = re.compile(
    r"\b(?:against|than|from|over|relative to|compared (?:with|to)|(?:instead|in place)"
    r" of)\s+(?:\S+\s+){0,3}$",
    re.IGNORECASE,
)
_MARKS = {"own words": ".own-words", "refused": ".refused"}
Printed = tuple[AskedBuild, Fact]


def check_draft(asked: AskedBuilds, text: str, edition: str = "") -> dict[str, Any]:
    """Each sentence with what it is: ``bound`` to facts, ``own words``, or ``refused``.

    ``marked`` is the text as Markdown with own words and refused numbers marked, and
    ``refused`` how many sentences are. A :class:`UserError` where the text is empty or
    too long.
    """
    if not text.strip() or len(text) > MOST:
        what = f"a draft of {len(text):,} characters; from 1 to {MOST:,}"
        raise user_error(what, mend="check it part by part")
    numbers = defaultdict[tuple[str, ...], list[Printed]](list)
    for build in [asked.build(edition)] if edition else asked.builds:
        for fact in build.facts.values():
            numbers[(plain(fact.printed),)].append((build, fact))
            if ends := NUMBER.findall(known_interval(fact)):
                numbers[tuple(map(plain, ends))].append((build, fact))
    parts = [part.strip() for part in _END.split(text) if part.strip()]
    sentences = [_sentence(asked, part, numbers) for part in parts]
    return {
        "sentences": sentences,
        "refused": sum(one["is"] == "refused" for one in sentences),
        "marked": " ".join(map(_marked, sentences)),
        "limits": LIMITS,
    }


def _sentence(
    asked: AskedBuilds, text: str, numbers: dict[tuple[str, ...], list[Printed]]
) -> dict[str, Any]:
    bound, refused = list[dict[str, str]](), list[str]()
    loads = {row[1] for one in asked.builds for row in one.index.rows}
    for number, match in _typed(text, numbers):
        unit = (match["unit"] or match["of"]).replace("tps", "trans/s")
        if any(f"{number[0]}{unit}".lower() in load.lower() for load in loads):
            continue  # the size of a message
        shown = f"{' to '.join(number)} {unit}"
        printed = [one for one in numbers.get(number, ()) if _unit(unit, one[1])]
        named, why = _of_what_is_named(asked, text, loads, printed)
        fitting = [one for one in named if _agrees(text, match.start(), one[1])]
        if not printed:
            refused.append(f"{shown}: no fact prints this")
        elif not named:
            refused.append(f"{shown}: {why}")
        elif not fitting:
            of, prints = _of(*named[0]), named[0][1].printed
            refused.append(f"{shown}: {of} is {prints}, the other way")
        bound += [
            {
                "number": shown,
                "key": fact.key,
                "of": _of(build, fact),
                "printed": fact.printed,
                "facts": build.trace(fact.key),
            }
            for build, fact in fitting[:_SHOWN]
        ]
    kind = "refused" if refused else "bound" if bound else "own words"
    return {"text": text, "is": kind, "facts": bound, "refused": refused}


def _typed(
    text: str, numbers: dict[tuple[str, ...], list[Printed]]
) -> Iterator[tuple[tuple[str, ...], re.Match[str]]]:
    """The results of a sentence: of what is no interval of a fact, both of its ends."""
    for match in _TYPED.finditer(text):
        last = plain(match["number"] or match["more"]) or match[0]
        first = _FIRST.search(text[: match.start()])
        ends = (plain(first[1]), last) if first else (last,)
        yield from (
            (one, match)
            for one in ([ends] if ends in numbers else [(end,) for end in ends])
        )


def _of_what_is_named(
    asked: AskedBuilds, text: str, loads: set[str], printed: Sequence[Printed]
) -> tuple[Sequence[Printed], str]:
    """Those of the workloads, metrics, roles and configurations that a sentence names;
    else why none of them is one."""
    understood = asked.ranking.understand(text)
    roles = {role for one in asked.builds for role in one.index.roles}
    for names, of in (
        ({load for load in loads if load in text}, "workload"),
        (set(understood.metrics), "metric"),
        (understood.names & roles, "role"),
    ):
        kept = [one for one in printed if not names or getattr(one[1], of) in names]
        if printed and not kept:
            what = ", ".join(sorted(map(asked.metric_label, names)))
            return [], f"printed of {_of(*printed[0])}, not of {what}"
        printed = kept
    kept = [one for one in printed if _on_what_is_named(text, *one)]
    of = _of(*printed[0]) if printed else ""
    return kept, f"printed of {of}, not of the configuration that is named"


def _on_what_is_named(text: str, build: AskedBuild, fact: Fact) -> bool:
    """Whether a sentence names the configuration of a fact, or none of its study. What
    a change is held against is not what it is of."""
    known = build.studies.get(fact.study)
    names = (
        {id: words_of(fold(name)) for id, name in known.names.items()} if known else {}
    )
    every = Counter(word for words in names.values() for word in set(words))
    low, named = fold(text), set[str]()
    for id, words in names.items():
        for word in words:
            at = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", low)
            alone = len(word) > 2 and every[word] == 1
            against = at and _AGAINST.search(low[: at.start()])
            if alone and at and not (against and fact.kind == "delta"):
                named.add(id)
    return not named or fact.configuration in named


def _agrees(text: str, at: int, fact: Fact) -> bool:
    """Whether the nearest word of direction, if there is one, is that of a change."""
    before = text[max(at - _NEAR, 0) : at]
    every = list(WORD.finditer(before))
    if fact.kind != "delta" or not every or DENIES.search(before):
        return True
    return word_of(every[-1]).of(fact) * fact.value >= 0


def _unit(typed: str, fact: Fact) -> bool:
    percent = typed.lower().startswith(("%", "per"))
    if percent or fact.unit == "%":
        return percent and fact.unit == "%"
    typed, known = (one.lower().replace("μ", "µ")
                    for one in (typed, format_unit(fact.unit)))  # fmt: skip
    return known.startswith(typed[:2])


def _of(build: AskedBuild, fact: Fact) -> str:
    study = build.studies.get(fact.study)
    sides = (fact.configuration, fact.baseline)
    names = [study.names.get(one, one) if study else one for one in sides if one]
    of = (fact.metric, fact.role, fact.workload, " against ".join(names))
    return ", ".join(filter(None, of))


def _marked(sentence: dict[str, Any]) -> str:
    text, mark = escape(sentence["text"]), _MARKS.get(sentence["is"])
    return f"[{text}]{{{mark}}}" if mark else text
