"""A clause of a text of results, as the checks of what nothing backs read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import Span, TextBlock, marks


@dataclass(frozen=True)
class ResultClause:
    """A clause of a text of results, with what stands in its passage.

    ``judged`` are the words of its sentence that claims and values stand behind, or
    that are reported for themselves; ``known`` are words that the edition declares, and
    ``marked`` those that their author takes upon himself; ``foreign`` are the ids of
    configurations of the campaign that the study does not compare, and ``strangers``
    names of configurations that the studies of the sentence's values do not have.
    ``asserts`` is whether it has words that assert something.
    """

    passage: TextBlock
    sentence: Span
    span: Span
    mentions: Sequence[Mention]
    judged: Sequence[Word]
    printed: Sequence[Print]
    known: frozenset[str]
    marked: Sequence[Span]
    foreign: frozenset[str] = frozenset()
    strangers: Sequence[Mention] = ()
    asserts: bool = False

    @property
    def said(self) -> str:
        """Its words."""
        return self.passage.words[self.span.start : self.span.end]

    @property
    def inside(self) -> list[Print]:
        """The values that it prints."""
        return [self.printed[n] for _, n in marks(self.passage.words, self.span)]

    @property
    def around(self) -> list[Print]:
        """The values that its sentence prints."""
        return [self.printed[n] for _, n in marks(self.passage.words, self.sentence)]

    @property
    def named(self) -> list[Mention]:
        """What it names."""
        return [m for m in self.mentions if self.span.holds(m.start)]

    def without(self, spans: Sequence[Span]) -> str:
        """Its words, with blanks for some stretches and for its marks."""
        start, end = self.span.start, self.span.end
        said = list(self.said)
        for span in spans:
            for at in range(max(span.start, start), min(span.end, end)):
                said[at - start] = " "
        return "".join(said)
