"""What the checks of wording say of a block: what is wrong, where, how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import Fix, Issue, Place
from analysis.facts.fact import Fact
from analysis.report.lint.words import messages
from analysis.report.lint.words.binding import Mismatch
from analysis.report.lint.words.relevance import Place as Role
from analysis.report.lint.words.senses import Word
from analysis.report.lint.words.text_blocks import TextBlock
from analysis.report.material import Material
from analysis.report.text.reviewed import Allowed
from analysis.report.text.tree import shown

_LONGEST = 60  # characters of a text that a message quotes


@dataclass(frozen=True)
class WordingIssue:
    """What is wrong with words: ``sure`` if the data contradict them."""

    sure: bool
    issue: Issue


@dataclass(frozen=True)
class Whence:
    """Where words stand: the file, the study that it belongs to, and its exceptions.

    ``results`` is whether the text tells results, and nothing that data cannot check.
    """

    path: Path
    place: Role
    study: str | None = None
    allow: tuple[Allowed, ...] = ()
    results: bool = False


@dataclass(frozen=True)
class Remarks:
    """Makes the remarks on one block of a file."""

    path: Path
    passage: TextBlock
    material: Material

    def of(self, sure: bool, what: str, at: int, mend: str) -> WordingIssue:
        """A remark on what begins at a place in the block's words."""
        place = Place(str(self.path), self.passage.line(at))
        return WordingIssue(sure, Issue(what, place, mend))

    def mismatch(self, found: Mismatch) -> WordingIssue:
        """A value that is not of what the words beside it name."""
        what, mend = messages.mismatch(found)
        return self.of(found.sure, what, found.at, mend)

    def unbacked(self, word: Word, facts: Sequence[Fact] = ()) -> WordingIssue:
        """A word that asserts what no claim and no value stands behind."""
        what = f"no claim and no printed value stands behind {word.text!r}"
        mend = messages.claim_for(word, facts, self.material)
        claims = messages.claims_for(word, facts, self.material)
        found = self.of(False, what, word.start, mend)
        fixes = tuple(Fix("claim", claim) for claim in claims)
        return replace(found, issue=replace(found.issue, fixes=fixes))

    def against(
        self, word: Word, facts: Sequence[Fact], study: str | None
    ) -> WordingIssue:
        """A word that the data contradict."""
        what = f"the data contradict {word.text!r}: {messages.told(facts)}"
        mend = messages.print_for(facts, self.material, study)
        fixes = messages.print_fixes(word, facts, self.material, study)
        found = self.of(True, what, word.start, mend)
        return replace(found, issue=replace(found.issue, fixes=fixes))

    def nothing_behind(self, said: str, at: int) -> WordingIssue:
        """Words of a text of results that nothing checks."""
        what = f"nothing checks what is said here: {shown(said[:_LONGEST])}"
        mend = (
            "print the value, claim it in words that are known, cite who says so, or "
            "mark what no data can check: [words]{.unchecked}"
        )
        return self.of(False, what, at, mend)

    def undeclared(self, said: str, at: int) -> WordingIssue:
        """What is said of how runs were made, and nothing declares."""
        what = f"nothing declares what is said here: {shown(said[:_LONGEST])}"
        mend = (
            "correct it, declare it in campaign.yaml, print it with count_runs(…), "
            "or mark it: [words]{.unchecked}"
        )
        return self.of(False, what, at, mend)
