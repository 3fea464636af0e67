"""The sentences of results by kind: what is marked as its author's, and how much."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.report.text.passages import Span
from analysis.report.text.sentences import Sentence, sentences_of
from analysis.report.text.texts import Text

_CLASSES = {"own words": "own-words", "headline": "leads"}
_PLAIN = ("paragraph", "term")
_CITES, _WORD = re.compile(r"@[\w:-]*\w\s*$"), re.compile(r"\s*\S+\s+")
_AROUND = re.compile(r"[*_\"'(]*$"), re.compile(r"[*_\"')]*")


def tally_own(texts: Iterable[Text]) -> str:
    """``3 of 14 sentences are the author's own words``; empty where none are."""
    kinds = [s.kind for text in texts for s in sentences_of(text) if _counts(s)]
    own = kinds.count("own words")
    words = f"{own} of {len(kinds)} sentence{'' if len(kinds) == 1 else 's'}"
    verb = "is" if own == 1 else "are"
    return f"{words} {verb} the author's own words" if own else ""


def own_marks(text: Text) -> Iterator[tuple[int, str]]:
    """What to insert into a text, at offsets into it, to mark its author's words."""
    source = text.marked.text
    for sentence in sentences_of(text):
        name = _CLASSES.get(sentence.kind)
        span = _stretch(sentence, source) if name and _counts(sentence) else None
        if span:
            yield span.start, "["
            yield span.end, f"]{{.{name}}}"


def _counts(sentence: Sentence) -> bool:
    return sentence.passage.kind in _PLAIN


def _stretch(sentence: Sentence, source: str) -> Span | None:
    """Where a sentence stands, with the marks round it; None where they overlap."""
    words = sentence.words
    end = sentence.span.start + len(words.rstrip())
    start = end - len(words.strip())
    found = sentence.passage.source(Span(start, end))
    if not found:
        return None
    first, last = found.start, found.end
    if _CITES.search(source, 0, first) and (word := _WORD.match(source, first, last)):
        first = word.end()  # Pandoc would read a bracket there as part of the reference
    before = _AROUND[0].search(source, max(0, first - 4), first)
    after = _AROUND[1].match(source, last)
    wider = before.start() if before else first, after.end() if after else last
    for a, b in ((first, last), (wider[0], last), (first, wider[1]), wider):
        if _balanced(source[a:b]):
            return Span(a, b)
    return None


def _balanced(words: str) -> bool:
    plain = re.sub(r"\\.|`[^`\n]*`", "", words)
    pairs = plain.count("[") == plain.count("]") and plain.count("(") == plain.count(
        ")"
    )
    odd = any(plain.count(mark) % 2 for mark in ("**", "*", "`"))
    return pairs and not odd and "\n\n" not in words and not plain.startswith("]")
