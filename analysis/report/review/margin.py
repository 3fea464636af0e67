"""What each sentence rests on, in words, for who reviews it beside the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from analysis.facts.fact import Fact
from analysis.report.checks.check import tells_results
from analysis.report.claims.checked import MATTER, Checked
from analysis.report.claims.outcome import Outcome
from analysis.report.expressions.bound import interval
from analysis.report.material import Material
from analysis.report.text.characters import reader_text
from analysis.report.text.sentences import Kind, sentences_of
from analysis.report.text.texts import Text

_NAMES = {"headline": "headline, rests on what follows"}
_PARTS = ("paragraph", "term")


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


class ReadClaim(NamedTuple):
    """A claim in words: what it says, its verdict, what data say and it demands, and
    why it is fragile, if it is."""

    claim: str
    state: str
    data: str
    demanded: str
    fragile: str


def margin(checked: Checked, text: Text) -> list[SentenceRests]:
    """What the sentences of a text of results rest on; none of another text."""
    if not tells_results(text, checked.material):
        return []
    outcomes = [
        outcome
        for outcome in checked.outcomes[text.study or MATTER]
        if outcome.claim.sentence and outcome.claim.file == str(text.path)
    ]
    return list(_margin(checked.material, text, outcomes))


def _margin(
    material: Material, text: Text, outcomes: list[Outcome]
) -> Iterator[SentenceRests]:
    for sentence in sentences_of(text):
        if sentence.passage.kind not in _PARTS:
            continue
        facts = [f for value in sentence.prints for f in value.printed.facts]
        data = [datum(fact, material) for fact in dict.fromkeys(facts)]
        own = (one for one in outcomes if _of(one, sentence.words))
        data += [
            f"{read.claim} ({read.state}): {read.data}"
            for read in (read_claim(one, material) for one in own)
        ]
        line = sentence.passage.line(sentence.span.start)
        words = sentence.read(text.printed)
        yield SentenceRests(line, sentence.kind, words, tuple(data))


def _of(outcome: Outcome, words: str) -> bool:
    """Whether a claim stands with a sentence: one may hold the other."""
    claimed = reader_text(" ".join(outcome.claim.sentence.split()))
    plain = " ".join(words.split())
    return claimed in plain or plain in claimed


def read_claim(outcome: Outcome, material: Material) -> ReadClaim:
    """A claim and what the data say of it, as readers call what they name."""
    tables = material.of_study(outcome.facts[0].study)
    claim, decided = outcome.claim, outcome.deciding
    words = (claim.text, outcome.state, decided.left, decided.right, outcome.fragile)
    return ReadClaim(*map(tables.claimed, words))


def datum(fact: Fact, material: Material) -> str:
    """``latency, RR10(1kB), MTU 1500 → MTU 9000: −34%, −38 to −31%``."""
    names = material.names(fact.study)
    sides = [names.get(id, id) for id in (fact.baseline, fact.configuration) if id]
    label = material.metrics[fact.metric].label
    metric = label if label[1:2].isupper() else label[:1].lower() + label[1:]
    parts = (metric, fact.role, fact.workload, " → ".join(sides))
    spread = "" if fact.low is None else f", {interval(fact)}"
    return f"{', '.join(filter(None, parts))}: {fact.printed}{spread}"
