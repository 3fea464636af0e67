# ruff: noqa: E501, RUF007
"""Words of direction beside a printed change, against its sign and its frame."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.facts.fact import Fact
from analysis.facts.units import MINUS
from analysis.report.checks.frame import Viewed, frame
from analysis.report.checks.names import Mention
from analysis.report.checks.sentence import Print
from analysis.report.text.passages import Span

# A direction is that of the number (moves), or that of what is better (quality).
_MOVES = {
    1: r"ris(?:e|es|en|ing)|rose|increas\w+|climb(?:s|ed|ing)?|gr[eo]w(?:s|n|ing|th)?|soar\w*"
    r"|jump(?:s|ed)?|surg\w+|higher|more|rais(?:e|es|ed|ing)|lift(?:s|ed|ing)?|boost\w*"
    r"|up(?= by)|goes up|went up|larger|greater|leap\w*|tops|exceed\w*",
    -1: r"falls?|fell|fallen|falling|drop(?:s|ped|ping)?|decreas\w+|declin\w+|shr[aiu]nk\w*"
    r"|sinks?|sank|lower(?:s|ed|ing)?|less|fewer|reduc\w+|cut(?:s|ting)?|down(?= by)"
    r"|goes down|went down|smaller|diminish\w*|plung\w+|dip(?:s|ped)?|slip(?:s|ped)?|trim\w*",
}
_QUALITY = {
    1: r"faster|quicker|sooner|cheaper|shorter|better|improv\w+|sav(?:e|es|ed|ing|ings)"
    r"|gain(?:s|ed|ing)?|speeds? up|accelerat\w+|outperform\w*",
    -1: r"slower|dearer|longer|worse\w*|los(?:e|es|t|ing|s|ses)|degrad\w+|regress\w*"
    r"|suffer\w*|later|slows?(?: down)?|more expensive|costlier",
}
_COSTS = re.compile(r"\bcosts?\b")
_OF_IT = re.compile(r"\s+of (?:its|the|their|his|all)\b")
_WORD = re.compile(
    "|".join(
        rf"(?P<{kind}{'up' if sign > 0 else 'down'}>\b(?:{words})\b)"
        for kind, senses in (("q", _QUALITY), ("m", _MOVES))
        for sign, words in senses.items()
    ),
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:\s*times)?\s+(?:of \w+ |an? )?(?=\w)")
_STOPS = re.compile(
    r"\b(?:to|from|with|which|interval|range|than|between|at|against|of what)\b"
)
_NOT = re.compile(
    r"\b(?:not|never|hardly|barely|no longer|nor|neither|none|no|nothing|avoid\w*|prevent\w*|cannot|\w+n't|if)\b",
    re.I,
)
_SUPPOSED = re.compile(r"\b(?:would|could|might|may)\b", re.IGNORECASE)
# What itself grows or shrinks, so that the direction is of it and not of the value.
_SECOND = re.compile(
    r"\b(?:saving|gain|loss|losse|improvement|penalt\w+|advantage|difference|gap|effect|increase"
    r"|decrease|drop|rise|reduction|fall|interval|spread|scatter)s?\b[^,;]{0,40}$",
    re.I,
)
_FROM_TO = re.compile(r"\bfrom\s+$", re.IGNORECASE)


@dataclass(frozen=True)
class Word:
    """A word of direction: where it stands, and the sign that it says of a fact."""

    at: int
    text: str
    sign: int
    quality: bool

    def of(self, fact: Fact) -> int:
        """The sign of the number that the word says; 0 where it says none of it."""
        if not self.quality:
            return self.sign
        return {"higher": 1, "lower": -1}.get(fact.better, 0) * self.sign


def governing(words: str, found: Print) -> Word | None:
    """The word of direction that goes with a print: right after it, or before it."""
    if _SUPPOSED.search(words, found.clause.start, found.clause.end):
        return None
    after = _AFTER.match(words, found.at + 1, found.clause.end)
    if after and (word := _WORD.match(words, after.end())):
        return _word(word)
    before = words[found.segment.start : found.at]
    if _COSTS.search(before) and _OF_IT.match(words, found.at + 1):
        return Word(found.segment.start, "costs … of it", -1, True)
    every = list(_WORD.finditer(words, found.segment.start, found.at))
    for word in reversed(every):
        between = words[word.end() : found.at]
        if len(between.split()) > 9 or _STOPS.search(between):
            return None
        said = words[found.clause.start : word.start()]
        if _SECOND.search(said) or _NOT.search(said[-30:] + " " + between):
            return None
        return _word(word)
    return None


def _word(found: re.Match[str]) -> Word:
    name = found.lastgroup or ""
    return Word(
        found.start(), found[0], 1 if name.endswith("up") else -1, name[0] == "q"
    )


def clashes(
    words: str, sentence: Span, prints: Sequence[Print], mentions: Sequence[Mention]
) -> Iterator[tuple[int, str]]:
    """Where a sentence says of a change the direction that it has not."""
    for found in prints:
        changes = [f for f in found.facts if f.kind == "delta" and not f.predicted]
        if (
            not changes
            or found.way not in ("change", "size", "moves")
            or not found.sign
        ):
            continue
        seen = frame(words, sentence, found, changes[0], mentions)
        what = told(changes[0], found.words)
        if found.way == "moves":
            if seen.way < 0 and changes[0].verdict in ("improved", "regressed"):
                yield found.at, f"{what}, and the words look at it from {_names(seen)}"
            continue
        word = governing(words, found)
        if word is None:
            if (
                seen.way < 0
                and found.way == "change"
                and _changes(words, found, changes[0])
            ):
                yield found.at, f"{what}, and the words look at it from {_names(seen)}"
            continue
        if not seen.way or not word.of(changes[0]):
            continue
        signs = {(1 if f.value > 0 else -1) * seen.way for f in changes}
        if signs == {-word.of(changes[0])}:
            yield found.at, f"{word.text!r} beside {what}{_turned(seen)}"
        elif seen.way > 0 and word.of(changes[0]) < 0 and _by_minus(words, found):
            yield found.at, f"{word.text!r} by {found.words} is a rise"
    yield from _from_to(words, prints)


def _by_minus(words: str, found: Print) -> bool:
    return found.words.startswith(MINUS) and words[: found.at].endswith(" by ")


def _changes(words: str, found: Print, fact: Fact) -> bool:
    near = words[max(found.clause.start, found.at - 24) : found.at]
    sure = fact.verdict in ("improved", "regressed")
    return sure and bool(re.search(r"\b(?:changes|moves|is) (?:by )?$", near))


def _names(seen: Viewed) -> str:
    return " and ".join(repr(side.mention.text) for side in seen.sides)


def _turned(seen: Viewed) -> str:
    return f", looked at from {_names(seen)}" if seen.way < 0 else ""


def told(fact: Fact, printed: str) -> str:
    """A printed change with its two sides."""
    of = f" of {fact.role}" if fact.role else ""
    return (
        f"{printed}: {fact.metric}{of} for {fact.workload} changes by {fact.printed} "
        f"from {fact.baseline} to {fact.configuration}"
    )


def _from_to(words: str, prints: Sequence[Print]) -> Iterator[tuple[int, str]]:
    """``rises from {{…}} to {{…}}``, where the second value is the lower one."""
    for a, b in zip(prints, prints[1:], strict=False):
        if (
            a.way != "value"
            or b.way != "value"
            or len(a.facts) != 1
            or len(b.facts) != 1
        ):
            continue
        one, two = a.facts[0], b.facts[0]
        opening = _FROM_TO.search(words, a.clause.start, a.at)
        if not opening or not re.search(r"\bto\s+$", words[a.at : b.at]):
            continue
        if (one.metric, one.role) != (
            two.metric,
            two.role,
        ) or one.printed == two.printed:
            continue
        every = list(_WORD.finditer(words, a.clause.start, opening.start()))
        if every and not _SECOND.search(words[a.clause.start : every[-1].start()]):
            word = _word(every[-1])
            if word.of(one) == (1 if one.value > two.value else -1):
                yield a.at, f"{word.text!r} from {a.words} to {b.words}"
