"""Words that reach over several runs, comparisons or workloads, against all of these.

*All, every, each* and *none, no* of what an expression counts; runs beside a median;
*that of CRR10 too* beside a change; and one side above another without any number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis.facts.fact import Fact, Verdict
from analysis.report.checks.direction import DENIES, WORD, word_of
from analysis.report.checks.names import Dimension, Mention
from analysis.report.checks.sentence import Print
from analysis.report.text.passages import Span

_ALL = re.compile(r"\b(?:all|every|each)(?: one)?(?: of)?(?: the| these| its)? $", re.I)
_NONE = re.compile(r"\b(?:none|no one|not one) of(?: the| these| its)? $", re.I)
_NONE_BEHIND = re.compile(r"[^,;.]*, none\b", re.IGNORECASE)
_VERDICTS: Mapping[Verdict, str] = {
    "improved": r"improv\w*|gain\w*|better",
    "regressed": r"regress\w*|worse\w*|suffer\w*",
    "comparable": r"comparable|unchanged|the same",
    "inconclusive": r"inconclusive|undecided|unclear",
}
_VERDICT = re.compile(
    "|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _VERDICTS.items()), re.I
)
_RUNS = re.compile(
    r"\b(?P<every>every|all|each|any)(?: \w+)? runs?\b|\bno (?:single )?run\b", re.I
)
_STAYS = re.compile(
    r"\b(?:stay|remain|keep|lie)(?:s|ed)? (?:always )?(?P<way>below|under|above|over) $"
    r"|\b(?:never|at no time) (?:exceeds|rises above|goes above|reaches) $",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:above|over|beyond|exceeds?|beats?)\b|\b(?:below|under)\b", re.I
)
_TOO = re.compile(
    r"\b(?:that|those) of (?:the )?$|\bso (?:does|do) (?:that of )?(?:the )?$", re.I
)
_ALSO = re.compile(r"(?:'s)? (?:too|as well|also)\b", re.IGNORECASE)
_ROLES: tuple[Dimension, ...] = ("role", "configuration", "workload")


def overreaches(
    words: str,
    sentence: Span,
    prints: Sequence[Print],
    mentions: Sequence[Mention],
    facts: Sequence[Fact],
) -> Iterator[tuple[int, str]]:
    """Where a sentence says of all or none what some deny; ``facts`` of its study."""
    for value in prints:
        if value.way == "count":
            yield from _counted(words, sentence, value)
        elif value.way == "value" and len(value.facts) == 1:
            yield from _of_runs(words, value, mentions, facts)
        elif value.facts and value.facts[0].kind == "delta":
            yield from _too(words, sentence, value, mentions, facts)
    if not prints:
        yield from _compared(words, sentence, mentions, facts)


def _counted(words: str, sentence: Span, value: Print) -> Iterator[tuple[int, str]]:
    """``all 5 comparisons improved``, ``none of the 5 …``, ``2 regressed``."""
    before = words[sentence.start : value.at]
    behind = words[value.at + 1 : value.segment.end]
    denied = bool(_NONE_BEHIND.match(words, value.at + 1, sentence.end))
    if denied:
        behind = words[value.at + 1 : sentence.end].partition(", none")[2]
    verdict = _VERDICT.search(behind)
    if not verdict or DENIES.search(behind[: verdict.start()]):
        return
    name = verdict.lastgroup
    if value.printed.name == "verdicts":
        own = re.search(
            r"verdicts\(\s*(?:verdict=)?[\"'](\w+)", value.printed.expression
        )
        if own and own[1] != name and not _VERDICT.search(behind, verdict.end()):
            yield value.at, f"{value.words} is how many {own[1]}, beside {verdict[0]!r}"
        return
    has = [fact for fact in value.facts if fact.verdict == name]
    if (denied or _NONE.search(before)) and has:
        yield value.at, f"none {verdict[0]}: {_named(has)} is {name}"
    elif not denied and _ALL.search(before) and len(has) < len(value.facts):
        lacks = [fact for fact in value.facts if fact.verdict != name]
        yield value.at, f"all {verdict[0]}: {_named(lacks)} is {lacks[0].verdict}"


def _of_runs(
    words: str, value: Print, mentions: Sequence[Mention], facts: Sequence[Fact]
) -> Iterator[tuple[int, str]]:
    """``every run has more than`` a median, ``stays below`` it."""
    fact = value.facts[0]
    before = words[value.clause.start : value.at]
    stays, runs = _STAYS.search(before), _RUNS.search(before)
    above: bool | None = None
    if stays:
        above = (stays["way"] or "").lower() in ("above", "over")
    elif runs:
        above = _above(before[runs.end() :], fact)
    if above is None or (runs and DENIES.search(before[runs.end() :])):
        return
    sides = [m for m in mentions if m.dimension == "configuration"]
    sides = [m for m in sides if value.clause.start <= m.start < value.at]
    names = frozenset.intersection(*(m.names for m in sides)) if sides else frozenset()
    for one in _like(fact, facts, names or frozenset({fact.configuration})):
        sign = 1 if above else -1
        beyond = [sign * (sample - fact.value) > 0 for sample in one.samples]
        none = runs is not None and not runs["every"]
        if one.samples and (any(beyond) if none else not all(beyond)):
            many = f"{sum(beyond)} of {len(beyond)} runs of {one.configuration}"
            sense = "above" if above else "below"
            yield value.at, f"{many} are {sense} {value.words}, a median"
            return


def _above(words: str, fact: Fact) -> bool | None:
    """Which way words between runs and a value go; None where they go none."""
    if bound := _BOUND.search(words):
        return not bound[0].lower().startswith(("below", "under"))
    found = list(WORD.finditer(words))
    sense = word_of(found[-1]).of(fact) if found else 0
    return None if not sense or "than" not in words else sense > 0


def _like(
    fact: Fact, facts: Iterable[Fact], configurations: frozenset[str]
) -> Iterator[Fact]:
    parts = ("kind", "metric", "role", "workload")
    for one in facts:
        alike = all(getattr(one, part) == getattr(fact, part) for part in parts)
        if alike and one.configuration in configurations:
            yield one


def _too(
    words: str,
    sentence: Span,
    value: Print,
    mentions: Sequence[Mention],
    facts: Sequence[Fact],
) -> Iterator[tuple[int, str]]:
    """``falls by 37%, that of CRR10 too``."""
    fact = value.facts[0]
    for mention in mentions:
        if not value.at < mention.start < sentence.end or mention.dimension not in (
            "workload", "role",
        ):  # fmt: skip
            continue
        near = words[value.at : mention.start]
        like = re.search(r"\bso (?:does|do)\b", near) or _ALSO.match(words, mention.end)
        if not like or not _TOO.search(near):
            continue
        found = [
            one
            for one in facts
            if (one.kind, one.metric, one.configuration, one.baseline)
            == ("delta", fact.metric, fact.configuration, fact.baseline)
            and _is(one, mention)
            and (mention.dimension == "workload" or one.workload == fact.workload)
            and (mention.dimension == "role" or one.role == fact.role)
        ]
        against = [f for f in found if f.value * fact.value <= 0]
        against += [f for f in found if f.verdict == "comparable"]
        if found and against:
            yield (
                mention.start,
                f"{mention.text!r} too: {_named(against)} changes by "
                + (against[0].printed),
            )


def _compared(
    words: str, sentence: Span, mentions: Sequence[Mention], facts: Sequence[Fact]
) -> Iterator[tuple[int, str]]:
    """``the server's cost is higher than the client's``, which no value bears out."""
    than = re.search(r"\bthan\b", words[sentence.start : sentence.end])
    if not than:
        return
    at = sentence.start + than.start()
    found = list(WORD.finditer(words, sentence.start, at))
    metrics = [m for m in mentions if m.dimension == "metric" and not m.loose]
    if len(found) != 1 or len({m.names for m in metrics}) != 1:
        return
    if DENIES.search(words, sentence.start, sentence.end):
        return
    word = word_of(found[0])
    for dimension in _ROLES:
        named = [m for m in mentions if m.dimension == dimension and not m.loose]
        left = [m for m in named if m.start < word.at]
        right = [m for m in named if m.start > at]
        if len(left) == len(right) == 1 and len(named) == 2:
            if left[0].names & right[0].names:
                return
            others = [m for m in mentions if m.dimension not in ("metric", dimension)]
            if any(m.start < sentence.start for m in others):
                return
            of = [
                f
                for f in facts
                if f.kind == "value"
                and f.metric in metrics[0].names
                and all(_is(f, m) for m in others if not m.loose)
            ]
            pairs = list(_pairs(of, left[0], right[0], dimension))
            wrong = [(a, b) for a, b in pairs if word.of(a) * (a.value - b.value) < 0]
            if pairs and len(wrong) == len(pairs):
                a, b = wrong[0]
                what = f"{word.text!r}: {_side(a, dimension)} has {a.printed}"
                yield word.at, f"{what}, {_side(b, dimension)} {b.printed}"
            return


def _pairs(
    facts: Sequence[Fact], left: Mention, right: Mention, dimension: Dimension
) -> Iterator[tuple[Fact, Fact]]:
    """Values of both sides that are alike in all else."""
    parts = [
        p for p in ("metric", "role", "workload", "configuration") if p != dimension
    ]
    for a in (f for f in facts if _is(f, left)):
        for b in (f for f in facts if _is(f, right)):
            if all(getattr(a, part) == getattr(b, part) for part in parts):
                yield a, b


def _is(fact: Fact, mention: Mention) -> bool:
    return str(getattr(fact, mention.dimension) or "") in mention.names


def _side(fact: Fact, dimension: Dimension) -> str:
    return f"{getattr(fact, dimension)} ({fact.workload})"


def _named(facts: Sequence[Fact]) -> str:
    role = f" of {facts[0].role}" if facts[0].role else ""
    more = f" (and {len(facts) - 1} more)" if len(facts) > 1 else ""
    return f"{facts[0].metric}{role} for {facts[0].workload}{more}"
