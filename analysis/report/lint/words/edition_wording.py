"""What the checks of wording know of an edition, made once for all of its texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from analysis.facts.fact import Fact
from analysis.report.claims.checked import Checked
from analysis.report.lint.words.account import KnownAnswers
from analysis.report.lint.words.declared_words import declared_texts, declared_words
from analysis.report.lint.words.made import DeclaredCampaigns, declared_campaigns
from analysis.report.lint.words.mention import Mention
from analysis.report.lint.words.prints import Print, Prints
from analysis.report.lint.words.stand import Stand, stand_of
from analysis.report.lint.words.text_blocks import Span
from analysis.report.lint.words.vocabulary import EditionNames, vocabulary


class EditionWording:
    """The words, changes and claims of an edition.

    What rests on declarations and facts alone is kept with them for the next time.
    """

    def __init__(self, checked: Checked) -> None:
        self.checked, self.material = checked, checked.material
        once = checked.material.once
        self.prints: Prints = once("prints", lambda: Prints(checked.material))
        self._vocabularies: dict[str | None, EditionNames] = once("vocabularies", dict)
        self._known: dict[str | None, KnownAnswers] = once("known answers", dict)
        self._declared: dict[str | None, frozenset[str]] = once("declared words", dict)

    def vocabulary_of(self, study: str | None) -> EditionNames:
        """What the texts of a study, or all other texts, may name."""
        if study not in self._vocabularies:
            studies = [study] if study else list(self.material.studies)
            self._vocabularies[study] = vocabulary(self.material, studies)
        return self._vocabularies[study]

    def declared_words(self, study: str | None) -> frozenset[str]:
        """The words, in small letters, of what is declared of a study, or of all."""
        if study not in self._declared:
            studies = [study] if study else list(self.material.studies)
            self._declared[study] = declared_words(self.material, studies)
        return self._declared[study]

    def foreign(self, study: str | None) -> frozenset[str]:
        """The configurations of a study's campaigns that it does not compare."""
        if study is None:
            return frozenset()
        declared = self.material.studies[study]
        every = {
            re.escape(id)
            for name in declared.campaigns
            for id in self.material.campaigns[name].configurations
        }
        return frozenset(every.difference(map(re.escape, declared.configurations)))

    def strangers(
        self,
        words: str,
        sentence: Span,
        printed: Iterable[Print],
        own: str | None,
    ) -> list[Mention]:
        """Names of configurations that the studies of printed values do not have."""
        ids = {fact.study for p in printed for fact in p.facts}
        ids |= {p.named["study"] for p in printed if p.named and p.named["study"]}
        studies = self.material.studies
        if not ids or (own is not None and ids != {own}):
            return []
        known = {c for id in ids for c in studies[id].configurations}
        told = self._labels(own)
        own_terms = [m for id in ids for m in self._configurations(words, id)]
        return [
            m
            for m in self._configurations(words, None)
            if sentence.holds(m.start)
            and (own is None or not (m.loose or m.names & known or m.text in told))
            and not any(m.start < o.end and o.start < m.end for o in own_terms)
        ]

    def _labels(self, study: str | None) -> str:
        """The declared texts of what a study compares, one after the other."""
        return " / ".join(declared_texts(self.material, [study] if study else []))

    def _configurations(self, words: str, study: str | None) -> list[Mention]:
        found = self.vocabulary_of(study).mentions(words)
        return [m for m in found if m.dimension == "configuration"]

    @property
    def campaigns(self) -> DeclaredCampaigns:
        """What the campaigns were made with."""
        own = self.material.campaigns.values()
        return self.material.once("made with", lambda: declared_campaigns(own))

    def known(self, study: str | None) -> KnownAnswers:
        """What answers the account of an author, in texts of a study or in others."""
        if study not in self._known:
            of = self.material
            facts = (f for f in of.facts.facts if study in (None, f.study))
            known = KnownAnswers.of(dict(of.studies), of.campaigns, facts)
            self._known[study] = known
        return self._known[study]

    @cached_property
    def changes(self) -> dict[str, list[Fact]]:
        """All changes, by study."""
        found: dict[str, list[Fact]] = {id: [] for id in self.material.studies}
        for fact in self.material.facts.facts:
            if fact.kind == "delta":
                found[fact.study].append(fact)
        return found

    @cached_property
    def stands(self) -> dict[str, Stand]:
        """What the claims of each study stand for."""
        return {
            id: stand_of(outcomes) for id, outcomes in self.checked.outcomes.items()
        }

    def meant(self, named: Iterable[Mention], printed: Iterable[Print]) -> list[str]:
        """The studies that words of no study's text speak of: those named, or all."""
        studies, mentions = self.material.studies, list(named)
        found = {n for m in mentions if m.dimension == "study" for n in m.names}
        values = {fact.study for found in printed for fact in found.facts}
        sides = {
            id
            for m in mentions
            if m.dimension == "configuration"
            for id, study in studies.items()
            if m.names & set(study.configurations)
        }
        return sorted(found or values or sides) or list(studies)
