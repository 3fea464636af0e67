# ruff: noqa: E501, B007, RUF007
"""From which side a sentence looks at a change: the rules of the frame.

A change is of a test against a baseline. Words that name one of the two do so as the
condition under which something is said to happen, or as the reference with which it is
compared. A condition that is the test, or a reference that is the baseline, look at the
change as it is printed; the two others look at it the other way round. Where the words
of one clause do both, or name no side, nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.checks.names import Mention
from analysis.report.checks.sentence import Print
from analysis.report.text.passages import Span

Part = Literal["condition", "reference", "both"]
# 1: what stands right before a name and makes it what is compared with.
_REFERENCE = re.compile(
    r"\b(?:than|against|versus|vs\.?|compared (?:with|to)|in comparison (?:with|to)"
    r"|relative to|instead of|rather than|in place of|unlike|from|that of|those of"
    r"|(?:leav|replac|abandon)(?:es|e|ing)|gives? up|giving up|in contrast to|measured against|beats?|outdoes|ahead of"
    r"|behind|(?:gain|advantage|lead|edge|improvement)s? over)"
    r"(?: (?:the|that|those|what|it is|is))*(?: (?:with|of|over|on|at|in|under))?"
    r"(?: the| a| an)?(?: [a-z]+)? $",
    re.IGNORECASE,
)
# 2: what turns the name of one side of two into the other one.
_WITHOUT = re.compile(
    r"\b(?:without|w/o|no|lacking|disabling|removing|dropping|leaving out|turning off"
    r"|switching off)(?: the| any| a)? $",
    re.IGNORECASE,
)
_GONE = re.compile(
    r" (?:is |was |are |were |being |left |switched |turned )*(?:off|disabled|gone|missing)\b"
)
_OVER = re.compile(r"\bover(?: the)?(?: [a-z]+)? $", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:with|over|under|on|in|at|without|against|compared|relative|where|when|if|instead"
    r"|versus|unlike|using|once|as|by|through)\b[^,;:.\U000f0000-\U0010ffff]*,\s",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|both|either)\b[^,;]*$", re.IGNORECASE)
_LISTED = re.compile(
    r",? (?:and|or|to|versus|as well as)(?: (?:with|over|on|under|for|the))* "
)


@dataclass(frozen=True)
class SideNamed:
    """A name in a sentence: of which side of a change it is, and what it is there."""

    mention: Mention
    test: bool
    part: Part


@dataclass(frozen=True)
class Viewed:
    """How a sentence looks at a change: 1 as printed, -1 turned, 0 undecided."""

    way: int
    sides: tuple[SideNamed, ...] = ()


def frame(
    words: str, sentence: Span, found: Print, fact: Fact, mentions: Sequence[Mention]
) -> Viewed:
    """From which side the words of a print look at its change."""
    own = [m for m in mentions if m.dimension == "configuration"]
    near = _sides(words, found, fact, [m for m in own if found.clause.holds(m.start)])
    if not near:  # an opening phrase holds for what follows it with a comma or 'and'
        opening = _OPENING.match(words, sentence.start, found.at)
        if opening:
            first = Span(sentence.start, opening.end())
            near = _sides(words, found, fact, [m for m in own if first.holds(m.start)])
    ways = {(1 if s.test else -1) * (-1 if s.part == "reference" else 1) for s in near}
    if len(ways) != 1 or any(side.part == "both" for side in near):
        return Viewed(0 if near else 1, tuple(near))
    return Viewed(ways.pop(), tuple(near))


def _sides(
    words: str, found: Print, fact: Fact, mentions: Sequence[Mention]
) -> list[SideNamed]:
    told = []
    for mention in mentions:
        test = fact.configuration in mention.names
        if test == (fact.baseline in mention.names):
            continue  # both sides, or neither
        before = words[max(0, mention.start - 40) : mention.start]
        if mention.text.lower().startswith("with "):
            before += "with "
        turned = _WITHOUT.search(before) or _GONE.match(words, mention.end)
        told.append((mention, test != bool(turned), before))
    sides = list[SideNamed]()
    for place, (mention, test, before) in enumerate(told):
        part: Part = "condition"
        replaced = re.match(r" (?:is |was |gets )?replaced by\b", words[mention.end :])
        if replaced or _REFERENCE.search(before):
            part = "reference"
        elif _OVER.search(before) and mention.start > found.at:
            others = [t for m, t, b in told if t != test]
            compared = any(_REFERENCE.search(b) for m, t, b in told if t != test)
            reference = not compared and (bool(others) or not test)
            part = "reference" if reference else "condition"
        elif mention.loose and len(told) == 1:
            part = "both" if not test else "condition"  # a topic may be the setting
        sides.append(SideNamed(mention, test, part))
    for a, b in zip(sides, sides[1:], strict=False):
        between = words[a.mention.end : b.mention.start]
        listed = a.test != b.test and _LISTED.fullmatch(between)
        if (listed and a.part == b.part) or (
            listed and _BETWEEN.search(words[: a.mention.start])
        ):
            return [SideNamed(s.mention, s.test, "both") for s in sides]
    return sides
