"""Words of direction beside a printed change, against its sign and its frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from analysis.facts.fact import Fact
from analysis.facts.units import MINUS
from analysis.report.checks.frame import view
from analysis.report.checks.names import Assertion
from analysis.report.language.claim import named_fact
from analysis.report.text.passages import Print

# A direction is that of the number (moves), or that of what is better (quality).
_MOVES = {
    1: r"ris(?:e|es|en|ing)|rose|increas\w+|climb(?:s|ed|ing)?|gr[eo]w(?:s|n|ing|th)?"
    r"|soar\w*|jump(?:s|ed)?|surg\w+|higher|more|rais(?:e|es|ed|ing)|lift(?:s|ed|ing)?"
    r"|boost\w*|add(?:s|ed|ing)?|(?:doubl|tripl)(?:es|ed|ing)|up(?= by)"
    r"|goes up|went up|larger|greater|leap\w*|tops|exceed\w*",
    -1: r"falls?|fell|fallen|falling|drop(?:s|ped|ping)?|decreas\w+|declin\w+"
    r"|shr[aiu]nk\w*|sinks?|sank|lower(?:s|ed|ing)?|less|fewer|reduc\w+|cut(?:s|ting)?"
    r"|down(?= by)|goes down|went down|smaller|diminish\w*|plung\w+|dip(?:s|ped)?"
    r"|slip(?:s|ped)?|trim\w*|halv(?:es|ed|ing)",
}
_QUALITY = {
    1: r"faster|quicker|sooner|cheaper|shorter|better|improv\w+|sav(?:e|es|ed|ing|ings)"
    r"|gain(?:s|ed|ing)?|speeds? up|accelerat(?:es?|ed|ing)|outperform\w*|ahead",
    -1: r"slower|dearer|longer|worse\w*|los(?:e|es|t|ing|s|ses)|degrad\w+|regress\w*"
    r"|suffer\w*|later|slows?(?: down)?|more expensive|costlier|behind",
}
COSTS = re.compile(r"\bcosts?\b")
_OF_IT = re.compile(r"\s+of (?:its|the|their|his|all)\b")
_NO_NAME = r"(?!(?<=the )\w+(?:er|re|ss) [a-z])"  # the faster adapter: which one
WORD = re.compile(
    "|".join(
        rf"(?P<{kind}{'up' if sign > 0 else 'down'}>\b{_NO_NAME}(?:{words})\b)"
        for kind, senses in (("q", _QUALITY), ("m", _MOVES))
        for sign, words in senses.items()
    ),
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:\s*times)?\s+(?:of \w+ |an? )?(?=\w)")
_STOPS = re.compile(
    r"\b(?:to|from|with|which|interval|range|than|between|at|against|of what)\b"
)
DENIES = re.compile(
    r"(?<!\()\b(?:not|never|hardly|barely|no longer|nor|neither|none|no|nothing"
    r"|avoid\w*|prevent\w*|cannot|\w+n't|if)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"\b(?:would|could|might|may)\b", re.IGNORECASE)
# What itself grows or shrinks, so that the direction is of it and not of the value.
SECOND = re.compile(
    r"\b(?:saving|gain|loss|losse|improvement|penalt\w+|advantage|difference|gap|effect"
    r"|increase|decrease|drop|rise|reduction|fall|interval|spread|scatter)s?\b"
    r"[^,;]{0,40}$",
    re.IGNORECASE,
)
_DEGREE = re.compile(r"\s(?:even |far |much )?(?:more|less)", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:changes|moves|is) (?:by )?$")


@dataclass(frozen=True)
class Word:
    """A word of direction: where it stands, and the sign that it gives a fact."""

    at: int
    text: str
    sign: int
    quality: bool

    def of(self, fact: Fact) -> int:
        """The sign of the number that the word says; 0 where it says none of it."""
        if not self.quality:
            return self.sign
        return {"higher": 1, "lower": -1}.get(fact.better, 0) * self.sign


def word_of(match: re.Match[str]) -> Word:
    """A match of :data:`WORD` as a word."""
    name = match.lastgroup or ""
    sign = 1 if name.endswith("up") else -1
    return Word(match.start(), match[0], sign, name[0] == "q")


def governing(words: str, value: Print) -> Word | None:
    """The word of direction that goes with a print: right after it, or before it."""
    clause = value.clause
    if _SUPPOSED.search(words, clause.start, clause.end):
        return None
    after = _AFTER.match(words, value.at + 1, clause.end)
    if after and (match := WORD.match(words, after.end())):
        return word_of(match)
    start = max(value.segment.start, clause.start)
    if COSTS.search(words, start, value.at) and _OF_IT.match(words, value.at + 1):
        return Word(start, "costs … of it", -1, True)
    every = list(WORD.finditer(words, start, value.at))
    if not every:
        return None
    word = every[-1]
    if every[1:] and _DEGREE.fullmatch(words, every[-2].end(), word.end()):
        word = every[-2]  # what saves more saves
    between = words[word.end() : value.at]
    before = words[clause.start : word.start()]
    far = len(between.split()) > 9 or _STOPS.search(between)
    turned = SECOND.search(before) or DENIES.search(f"{before[-30:]} {between}")
    return None if far or turned else word_of(word)


def clashes(reading: Assertion) -> Iterator[tuple[int, str]]:
    """Where a sentence gives a change the direction that it has not."""
    for value in reading.prints:
        changes = [f for f in value.facts if f.kind == "delta" and not f.predicted]
        directed = value.sign and value.way in ("change", "size", "verb")
        if changes and directed and (what := _clash(reading, value, changes[0])):
            yield value.at, what
    yield from _turned_values(reading)


def _clash(reading: Assertion, value: Print, first: Fact) -> str:
    words, frame = reading.words, view(reading, value.at, value.clause, first)
    sides = f"from {first.baseline} to {first.configuration}"
    change = f"{named_fact(first)} changes by {first.printed} {sides}"
    printed = f"{value.words}: {change}"
    turned = ""
    if frame.way < 0:
        turned = f"{printed}, and the words look at it from {frame}"
    sure = first.verdict in ("improved", "regressed")
    if value.way == "verb":
        return turned if value.printed.name == "moves" and sure else ""
    word = governing(words, value)
    if word is None:
        plain = _CHANGES.search(words, value.clause.start, value.at)
        return turned if value.way == "change" and plain and sure else ""
    sense = word.of(first)
    if not frame.way or not sense:
        return ""
    if value.sign * frame.way == -sense:
        return f"{word.text!r} beside {turned or printed}"
    minus = value.words.startswith(MINUS) and words[: value.at].endswith(" by ")
    return f"{word.text!r} by {value.words} is a rise" if sense < 0 and minus else ""


def _turned_values(reading: Assertion) -> Iterator[tuple[int, str]]:
    """``rises from {{…}} to {{…}}``, where the second value is the lower one, or where
    the words name the first one's side as that which does it."""
    words = reading.words
    for a, b in pairwise(reading.prints):
        if a.way != "value" or b.way != "value" or len(a.facts + b.facts) != 2:
            continue
        one, two = a.facts[0], b.facts[0]
        opening = _FROM.search(words, a.clause.start, a.at)
        alike = (one.metric, one.role) == (two.metric, two.role)
        ends = re.search(r"\bto\s+$", words[a.at : b.at])
        if not opening or not ends or not alike or one.printed == two.printed:
            continue
        every = list(WORD.finditer(words, a.clause.start, opening.start()))
        if every and not SECOND.search(words[a.clause.start : every[-1].start()]):
            word = word_of(every[-1])
            change = replace(two, baseline=one.configuration)
            frame = view(reading, b.at, b.clause, change)
            said = f"{word.text!r} from {a.words} to {b.words}"
            if word.of(one) == (1 if one.value > two.value else -1):
                yield a.at, said
            elif frame.way < 0 and one.configuration != two.configuration:
                yield a.at, f"{said}, and {frame} is the side of {a.words}"
