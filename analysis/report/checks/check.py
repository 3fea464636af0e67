"""The checks of texts: what cannot be true, of each sentence and what it prints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.report.checks.binding import mismatches
from analysis.report.checks.claims import Checked
from analysis.report.checks.declared import DeclaredNumbers, Typed, says, typed
from analysis.report.checks.direction import clashes
from analysis.report.checks.names import Assertion, Names
from analysis.report.checks.situations import check_situations
from analysis.report.checks.universals import overreaches
from analysis.report.finding import Finding, Severity
from analysis.report.language.listing import print_fixes
from analysis.report.material import Material
from analysis.report.text.passages import Sentence
from analysis.report.text.reviewed import without_allowed
from analysis.report.text.scaffold import unwritten_declarations, unwritten_text
from analysis.report.text.texts import (
    ANSWER,
    CONDITIONS,
    OBSERVATIONS,
    SLIDES,
    Text,
    own_texts,
)

_RESULTS = (OBSERVATIONS, ANSWER, CONDITIONS, SLIDES)
_MEND = "name what the value is of, or print another"
_PRIVATE = re.compile("[\U000f0000-\U0010ffff]")
_CODE = re.compile(r"`[^`\n]*`|@[\w:-]+")


def tells_results(text: Text, material: Material) -> bool:
    """Whether a text is of results, whose sentences are marked by their kind."""
    results = text.study is not None and text.path.stem in _RESULTS
    return results or text.name in (material.edition.summary, material.edition.slides)


def findings(checked: Checked) -> list[Finding]:
    """The findings on an edition's words: what cannot be true, or is for a person."""
    return TextChecks(checked.material).of_edition(checked)


@dataclass
class TextChecks:
    """The checks of an edition's texts, with the names that its studies have.

    What was found of a text stands while the text stays the same object.
    """

    material: Material
    _names: dict[str, Names] = field(default_factory=dict)
    _known: dict[str | None, DeclaredNumbers] = field(default_factory=dict)
    _found: dict[str, tuple[Text, list[Finding]]] = field(default_factory=dict)

    @cached_property
    def facts(self) -> dict[str, list[Fact]]:
        """The facts of each study."""
        facts = defaultdict[str, list[Fact]](list)
        for fact in self.material.facts.facts:
            facts[fact.study].append(fact)
        return facts

    @cached_property
    def _situations(self) -> list[Finding]:
        return list(check_situations(self.material))

    def for_unsaved(self) -> TextChecks:
        """Checks that know the same, for texts that nobody saved."""
        checks = copy(self)
        checks._found = {**self._found}
        return checks

    def of_edition(self, checked: Checked) -> list[Finding]:
        """The findings on the texts of an edition, then on its declarations."""
        texts = own_texts(checked.texts, self.material.edition)
        for name, text in texts.items():
            if self._found.get(name, (None, []))[0] is not text:
                self._found[name] = text, list(self.of_text(text))
        found = [one for name in texts for one in self._found[name][1]]
        waiting = unwritten_declarations(self.material)
        held = (Finding("held", "lint", issue) for issue in waiting)
        return [*found, *held, *self._situations]

    def of_text(self, text: Text) -> Iterator[Finding]:
        """The findings on a text."""
        for issue in unwritten_text(text, self.material.templates):
            yield Finding("held", "lint", issue)
        results = tells_results(text, self.material)
        for sentence in text.sentences:
            for one in self._sentence(text, sentence):
                place = Place(str(text.path), sentence.passage.line(one.at))
                fixes = print_fixes(self.material, text.study, one.number)
                first = f": {{{{ {fixes[0].write} }}}}" if fixes else ""
                mend = f"print it from its fact{first}" if one.number else _MEND
                severe: Severity = "error" if results or not one.number else "warning"
                yield Finding(severe, "lint", Issue(one.what, place, mend, fixes))

    def names(self, study: str) -> Names:
        """What words name in texts that print values of a study."""
        if study not in self._names:
            self._names[study] = Names.of(self.material, study)
        return self._names[study]

    def _sentence(self, text: Text, sentence: Sentence) -> Iterator[Typed]:
        words, span = sentence.passage.words, sentence.span
        facts = [fact for value in sentence.prints for fact in value.facts]
        studies = dict.fromkeys(fact.study for fact in facts)
        if not studies and text.study:
            studies = {text.study: None}
        for study in studies:
            own = words[span.start : span.end]
            named = self.names(study).mentions(own, span.start)
            reading = Assertion(
                words,
                span,
                [v for v in sentence.prints if v.facts and v.facts[0].study == study],
                named,
                self.material.studies[study],
                self.facts[study],
            )
            checks = mismatches(reading), clashes(reading), overreaches(reading)
            first: dict[int, str] = {}  # at a place one finding says enough
            for at, what in chain(*checks):
                first.setdefault(at, what)
            yield from (Typed(at, what) for at, what in first.items())
        bare = without_allowed(sentence.words, text.source.allow)
        bare = _CODE.sub(lambda found: " " * len(found[0]), _PRIVATE.sub(" ", bare))
        if text.study not in self._known:
            self._known[text.study] = DeclaredNumbers.of(self.material, text.study)
        named = self.names(text.study).mentions(bare) if text.study else []
        known, results = self._known[text.study], tells_results(text, self.material)
        for one in typed(bare, known, named, bool(facts), results):
            at = span.start + one.at
            claims = (c for place, c in sentence.passage.claimed if place.holds(at))
            if not (one.number and any(says(claim, one.number) for claim in claims)):
                yield replace(one, at=at)
