"""What a text says: its passages, their sentences, what these print, its paragraphs.

A passage is the least that can be read alone: a heading, a cell, a paragraph of words.
Checks, reviews and pages share its sentences, which are told apart by their structure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import Literal

from analysis.facts.fact import Fact
from analysis.report.language.printed import Average, FactCount, Printed, Selected, Verb
from analysis.report.text.characters import reader_text
from analysis.report.text.tree import FIRST_MARK, LEAVES, Node, Tree

Kind = Literal["printed", "claimed", "cited", "own words", "headline"]
Way = Literal["value", "change", "size", "interval", "verb", "count", "average"]
_END = re.compile(
    r"[.!?\u2026][\"')\]\u201d\u2019]*\s+(?=[^a-z\s])|[\u3002\uff01\uff1f]"
)
_SHORT = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|approx|ca|resp|etc|pp?|nos?|figs?|eq|sec|ch|vol|eds?|Inc|Corp"
    r"|Ltd|Mr|Mrs|Dr|St)\.$",
    re.IGNORECASE,
)
_APART = re.compile(r"(?<!\w)(?:[A-Za-z] ){3,}[A-Za-z](?!\w)")
_HOLDERS = ("quote", "div", "note", "definition list", "definition")
_MARK = re.compile(f"[{chr(FIRST_MARK)}-\U0010ffff]")
_LISTS = ("bullet list", "numbered list")
SIZED = {"size", "reduction", "increase", "factor", "span"}
_WAYS: dict[type, Way] = {FactCount: "count", Average: "average", Verb: "verb"}
_STRONG = re.compile(
    r"[;:]\s|,\s(?=(?:and|while|whereas|but|or|so|because|as|which|although|though)\b)"
    r"|\s(?=(?:while|whereas|because|although)\b)|\s\((?=[^)]{12,})|\s[–—]\s"
)
_WEAK = re.compile(r",\s|\s(?=(?:and|or|against|than|to|instead|compared)\b)")
_CITED = re.compile(r"@(?!fig-|tbl-)[A-Za-z][\w:-]*")
_SAYS = re.compile("\\w|[\U000f0000-\U0010ffff]")
_STARTS = "-+*#>0123456789.)"  # what begins a line of Markdown
_EMPHASIS = str.maketrans("", "", "*_`[]")
_ATTRIBUTES = re.compile(r"\]\{[^{}]*\}")


@dataclass(frozen=True)
class Span:
    """A stretch of a passage's words."""

    start: int
    end: int

    def holds(self, at: int) -> bool:
        """Whether a place is in it."""
        return self.start <= at < self.end


@dataclass(frozen=True)
class TextPassage:
    """The words of a paragraph, heading, cell or item in one line, marks among them.

    ``lines`` has the offset and the line of the file of each of its lines, ``places``
    where each character stands in the text with marks, -1 where that is not known
    (of words in which a letter became several: where they begin).
    ``whole`` numbers what belongs together: a paragraph with its notes, a list item
    with those below it. ``claimed`` are the words that stand with
    claims, each with its claims.
    """

    kind: str
    words: str
    lines: tuple[tuple[int, int], ...]
    places: tuple[int, ...] = ()
    whole: int = 0
    claimed: tuple[tuple[Span, str], ...] = ()

    def line(self, at: int) -> int:
        """The line of the file of a place in the words."""
        return self.lines[bisect_right(self.lines, (at, 1 << 30)) - 1][1]

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, in order."""
        found, start = [], 0
        for end in _END.finditer(self.words):
            if not _SHORT.search(self.words, start, end.start() + 1):
                found.append(Span(start, end.end()))
                start = end.end()
        return (
            (*found, Span(start, len(self.words))) if self.words[start:] else (*found,)
        )

    def source(self, span: Span) -> Span | None:
        """Where a stretch stands in the text with marks; None where nobody knows."""
        known = [place for place in self.places[span.start : span.end] if place >= 0]
        return Span(known[0], known[-1] + 1) if known else None


def passages(tree: Tree) -> list[TextPassage]:
    """All passages of a text, in its order."""
    return list(_Walk().passages(tree.blocks))


class _Walk:
    def __init__(self) -> None:
        self.whole = 0

    def passages(
        self, blocks: Iterable[Node], inner: bool = False
    ) -> Iterator[TextPassage]:
        for block in blocks:
            self.whole += not inner
            if block.kind in _LISTS:
                for item in block.children:
                    self.whole += not inner
                    yield from self.passages(item.children, inner=True)
            elif block.kind == "table":
                rows = (row.children for row in block.children if row.kind == "row")
                yield from (self._leaf(cell) for row in rows for cell in row)
            elif block.kind in _HOLDERS:
                yield from self.passages(block.children, inner)
            elif block.kind in LEAVES:
                yield self._leaf(block)

    def _leaf(self, leaf: Node) -> TextPassage:
        pieces, places = list[str](), list[int]()
        lines, claimed = [(0, leaf.line)], list[tuple[Span, str]]()
        for node, claims in _read(leaf.children):
            if node.line != lines[-1][1]:
                lines.append((len(places), node.line))
            start = len(places)
            read = reader_text(text := _text(node))
            at: Sequence[int] = range(node.start, node.start + len(text))
            if node.start < 0 or len(read) != len(text):  # no letter for a letter
                at = [node.start] * len(read)
            pieces.append(read)
            places += at
            claimed += [(Span(start, len(places)), claims)] if claims else []
        words = _APART.sub(_joined, "".join(pieces))
        told = tuple(lines), tuple(places), self.whole, tuple(claimed)
        return TextPassage(leaf.kind, words, *told)


def _read(nodes: Iterable[Node], claims: str = "") -> Iterator[tuple[Node, str]]:
    """The spans that say something, and the claims that they stand with."""
    for node in nodes:
        own = claims or node.attributes.value("claim")
        yield node, own
        yield from _read(node.children, own)


def _text(node: Node) -> str:
    if node.kind == "citation":
        return f"@{node.words}"
    if node.kind in ("words", "character", "code"):
        return node.words.replace("\n", " ")
    return " " if node.kind in ("line end", "note mark") else ""


def _joined(found: re.Match[str]) -> str:
    """Letters that are set apart are still read as a word."""
    return found[0].replace(" ", "").ljust(len(found[0]))


def marks(words: str, span: Span) -> Iterator[tuple[int, int]]:
    """The marks of expressions in a stretch: their place and number."""
    for found in _MARK.finditer(words, span.start, span.end):
        yield found.start(), ord(found[0]) - FIRST_MARK


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


def sentences(tree: Tree, printed: tuple[Printed, ...]) -> Iterator[Sentence]:
    """The sentences of a text in order; what leads to prints below is a headline."""
    for _, own in groupby(passages(tree), lambda passage: passage.whole):
        yield from _with_headline([s for p in own for s in _of(p, printed)])


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


@dataclass(frozen=True)
class Paragraph:
    """What stands between blank lines, or an item of an outer list: its first line, its
    source, what it prints. An approval names what was approved by these."""

    line: int
    source: str
    printed: tuple[Printed, ...]

    @property
    def keys(self) -> set[str]:
        """The keys of the facts that the paragraph prints."""
        return {key for printed in self.printed for key in printed.keys}

    @property
    def start(self) -> str:
        """The first words, by which a person finds the paragraph."""
        words = bare(self.source).split()
        first = words[1:] if words and not words[0].strip(_STARTS) else words
        return " ".join(first[:6])


def paragraphs(tree: Tree, printed: Iterable[Printed] = ()) -> Iterator[Paragraph]:
    """The paragraphs and items of the outer lists of a text, in order."""
    printed = list(printed)
    for first, end in _spans(tree):
        yield Paragraph(
            first,
            "\n".join(tree.lines[first - 1 : end]),
            tuple(p for p in printed if first <= p.line <= end),
        )


def _spans(tree: Tree) -> Iterator[tuple[int, int]]:
    """The first and last line of each paragraph: blank lines and items part them."""
    lists = (block for block in tree.blocks if block.kind.endswith(" list"))
    items = {item.line for block in lists for item in block.children}
    code = {
        line
        for node in tree.walk()
        if node.kind == "code block"
        for line in range(node.line + 1, node.last + 1)
    }
    start = 0
    for line, source in enumerate([*tree.lines, ""], 1):
        blank = not source.strip() and line not in code
        if start and (blank or line in items):
            yield start, line - 1
            start = 0
        if not blank and not start:
            start = line


def bare(source: str) -> str:
    """A text without its marks, attributes and expressions."""
    return _ATTRIBUTES.sub("", without_expressions(source)).translate(_EMPHASIS)


def without_expressions(source: str) -> str:
    """A text as its author wrote it, … for each expression."""
    first, *others = source.split("{{")
    return first + "".join(f"…{part.partition('}}')[2]}" for part in others)
