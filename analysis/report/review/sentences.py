"""The sentences of results by what each rests on, for pages and for reviewers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from analysis.facts.fact import Fact
from analysis.report.checks.check import tells_results
from analysis.report.checks.claims import MATTER, Checked
from analysis.report.language.claim import Outcome
from analysis.report.language.printed import interval
from analysis.report.material import Material
from analysis.report.text.characters import reader_text
from analysis.report.text.passages import Kind, Sentence, Span
from analysis.report.text.texts import Text

_NAMES = {"headline": "headline, rests on what follows"}
_CLASSES = {"own words": "own-words", "headline": "leads"}
_PARTS = ("paragraph", "term")
_CITES, _WORD = re.compile(r"@[\w:-]*\w\s*$"), re.compile(r"\s*\S+\s+")
_AROUND = re.compile(r"[*_\"'(]*$"), re.compile(r"[*_\"')]*")


def own_words(checked: Checked, texts: Iterable[Text]) -> str:
    """``3 of 14 sentences are the author's own words``; empty where none are."""
    results = (text for text in texts if tells_results(text, checked.material))
    kinds = [one.kind for text in results for one in _sentences(text)]
    own = kinds.count("own words")
    words = f"{own} of {len(kinds)} sentence{'' if len(kinds) == 1 else 's'}"
    verb = "is" if own == 1 else "are"
    return f"{words} {verb} the author's own words" if own else ""


def own_marks(text: Text) -> Iterator[tuple[int, str]]:
    """What to insert into a text, at offsets into it, to mark its author's words."""
    source = text.marked.text
    for sentence in _sentences(text):
        name = _CLASSES.get(sentence.kind)
        span = stretch(sentence, source) if name else None
        if span:
            yield span.start, "["
            yield span.end, f"]{{.{name}}}"


def _sentences(text: Text) -> Iterator[Sentence]:
    return (one for one in text.sentences if one.passage.kind in _PARTS)


def stretch(sentence: Sentence, source: str) -> Span | None:
    """Where a sentence stands, with the marks round it; None where they overlap."""
    words = sentence.words
    end = sentence.span.start + len(words.rstrip())
    found = sentence.passage.source(Span(end - len(words.strip()), end))
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
    pairs = all(plain.count(a) == plain.count(b) for a, b in ("[]", "()"))
    odd = any(plain.count(mark) % 2 for mark in ("**", "*", "`"))
    return pairs and not odd and "\n\n" not in words and not plain.startswith("]")


@dataclass(frozen=True)
class SentenceRests:
    """A sentence as a reader reads it, its line and kind, and what it rests on."""

    line: int
    kind: Kind
    words: str
    data: tuple[str, ...]

    @property
    def margin_words(self) -> str:
        """What stands in the margin."""
        return "; ".join(self.data) or _NAMES.get(self.kind, self.kind)


def margin(checked: Checked, text: Text) -> list[SentenceRests]:
    """What the sentences of a text of results rest on; none of another text."""
    material, found = checked.material, list[SentenceRests]()
    if not tells_results(text, material):
        return found
    outcomes = [
        outcome
        for outcome in checked.outcomes[text.study or MATTER]
        if outcome.claim.sentence and outcome.claim.file == str(text.path)
    ]
    for sentence in _sentences(text):
        facts = [fact for value in sentence.prints for fact in value.printed.facts]
        data = [datum(fact, material) for fact in dict.fromkeys(facts)]
        data += [
            f"{read.claim} ({read.state}): {read.data}"
            for outcome in outcomes
            if stands_with(outcome, sentence.words)
            for read in [read_claim(outcome, material)]
        ]
        line = sentence.passage.line(sentence.span.start)
        words = sentence.read(text.printed)
        found.append(SentenceRests(line, sentence.kind, words, tuple(data)))
    return found


def stands_with(outcome: Outcome, words: str) -> bool:
    """Whether a claim stands with a sentence: one may hold the other."""
    claimed = reader_text(" ".join(outcome.claim.sentence.split()))
    plain = " ".join(words.split())
    return claimed in plain or plain in claimed


class ReadClaim(NamedTuple):
    """A claim in words: what it says, its verdict, what data say and it demands, and
    why it is fragile, if it is."""

    claim: str
    state: str
    data: str
    demanded: str
    fragile: str


def read_claim(outcome: Outcome, material: Material) -> ReadClaim:
    """A claim and what the data say of it, as readers call what they name."""
    study = material.of_study(outcome.facts[0].study)
    claim, decided = outcome.claim, outcome.deciding
    words = (claim.text, outcome.state, decided.left, decided.right, outcome.fragile)
    return ReadClaim(*map(study.claimed, words))


def datum(fact: Fact, material: Material) -> str:
    """``latency, RR10(1kB), MTU 1500 → MTU 9000: −34%, −38 to −31%``."""
    names = material.names(fact.study)
    sides = [names.get(id, id) for id in (fact.baseline, fact.configuration) if id]
    label = material.metrics[fact.metric].label
    metric = label if label[1:2].isupper() else label[:1].lower() + label[1:]
    parts = (metric, fact.role, fact.workload, " → ".join(sides))
    spread = "" if fact.low is None else f", {interval(fact)}"
    return f"{', '.join(filter(None, parts))}: {fact.printed}{spread}"
