"""From which side a sentence looks at a change: the rules of the frame.

A change is of a test against a baseline. Words that name one of the two do so as the
condition under which something is said to happen, or as the reference with which it is
compared. A condition that is the test, or a reference that is the baseline, look at the
change as it is printed; the two others look at it the other way round. Where the words
of one clause do both, nothing is decided; where they name no side, as it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.checks.names import Assertion, Mention
from analysis.report.text.passages import Span

Part = Literal["condition", "reference", "both"]
REFERENCE = re.compile(
    r"\b(?:than|against|versus|vs\.?|compared (?:with|to)|in comparison (?:with|to)"
    r"|relative to|instead of|rather than|in place of|unlike|from|that of|those of"
    r"|(?:leav|replac|abandon)(?:es|e|ing)|t(?:ak(?:es|e|en|ing)|ook) the place of"
    r"|gives? up|giving up|in contrast to"
    r"|measured against|beats?|outdoes|ahead of|behind"
    r"|(?:gain|advantage|lead|edge|improvement)s? over)"
    r"(?: (?:the|that|those|what|it is|is))*(?: (?:with|of|over|on|at|in|under))?"
    r"(?: the| a| an)?(?: [a-z]+)? $",
    re.IGNORECASE,
)
# What turns the name of one side of two into the other one.
WITHOUT = re.compile(
    r"\b(?:without|w/o|no|lacking|disabling|removing|dropping|leaving out|turning off"
    r"|switching off)(?: the| any| a)? $",
    re.IGNORECASE,
)
_GONE = re.compile(
    r" (?:is |was |are |were |being |left |switched |turned )*"
    r"(?:off|disabled|gone|missing)\b"
)
_REPLACED = re.compile(
    r" (?:(?:is |was |gets )?replaced by|(?:gives?|makes?) (?:way|room) (?:to|for))\b"
)
_PLACE = re.compile(r"\bFrom (?:the )?$")  # and a comma: where, or whence
_GAINS = re.compile(r"\b(?:gain|profit|benefit)(?:s|ed)?\b[^,;]* from (?:the )?$", re.I)
_OVER = re.compile(r"\bover(?: the)?(?: [a-z]+)? $", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:with|over|under|on|in|at|without|against|compared|relative|where|when|if"
    r"|instead|versus|unlike|using|once|as|by|through)\b"
    r"[^,;:.\U000f0000-\U0010ffff]*,\s",
    re.IGNORECASE,
)
# A share of what the name has, or under the condition that it names.
_SHARE = re.compile(r"\s+of (?:the|that|what)\b[^,;:]* ")
_BETWEEN = re.compile(r"\b(?:between|both|either)\b[^,;]*$", re.IGNORECASE)
_LISTED = re.compile(
    r",? (?:and|or|to|versus|as well as)(?: (?:with|over|on|under|for|the))* "
)


@dataclass(frozen=True)
class NamedSide:
    """A name in a sentence: whether it is of the test, and what it is there."""

    mention: Mention
    test: bool
    part: Part = "condition"


@dataclass(frozen=True)
class View:
    """How a sentence looks at a change: 1 as printed, -1 turned, 0 undecided."""

    way: int
    sides: tuple[NamedSide, ...] = ()

    def __str__(self) -> str:
        return " and ".join(repr(side.mention.text) for side in self.sides)


def view(reading: Assertion, at: int, clause: Span, fact: Fact) -> View:
    """From which side words look at a change, that is told at a place of a clause."""
    words, start = reading.words, reading.span.start
    sides = _sides(words, at, fact, reading.of("configuration", clause))
    opening = _OPENING.match(words, start, at)
    if not sides and opening:  # holds for what follows it with a comma or 'and'
        first = reading.of("configuration", Span(start, opening.end()))
        sides = _sides(words, at, fact, first)
    ways = {
        (1 if side.test else -1) * (-1 if side.part == "reference" else 1)
        for side in sides
    }
    if not sides:
        return View(1)
    sure = len(ways) == 1 and all(side.part != "both" for side in sides)
    return View(ways.pop() if sure else 0, tuple(sides))


def _sides(
    words: str, at: int, fact: Fact, mentions: Sequence[Mention]
) -> list[NamedSide]:
    named = list[tuple[NamedSide, str]]()
    for mention in mentions:
        test = fact.configuration in mention.names
        if test == (fact.baseline in mention.names):
            continue  # both sides, or neither
        before = words[max(0, mention.start - 40) : mention.start]
        if mention.text.lower().startswith("with "):
            before += "with "
        turned = WITHOUT.search(before) or _GONE.match(words, mention.end)
        named.append((NamedSide(mention, test != bool(turned)), before))
    sides = [
        replace(side, part=_part(words, at, side, before, named))
        for side, before in named
    ]
    for a, b in pairwise(sides):
        between = words[a.mention.end : b.mention.start]
        listed = a.test != b.test and _LISTED.fullmatch(between)
        both = a.part == b.part or _BETWEEN.search(words[: a.mention.start])
        if listed and both:
            return [replace(side, part="both") for side in sides]
    return sides


def _part(
    words: str,
    at: int,
    side: NamedSide,
    before: str,
    named: Sequence[tuple[NamedSide, str]],
) -> Part:
    """What a name is; ``over`` makes a reference of it where no other name is one."""
    mention = side.mention
    if _SHARE.fullmatch(words, at + 1, mention.start):
        return "both"
    if _PLACE.search(before) and words[mention.end :].startswith(","):
        return "both"
    if _GAINS.search(before):
        return "condition"
    if _REPLACED.match(words, mention.end) or REFERENCE.search(before):
        return "reference"
    if _OVER.search(before) and mention.start > at:
        others = [text for other, text in named if other.test != side.test]
        compared = any(REFERENCE.search(text) for text in others)
        return (
            "reference" if not compared and (others or not side.test) else "condition"
        )
    if mention.loose and len(named) == 1 and not side.test:
        return "both"  # a topic may be the setting
    return "condition"
