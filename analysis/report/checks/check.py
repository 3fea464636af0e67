# ruff: noqa: E501
"""The check of a text: findings that structure proves, and the kind of each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.errors import Issue, Place
from analysis.report.checks.allowed import without_allowed
from analysis.report.checks.binding import mismatches
from analysis.report.checks.direction import clashes
from analysis.report.checks.finding import Finding
from analysis.report.checks.fixes import print_fixes
from analysis.report.checks.names import Names
from analysis.report.checks.sentence import Kind, Print, kind_of, prints_of
from analysis.report.checks.typed import DeclaredNumbers, typed
from analysis.report.material import Material
from analysis.report.text.passages import Span, TextBlock, text_blocks
from analysis.report.text.texts import ANSWER, OBSERVATIONS, SLIDES, Text

_TELLING = (OBSERVATIONS, ANSWER, SLIDES)
_PRIVATE = re.compile("[\U000f0000-\U0010ffff]")
_CODE = re.compile(r"`[^`\n]*`|@[\w:-]+")


@dataclass
class TextChecks:
    """The checks of an edition's texts, with the names that its studies have."""

    material: Material
    _names: dict[str, Names] = field(default_factory=dict)
    _known: dict[str | None, DeclaredNumbers] = field(default_factory=dict)

    def of_text(self, text: Text) -> Iterator[Finding]:
        """The errors in a text."""
        for block in text_blocks(text.tree):
            for span in block.sentences:
                for at, what, number in self._sentence(text, block, span):
                    place = Place(str(text.path), block.line(at))
                    sure = not number or self._tells_results(text)
                    yield Finding(
                        "error" if sure else "warning",
                        "lint",
                        self._issue(what, place, number, text.study),
                    )

    def _issue(self, what: str, place: Place, typed: str, study: str | None) -> Issue:
        if not typed:
            return Issue(what, place, "name what the value is of, or print another")
        found = print_fixes(self.material, study, typed)
        first = f": write {{{{ {found[0].write} }}}}" if found else ""
        return Issue(what, place, f"print it from its fact{first}", found)

    def _tells_results(self, text: Text) -> bool:
        telling = text.path.stem in _TELLING and text.study is not None
        return telling or text.name == self.material.edition.summary

    def kinds(self, text: Text) -> Iterator[tuple[Kind, str, list[Print]]]:
        """The kind of each sentence, with its words and what it prints."""
        for block in text_blocks(text.tree):
            if block.kind not in ("heading", "title", "caption"):
                for span in block.sentences:
                    words = block.words[span.start : span.end]
                    if re.search(r"\w", words) or _PRIVATE.search(words):
                        prints = prints_of(block, span, text.printed)
                        yield kind_of(block, span, False), words, prints

    def names(self, study: str) -> Names:
        """What words name in texts that print values of a study."""
        if study not in self._names:
            self._names[study] = Names(self.material, study)
        return self._names[study]

    def _sentence(
        self, text: Text, block: TextBlock, span: Span
    ) -> Iterator[tuple[int, str, str]]:
        words, prints = block.words, prints_of(block, span, text.printed)
        for study in dict.fromkeys(f.study for p in prints for f in p.facts):
            own = [p for p in prints if p.facts and p.facts[0].study == study]
            mentions = [
                m for m in self.names(study).mentions(words) if span.holds(m.start)
            ]
            told = set[int]()
            for at, what in mismatches(
                words, span, own, mentions, self.material.studies
            ):
                told.add(at)
                yield at, what, ""
            for at, what in clashes(words, span, own, mentions):
                if at not in told:
                    told.add(at)
                    yield at, what, ""
        said = without_allowed(words[span.start : span.end], text.source.allow)
        said = _CODE.sub(lambda found: " " * len(found[0]), _PRIVATE.sub(" ", said))
        if text.study not in self._known:
            self._known[text.study] = DeclaredNumbers.of(self.material, text.study)
        for at, what, number in typed(said, self._known[text.study]):
            yield span.start + at, what, number
