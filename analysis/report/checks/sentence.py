# ruff: noqa: RUF007, RUF009
"""A sentence with what it prints: the facts of each print, as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.expressions.bound import plain
from analysis.report.expressions.evaluate import Printed
from analysis.report.text.passages import Span, TextBlock, marks

Way = Literal["value", "change", "size", "interval", "moves", "verdict", "other"]
Kind = Literal["printed", "claimed", "cited", "own words"]
_STRONG = re.compile(
    r"[;:]\s|,\s(?=(?:and|while|whereas|but|or|so|because|as|which|although|though)\b)"
    r"|\s(?=(?:while|whereas|because|although)\b)|\s\((?=[^)]{12,})|\s[–—]\s"
)
_WEAK = re.compile(r",\s|\s(?=(?:and|or|against|than|to|instead|compared)\b)")
_CITED = re.compile(r"@(?!fig-|tbl-|sec-)[A-Za-z][\w:-]*")


@dataclass(frozen=True)
class Print:
    """A printed value: where its mark stands, its facts, and how they are printed."""

    at: int
    facts: tuple[Fact, ...]
    way: Way
    words: str
    segment: Span = Span(0, 0)
    clause: Span = Span(0, 0)

    @property
    def sign(self) -> int:
        """Whether all changes rise (1) or fall (-1); 0 where neither."""
        up = {fact.value > 0 for fact in self.facts if fact.value}
        return 0 if len(up) != 1 else 1 if up.pop() else -1


def kind_of(block: TextBlock, span: Span, claimed: bool) -> Kind:
    """Which of four kinds a sentence is, by its structure alone."""
    if any(marks(block.words, span)):
        return "printed"
    if claimed:
        return "claimed"
    if _CITED.search(block.words[span.start : span.end]):
        return "cited"
    return "own words"


def prints_of(
    block: TextBlock, span: Span, printed: tuple[Printed, ...]
) -> list[Print]:
    """The printed values of a sentence, each with the words that go with it."""
    found = [_print(at, printed[n]) for at, n in marks(block.words, span)]
    edges = [span.start, *_edges(block.words, [p.at for p in found]), span.end]
    clauses = list(_clauses(block.words, span, found))
    return [
        Print(p.at, p.facts, p.way, p.words, Span(a, b), clause)
        for p, a, b, clause in zip(found, edges, edges[1:], clauses, strict=False)
        if p.way != "other"
    ]


def _print(at: int, printed: Printed) -> Print:
    facts: tuple[Fact, ...] = getattr(printed.value, "facts", ())
    name = printed.expression.partition("(")[0].strip()
    way: Way = "other"
    if facts and name in ("moves", "verdict"):
        way = "moves" if name == "moves" else "verdict"
    elif facts and "interval" in printed.filters:
        way = "interval"
    elif facts and facts[0].kind == "value":
        way = "value"
    elif facts:
        sized = {"size", "reduction", "increase", "factor", "span"}
        way = "size" if sized & set(printed.filters) else "change"
    return Print(at, facts, way, plain(printed.output))


def _edges(words: str, places: list[int]) -> Iterator[int]:
    """Between two values the last border of the strongest kind parts them."""
    for left, right in zip(places, places[1:], strict=False):
        for border in (_STRONG, _WEAK):
            if borders := list(border.finditer(words, left + 1, right)):
                yield borders[-1].end()
                break
        else:
            yield right


def _clauses(words: str, span: Span, found: list[Print]) -> Iterator[Span]:
    """Of each value the words from one strong border to the next."""
    borders = list(_STRONG.finditer(words, span.start, span.end))
    for one in found:
        start = max((b.end() for b in borders if b.end() <= one.at), default=span.start)
        end = min((b.start() for b in borders if b.start() > one.at), default=span.end)
        yield Span(start, end)
