"""Words that reach over several runs, comparisons or workloads, against all of these.

*All, every, each* and *none, no* of what an expression counts, or of workloads; runs
beside a median; and one side above another without any number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis.facts.fact import Fact, Verdict
from analysis.report.checks.direction import (
    COSTS,
    DENIES,
    SECOND,
    WORD,
    word_of,
)
from analysis.report.checks.frame import view
from analysis.report.checks.names import Assertion, Dimension, Mention
from analysis.report.language.claim import named_fact
from analysis.report.text.passages import Print, Span

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
    r"\b(?:that of|those of|(?P<so>so does|so do)(?: that of)?)(?: the)? $"
)
_ALSO = re.compile(r"(?:'s)? (?:too|as well|also)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b")
_LOADS = re.compile(
    r"(?<!not )(?<!nearly )(?<!almost )\b(?:(?:all|every|each|any)|(?P<none>no|none))\b"
    r"(?: (?:one )?of)?(?: the| these)? (?:workload|payload|load|size)s?\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"\b(?:but|except|apart|save|besides|other than|most)\b", re.I)
_SPEED = frozenset(("latency", "response_time", "rate", "throughput", "transfer_time"))
_COMPARED: tuple[Dimension, ...] = ("role", "configuration", "workload")
_PARTS = ("kind", "metric", "role", "workload", "configuration", "baseline")


def overreaches(reading: Assertion) -> Iterator[tuple[int, str]]:
    """Where a sentence says of all or none what some deny."""
    for value in reading.prints:
        if value.way == "count":
            yield from _counted(reading, value)
        elif value.way == "value" and len(value.facts) == 1:
            yield from _of_runs(reading, value)
        elif value.facts and value.facts[0].kind == "delta":
            yield from _too(reading, value)
    if not reading.prints:
        yield from _compared(reading)
        yield from _of_loads(reading)


def _counted(reading: Assertion, value: Print) -> Iterator[tuple[int, str]]:
    """``all 5 comparisons improved``, ``none of the 5 …``, ``2 regressed``."""
    words, sentence = reading.words, reading.span
    before = words[sentence.start : value.at]
    behind = words[value.at + 1 : value.segment.end]
    denied = bool(_NONE_BEHIND.match(words, value.at + 1, sentence.end))
    if denied:
        behind = words[value.at + 1 : sentence.end].partition(", none")[2]
    verdict = _VERDICT.search(behind)
    if not verdict or DENIES.search(behind[: verdict.start()]):
        return
    name = verdict.lastgroup
    if own := value.counted:
        if own != name and not _VERDICT.search(behind, verdict.end()):
            yield value.at, f"{value.words} is how many {own}, beside {verdict[0]!r}"
        return
    has = [fact for fact in value.facts if fact.verdict == name]
    if (denied or _NONE.search(before)) and has:
        yield value.at, f"none {verdict[0]}: {_named(has)} is {name}"
    elif not denied and _ALL.search(before) and len(has) < len(value.facts):
        lacks = [fact for fact in value.facts if fact.verdict != name]
        yield value.at, f"all {verdict[0]}: {_named(lacks)} is {lacks[0].verdict}"


def _of_runs(reading: Assertion, value: Print) -> Iterator[tuple[int, str]]:
    """``every run has more than`` a median, ``stays below`` it."""
    fact, before = value.facts[0], reading.words[value.clause.start : value.at]
    stays, runs = _STAYS.search(before), _RUNS.search(before)
    above: bool | None = None
    if stays:
        above = (stays["way"] or "").lower() in ("above", "over")
    elif runs:
        above = _above(before[runs.end() :], fact)
    if above is None or (runs and DENIES.search(before[runs.end() :])):
        return
    named = reading.of("configuration", Span(value.clause.start, value.at))
    sides = [mention.names for mention in named]
    names = frozenset.intersection(*sides) if sides else {fact.configuration}
    sign, none = 1 if above else -1, runs is not None and not runs["every"]
    for one in _siblings(fact, reading.facts, "configuration"):
        beyond = [sign * (sample - fact.value) > 0 for sample in one.samples]
        denied = any(beyond) if none else not all(beyond)
        if one.configuration in names and beyond and denied:
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


def _too(reading: Assertion, value: Print) -> Iterator[tuple[int, str]]:
    """``falls by 37%, that of CRR10 too``."""
    fact, words = value.facts[0], reading.words
    for mention in reading.mentions:
        found = _TOO.search(words[value.at : mention.start])
        if mention.dimension not in ("workload", "role") or not found:
            continue
        if found["so"] or _ALSO.match(words, mention.end):
            for one in _siblings(fact, reading.facts, mention.dimension):
                other = one.value * fact.value <= 0 or one.verdict == "comparable"
                if other and _is(one, mention):
                    what = f"{named_fact(one)} changes by {one.printed}"
                    yield mention.start, f"{mention.text!r} too: {what}"


def _compared(reading: Assertion) -> Iterator[tuple[int, str]]:
    """``the server's cost is higher than the client's``, which no value bears out."""
    than = reading.search(_THAN)
    found = (
        list(WORD.finditer(reading.words, reading.span.start, than.start()))
        if than
        else []
    )
    exact = [mention for mention in reading.mentions if not mention.loose]
    metrics = {mention.names for mention in exact if mention.dimension == "metric"}
    denied = reading.search(DENIES)
    if not than or len(found) != 1 or len(metrics) != 1 or denied:
        return
    word, [metric] = word_of(found[0]), metrics
    for dimension in _COMPARED:
        sides = [mention for mention in exact if mention.dimension == dimension]
        if len(sides) != 2 or sides[0].names & sides[1].names:
            continue
        left, right = sides
        others = [m for m in exact if m.dimension not in ("metric", dimension)]
        pairs = [
            (a, b)
            for a in reading.facts
            if a.kind == "value"
            and a.metric in metric
            and all(_is(a, mention) for mention in (left, *others))
            for b in _siblings(a, reading.facts, dimension)
            if _is(b, right)
        ]
        wrong = [(a, b) for a, b in pairs if word.of(a) * (a.value - b.value) < 0]
        if left.start < word.at < than.start() < right.start and pairs == wrong != []:
            (a, b), *_ = wrong
            what = f"{word.text!r}: {getattr(a, dimension)} has {a.printed}"
            yield word.at, f"{what}, {getattr(b, dimension)} {b.printed}"


def _of_loads(reading: Assertion) -> Iterator[tuple[int, str]]:
    """``lowers the latency of every workload``, which that of one denies."""
    words, sentence = reading.words, reading.span
    every = reading.search(_LOADS)
    found = list(WORD.finditer(words, sentence.start, sentence.end))
    if not every or len(found) != 1 or SECOND.search(words[: found[0].start()]):
        return
    before, behind = words[sentence.start : every.start()], words[every.end() :]
    rest = f"{before} {behind[: sentence.end - every.end()]}"
    if DENIES.search(rest) or _EXCEPT.search(rest):
        return
    word, exact = word_of(found[0]), [m for m in reading.mentions if not m.loose]
    named = [mention.names for mention in exact if mention.dimension == "metric"]
    if reading.search(COSTS):
        named.append(
            frozenset(f.metric for f in reading.facts if "cpu_cost" in f.metric)
        )
    speed = _SPEED if word.quality else frozenset()
    metrics = frozenset.intersection(*named) if named else speed
    others = [mention for mention in exact if mention.dimension != "metric"]
    loads = defaultdict[str, list[tuple[bool | None, Fact]]](list)
    for fact in reading.facts:
        if fact.kind == "delta" and fact.metric in metrics:
            frame = view(reading, word.at, sentence, fact)
            way = frame.way * word.of(fact) if frame.sides else 0
            if way and all(_is(fact, mention) for mention in others):
                sure = fact.verdict in ("improved", "regressed")
                as_said = sure and fact.value * way > 0
                unsure = not sure and fact.verdict != "comparable"
                loads[fact.workload].append((None if unsure else as_said, fact))
    for own in loads.values():
        holds, (_, fact) = [one for one, _ in own], own[0]
        denied = all(holds) if every["none"] else not any(holds)
        if denied and None not in holds:
            what = f"{every[0]!r}: {named_fact(fact)} changes by {fact.printed}"
            yield word.at, f"{what} from {fact.baseline} to {fact.configuration}"
            return


def _siblings(fact: Fact, facts: Iterable[Fact], but: Dimension) -> Iterator[Fact]:
    """The facts that are alike in all but one thing."""
    parts = [part for part in _PARTS if part != but]
    own = [getattr(fact, part) for part in parts]
    return (one for one in facts if [getattr(one, part) for part in parts] == own)


def _is(fact: Fact, mention: Mention) -> bool:
    """Whether it is of what is named, a change on one of its sides."""
    sides = {fact.baseline} if mention.dimension == "configuration" else set()
    return bool({getattr(fact, mention.dimension), *sides} & mention.names)


def _named(facts: Sequence[Fact]) -> str:
    more = f" (and {len(facts) - 1} more)" if len(facts) > 1 else ""
    return f"{named_fact(facts[0])}{more}"
