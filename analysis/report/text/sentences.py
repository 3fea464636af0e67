"""Sentences by their structure, and what they print: the facts, as objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.language.printed import Average, FactCount, Printed, Selected, Verb
from analysis.report.text.passages import Span, TextPassage, marks, passages
from analysis.report.text.texts import Text

Kind = Literal["printed", "claimed", "cited", "own words", "headline"]
Way = Literal["value", "change", "size", "interval", "verb", "count", "average"]
SIZED = {"size", "reduction", "increase", "factor", "span"}
_WAYS: dict[type, Way] = {FactCount: "count", Average: "average", Verb: "verb"}
_STRONG = re.compile(
    r"[;:]\s|,\s(?=(?:and|while|whereas|but|or|so|because|as|which|although|though)\b)"
    r"|\s(?=(?:while|whereas|because|although)\b)|\s\((?=[^)]{12,})|\s[–—]\s"
)
_WEAK = re.compile(r",\s|\s(?=(?:and|or|against|than|to|instead|compared)\b)")
_CITED = re.compile(r"@(?!fig-|tbl-)[A-Za-z][\w:-]*")
_SAYS = re.compile("\\w|[\U000f0000-\U0010ffff]")


@dataclass(frozen=True)
class Print:
    """A printed value: where its mark stands, its facts, and the words that go with it.

    ``segment`` reaches to the values beside it, ``clause`` to the next strong border.
    """

    at: int
    facts: tuple[Fact, ...]
    way: Way
    printed: Printed
    segment: Span
    clause: Span

    @property
    def words(self) -> str:
        """What a reader reads of it."""
        return self.printed.words

    @property
    def counted(self) -> str:
        """The verdict that it counts; empty of what counts none."""
        value = self.printed.value
        return value.verdict if isinstance(value, FactCount) else ""

    @property
    def sign(self) -> int:
        """1 where all changes rise, -1 where all fall, else 0."""
        signs = {fact.value > 0 for fact in self.facts if fact.value}
        return 0 if len(signs) != 1 else 1 if signs.pop() else -1


@dataclass(frozen=True)
class Sentence:
    """A sentence of a passage, what kind it is, and what it prints."""

    passage: TextPassage
    span: Span
    kind: Kind
    prints: tuple[Print, ...]

    @property
    def words(self) -> str:
        """Its words, with marks for what is printed."""
        return self.passage.words[self.span.start : self.span.end]

    def read(self, printed: tuple[Printed, ...]) -> str:
        """Its words as a reader reads them."""
        words, at = "", self.span.start
        for place, number in marks(self.passage.words, self.span):
            words += self.passage.words[at:place] + printed[number].words
            at = place + 1
        return " ".join((words + self.passage.words[at : self.span.end]).split())


def sentences_of(text: Text) -> Iterator[Sentence]:
    """The sentences of a text in order; what leads to prints below is a headline."""
    for _, own in groupby(passages(text.tree), lambda passage: passage.whole):
        yield from _with_headline([s for p in own for s in _of(p, text.printed)])


def _of(passage: TextPassage, printed: tuple[Printed, ...]) -> Iterator[Sentence]:
    for span in passage.sentences:
        if _SAYS.search(passage.words, span.start, span.end):
            prints = tuple(prints_of(passage, span, printed))
            yield Sentence(passage, span, _kind(passage, span, printed), prints)


def _kind(passage: TextPassage, span: Span, printed: tuple[Printed, ...]) -> Kind:
    names = [printed[number].name for _, number in marks(passage.words, span)]
    if any(not name.startswith("published") for name in names):
        return "printed"
    if any(a.start < span.end and span.start < a.end for a, _ in passage.claimed):
        return "claimed"
    cited = names or _CITED.search(passage.words, span.start, span.end)
    return "cited" if cited else "own words"


def _with_headline(found: list[Sentence]) -> Iterator[Sentence]:
    """The sentences of one block: own words before the first print lead to it."""
    rests = [n for n, one in enumerate(found) if one.kind in ("printed", "claimed")]
    for n, one in enumerate(found):
        leads = n == 0 and rests and one.kind == "own words"
        yield replace(one, kind="headline") if leads else one


def prints_of(
    passage: TextPassage, span: Span, printed: tuple[Printed, ...]
) -> Iterator[Print]:
    """The printed values of a sentence, each with the words that go with it."""
    words = passage.words
    found = [
        (at, printed[number], way)
        for at, number in marks(words, span)
        if (way := _way(printed[number]))
    ]
    edges = [span.start, *_edges(words, [at for at, *_ in found]), span.end]
    for (at, one, way), (start, end) in zip(found, pairwise(edges), strict=False):
        facts = getattr(one.value, "facts", ())
        clause = _clause(words, span, at)
        yield Print(at, facts, way, one, Span(start, end), clause)


def _way(printed: Printed) -> Way | None:
    """How facts are printed; None of what prints none."""
    value = printed.value
    if not isinstance(value, Selected):
        return _WAYS.get(type(value))
    if "interval" in printed.filters:
        return "interval"
    if value.facts[0].kind == "value":
        return "value"
    return "size" if SIZED & set(printed.filters) else "change"


def _edges(words: str, places: Iterable[int]) -> Iterator[int]:
    """Between two values the last border of the strongest kind parts them."""
    for left, right in pairwise(places):
        for border in (_STRONG, _WEAK):
            if borders := list(border.finditer(words, left + 1, right)):
                yield borders[-1].end()
                break
        else:
            yield right


def _clause(words: str, span: Span, at: int) -> Span:
    borders = list(_STRONG.finditer(words, span.start, span.end))
    start = max((b.end() for b in borders if b.end() <= at), default=span.start)
    end = min((b.start() for b in borders if b.start() > at), default=span.end)
    return Span(start, end)
