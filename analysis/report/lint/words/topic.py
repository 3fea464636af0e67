"""What a word that asserts something is said of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.declared.metrics import Metric
from analysis.facts.fact import Fact
from analysis.report.lint.words.mention import Dimension, Mention
from analysis.report.lint.words.segments import listed
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock

_FINE = re.compile(r",\s|\s(?=(?:and|or|nor|as|than|but)\b)|[;:]\s", re.IGNORECASE)
_REFERENCE = re.compile(
    r"\b(?:than|against|compared (?:with|to)|relative to|as (?:do|does|did))\b", re.I
)
_EVERY = re.compile(
    r"\b(?:all|every|each|any|no|none)\b(?: of)?(?: the)?(?: [\w-]+){0,2}? "
    r"(?:comparisons?|changes?|metrics?|measures?|results?|studies|study)\b"
    r"|\beverything\b|\bacross the "
    r"board\b|\beverywhere\b|\bin (?:all|every) (?:respects?|cases?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Topic:
    """The metrics, roles, workloads and configurations that a word is said of.

    ``metrics`` has a group for each that is named: words may mean any of a group.
    Nothing in a dimension means that the text does not say. ``explicit`` is whether the
    sentence itself names metric and workload; ``every`` that it speaks of all changes.
    """

    metrics: tuple[frozenset[str], ...] = ()
    roles: frozenset[str] = frozenset()
    workloads: frozenset[str] = frozenset()
    configurations: tuple[frozenset[str], ...] = ()
    explicit: bool = False
    every: bool = False

    def changes(self, known: Sequence[Fact], metrics: frozenset[str]) -> list[Fact]:
        """The changes of these configurations among those of some metrics."""
        own = [f for f in known if not metrics or f.metric in metrics]
        for names in self.configurations:
            some = [f for f in own if {f.configuration, f.baseline} & names]
            own = some or own
        return own


class Topics:
    """Finds subjects in a passage, sentence by sentence."""

    def __init__(
        self,
        passage: TextBlock,
        mentions: Sequence[Mention],
        around: Sequence[Mention],
        metrics: Mapping[str, Metric],
    ) -> None:
        self.passage, self.mentions, self.around = passage, mentions, around
        self.metrics = metrics

    def of(self, word: Word, sentence: Span, clause: Span) -> Topic:
        """What a word is said of: by what stands nearest, else by what came before."""
        levels = self._levels(word, sentence, clause)
        found = {
            dimension: self._nearest(dimension, levels, clause, word)
            for dimension in ("metric", "role", "workload", "configuration")
        }
        own = _meant_by(word, found["metric"], self.passage.words)
        metrics = tuple(m.names for m in own)
        beside = any(m.dimension == "metric" for m in levels[0])
        if word.sense.of and not beside:
            metrics = self._meant(word)
        explicit = all(
            found[name]
            and sentence.holds(found[name][0].start)
            and id(found[name][0]) in self._own
            for name in ("metric", "workload")
        )
        words = self.passage.words
        return Topic(
            metrics=metrics,
            roles=_union(found["role"]),
            workloads=_union(found["workload"]),
            configurations=tuple(
                m.names for m in found["configuration"] if not m.loose
            ),
            explicit=explicit and not any(m.loose for m in found["workload"]),
            every=bool(_EVERY.search(words, clause.start, word.start)),
        )

    @property
    def _own(self) -> set[int]:
        return {id(mention) for mention in self.mentions}

    def _levels(
        self, word: Word, sentence: Span, clause: Span
    ) -> list[Sequence[Mention]]:
        fine = self._fine(word, clause)
        spans = [fine, clause, sentence]
        before = [s for s in self.passage.sentences if s.end <= sentence.start]
        levels: list[Sequence[Mention]] = [
            [m for m in self.mentions if span.holds(m.start)] for span in spans
        ]
        levels[1:] = [self._without_others(own, sentence, fine) for own in levels[1:]]
        levels += [
            [m for m in self.mentions if span.holds(m.start)]
            for span in reversed(before)
        ]
        return [*levels, self.around]

    def _without_others(
        self, own: Sequence[Mention], sentence: Span, fine: Span
    ) -> list[Mention]:
        """Not what a later part of the sentence says of a metric that it names itself;
        what follows a colon explains what stands before it."""
        apart, start, colon = list[Span](), fine.end, False
        for found in _FINE.finditer(self.passage.words, fine.end, sentence.end):
            apart.append(Span(start, found.start()))
            start, colon = found.end(), found[0].startswith(":")
            if colon:
                break
        apart += [] if colon else [Span(start, sentence.end)]
        metrics = [m for m in own if m.dimension == "metric"]
        theirs = [s for s in apart if any(s.holds(m.start) for m in metrics)]
        return [m for m in own if not any(s.holds(m.start) for s in theirs)]

    def _fine(self, word: Word, clause: Span) -> Span:
        words = self.passage.words
        start, end = clause.start, clause.end
        for found in _FINE.finditer(words, clause.start, clause.end):
            if found.start() < word.start and found.end() <= word.start:
                start = found.start()
            elif found.start() >= word.end:
                end = found.start()
                break
        return Span(start, end)

    def _nearest(
        self,
        dimension: Dimension,
        levels: Sequence[Sequence[Mention]],
        clause: Span,
        word: Word,
    ) -> list[Mention]:
        for level, mentions in enumerate(levels):
            own = [m for m in mentions if m.dimension == dimension]
            if level < 3:
                own = self._without_reference(own, clause, word, dimension)
            if own:
                return self._with_listed(own, dimension)
        return []

    def _without_reference(
        self, own: list[Mention], clause: Span, word: Word, dimension: Dimension
    ) -> list[Mention]:
        """What something is compared with is not what is spoken of."""
        if dimension == "configuration":
            return own
        found = _REFERENCE.search(self.passage.words, word.start, clause.end)
        kept = [m for m in own if not (found and m.start >= found.end())]
        return kept or own

    def _with_listed(self, own: list[Mention], dimension: Dimension) -> list[Mention]:
        every = [m for m in self.mentions if m.dimension == dimension]
        for place, mention in enumerate(every):
            if mention is not own[0]:
                continue
            before = place
            while before and listed(self.passage.words, every[before - 1 : before + 1]):
                before -= 1
            return [*every[before:place], *own]
        return own

    def _meant(self, word: Word) -> tuple[frozenset[str], ...]:
        """The metrics that a word means by itself: faster is said of no cost."""
        if not word.sense.of:
            return ()
        own = (id for id, m in self.metrics.items() if m.evidence == word.sense.of)
        return (frozenset(own),)


def _meant_by(word: Word, metrics: Sequence[Mention], words: str) -> Sequence[Mention]:
    """The metrics that follow one another as a list, else the one nearest to a word."""
    if len(metrics) < 2 or listed(words, metrics):
        return metrics

    def far(mention: Mention) -> int:
        return max(mention.start - word.end, word.start - mention.end, 0)

    return [min(metrics, key=far)]


def _union(mentions: Sequence[Mention]) -> frozenset[str]:
    return frozenset().union(*(mention.names for mention in mentions))
