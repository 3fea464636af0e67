"""Verbs and words beside a printed value that say another thing than it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.facts.fact import Fact
from analysis.facts.units import MINUS
from analysis.report.claims.changes import counts
from analysis.report.lint.words.binding import Stretch
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.said import negated, turned
from analysis.report.lint.words.segments import Segment, segments
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks

_BEFORE = re.compile(
    r"(?:[ ][\w'’(*-]+){0,4}?\s*(?:by|of|some|about|only|another)?[ (*]*"
)
_STOPS = re.compile(
    r"\b(?:to|from|with|which|interval|range|than|between|at|against)\b"
)
_AFTER = re.compile(r"\s*(?:times )?(?:of \w+ |a |of a )?")
_SHARE = re.compile(
    r"\b(?:to|keeps?|kept|retains?|only|just|still|remains?|leaves?)\s*$"
)
_OF_IT = re.compile(r"\s+of (?:what|its|their|the (?:old|former|value|rate))\b")
_DENIED = re.compile(
    r"\b(?:not|never|no longer|hardly|barely|scarcely|neither|nor|far from|seldom"
    r"|rarely)"
    r"\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_VERDICT = re.compile(r"\b(improve|regress|comparabl|inconclusiv)")
_VERDICTS = {
    "improve": "improved", "regress": "regressed", "comparabl": "comparable",
    "inconclusiv": "inconclusive",
}  # fmt: skip
_SIGN = re.compile(rf"[+{MINUS}–-]$")
_UNIT = re.compile(r"\s*(?:per|/)\s*\w+")
_OURS = re.compile(r"\b(?:in our runs|we (?:measured|saw|found)|here)\b", re.IGNORECASE)
_SIDED = re.compile(
    r"\b(?:against|than|unlike|from|instead of|in place of|relative to|without"
    r"|compared (?:with|to)|that of|(?:gain|advantage|lead|edge|improvement) over"
    r"|(?:leav|replac|drop|abandon|remov)\w*)(?: the| a)? $",
    re.IGNORECASE,
)
_DECLARED = ("limit(", "gate(", "hardware(")
_ALL_BUT = re.compile(r"\ball but\s*$", re.IGNORECASE)
_NOUN = re.compile(
    r"\s+(?:of the )?(runs?|comparisons?|workloads?|studies|metrics?|configurations?"
    r"|clients?|machines?|transactions?|requests?|streams?|connections?|findings?)\b"
)


@dataclass(frozen=True)
class Clash:
    """A printed value and the word that it contradicts, with what to write instead."""

    at: int
    what: str
    mend: str


def clashes(
    passage: TextBlock, stretch: Stretch, words: Sequence[Word]
) -> Iterator[Clash]:
    """Where words about the values of a sentence say another thing than these."""
    text = passage.words
    for part in segments(text, stretch.span, stretch.printed):
        before = text[part.span.start : part.at]
        after = text[part.at + 1 : part.span.end]
        yield from _beside(part, before, after)
        way = part.print.way
        if way == "count":
            yield from _counted(part, before, after)
        if part.print.changes and way in ("change", "size"):
            yield from _governed(passage, stretch, part, words)
        if part.print.changes and not list(_governing(text, part, words)):
            yield from _of_the_other_side(stretch, part)
        if way == "count" or part.print.source.startswith(_DECLARED):
            for word in _governing(text, part, words):
                if word.text.lower() not in _VERDICTS.values():
                    what = f"{part.print.words} beside {word.text!r} is no such result"
                    yield Clash(part.at, what, "print the change with delta(…)")


def _beside(part: Segment, before: str, after: str) -> Iterator[Clash]:
    """Signs, units and denials that turn a printed value round."""
    found, way = part.print, part.print.way
    if found.facts and _SIGN.search(before):
        what = f"a sign before a printed value: {found.words}"
        yield Clash(part.at, what, "leave it out; delta(…) prints the sign")
    elif way == "value" and (unit := _UNIT.match(after)):
        what = f"{found.words} is followed by another unit: {unit[0].strip()!r}"
        yield Clash(part.at, what, "leave it out; the value has its unit")
    elif found.source.startswith("published(") and _OURS.search(before):
        what = f"{found.words} is published, and no result of this report"
        yield Clash(part.at, what, "say who published it, or print delta(…)")
    elif way == "moves" and _DENIED.search(before):
        what = f"a denial before a verdict that is printed: {found.words!r}"
        yield Clash(part.at, what, "leave it out: the words follow the data")
    elif way in ("change", "size") and _SHARE.search(before) and _OF_IT.match(after):
        what = f"{found.words} is by how much it changes, not what is left"
        yield Clash(part.at, what, "write 'by' that much, or print value(…)")


def _counted(part: Segment, before: str, after: str) -> Iterator[Clash]:
    name = part.print.source.partition("(")[0]
    noun = _NOUN.match(after)
    counted = "runs" if name == "count_runs" else "comparisons"
    if noun and not noun[1].startswith(counted[:3]):
        what = f"{part.print.words} is a number of {counted}, and not of {noun[1]}"
        yield Clash(part.at, what, "print comparisons(…) or count_runs(…)")
    if name != "verdicts":
        return
    own = (part.print.named or {}).get("verdict", "")
    found = _VERDICT.search(after) or _VERDICT.search(before)
    if not found:
        return
    said = _VERDICTS[found[1]]
    if said != own or _ALL_BUT.search(before):
        what = f"{part.print.words} is how many are {own}, and the words say otherwise"
        yield Clash(part.at, what, f'print verdicts("{said}"), or call them {own}')


def _governed(
    passage: TextBlock, stretch: Stretch, part: Segment, words: Sequence[Word]
) -> Iterator[Clash]:
    clause = next(c for c in passage.clauses(stretch.span) if c.holds(part.at))
    for word in _governing(passage.words, part, words):
        if negated(passage.words, clause, word, stretch.mentions):
            continue
        for fact in part.print.changes:
            against = turned(
                passage.words, clause, word, stretch.mentions, fact.configuration,
                fact.baseline,
            )  # fmt: skip
            if clash := _clash(word, fact, part.print, against):
                yield Clash(part.at, *clash)
                return


def _of_the_other_side(stretch: Stretch, part: Segment) -> Iterator[Clash]:
    """A change of the test against the baseline, of which words name the latter."""
    named = [m for m in stretch.mentions if m.dimension == "configuration"]
    own = [m for m in named if part.span.holds(m.start) and not m.loose]
    own = own or [m for m in named if m.start < part.at and not m.loose]
    for fact in part.print.changes:
        if fact.verdict in ("comparable", "inconclusive"):
            continue
        if any(fact.configuration in mention.names for mention in own):
            continue
        for mention in own:
            if fact.baseline in mention.names and not _compared(stretch, mention, part):
                what = (
                    f"{part.print.words} is the change of {fact.configuration} against "
                    f"{fact.baseline}, and the words beside it name {mention.text!r}"
                )
                yield Clash(part.at, what, f"name {fact.configuration} instead")
                return


def _compared(stretch: Stretch, mention: Mention, part: Segment) -> bool:
    """Whether words name what is compared with, or only a place in the report."""
    before = stretch.words[max(0, mention.start - 24) : mention.start]
    behind = mention.start > part.at and before.endswith("over ")
    return behind or before.endswith("-") or bool(_SIDED.search(before))


def _governing(text: str, part: Segment, words: Sequence[Word]) -> Iterator[Word]:
    """The words of direction that a printed value belongs to, before it or after."""
    signed = [w for w in words if w.sense.kind in ("moves", "quality") and w.sense.sign]
    for word in signed:
        if word.start < part.at < word.end:
            yield word
        elif part.span.start <= word.start and word.end <= part.at:
            between = text[word.end : part.at]
            if _BEFORE.fullmatch(between) and not _STOPS.search(between):
                yield word
        elif part.at < word.start < part.span.end and _AFTER.fullmatch(
            text, part.at + 1, word.start
        ):
            yield word


def _clash(
    word: Word, fact: Fact, found: Print, against: bool
) -> tuple[str, str] | None:
    who = f"{fact.metric}{f' of {fact.role}' if fact.role else ''} for {fact.workload}"
    if not fact.predicted and not counts(fact):
        what = (
            f"{word.text!r} of a change that is {fact.verdict}: {fact.printed} in {who}"
        )
        return what, "write 'changes by', or print moves(…), which says what one may"
    up = (1 if fact.value > 0 else -1) * (-1 if against else 1)
    if word.sense.kind == "quality":
        up *= -1 if fact.better == "lower" or fact.better == "none" else 1
    if up != word.sense.sign:
        what = f"{word.text!r} of {who}, which changes by {fact.printed}"
        return what, "print moves(…), whose verb follows the data"
    doubly = found.words.startswith(MINUS) and word.family in (
        "falls",
        "less",
        "cheaper",
    )
    if doubly:
        what = f"{word.text!r} by {found.words} is a rise"
        return what, "add '| size', which prints it without its sign"
    return None


def is_counted(
    passage: TextBlock, printed: Sequence[Print], sentence: Span, word: Word
) -> bool:
    """Whether a verdict is that of a count which is printed beside it."""
    near = (printed[n].source for _, n in marks(passage.words, sentence))
    counted = any(source.startswith(("verdicts(", "comparisons(")) for source in near)
    return counted and word.text.lower() in _VERDICTS.values()
