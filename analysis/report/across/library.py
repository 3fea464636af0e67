"""All editions that have facts: their declarations, studies, configurations, facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.declared.campaign import Campaign, Configuration
from analysis.declared.checks import unknown_name
from analysis.declared.edition import Edition, find_editions, read_edition, read_studies
from analysis.declared.metrics import Metric, read_metrics
from analysis.declared.questions import (
    AskedStudy,
    NamedArm,
    OmittedStudy,
    SharedQuestion,
    place_of,
)
from analysis.declared.study import Study
from analysis.errors import Issue, Place
from analysis.facts.evidence import read_evidence
from analysis.facts.fact import Facts, evidence_of, read_facts
from analysis.facts.sentences import labelled
from analysis.report.beside.answers import SEARCH, SearchIndex, read_index


@dataclass(frozen=True)
class Library:
    """What reports of all editions rest on."""

    report: Path
    facts_file: Path
    _indexes: dict[str, SearchIndex] = field(default_factory=dict)

    @cached_property
    def editions(self) -> dict[str, Edition]:
        """Every edition by its id."""
        return {i: read_edition(self.report / i) for i in find_editions(self.report)}

    @cached_property
    def studies(self) -> dict[tuple[str, str], Study]:
        """Every study by edition and id, also those that an edition borrows."""
        return {
            (id, study): own
            for id, edition in self.editions.items()
            for study, own in read_studies(self.report / id, edition).items()
        }

    @cached_property
    def facts(self) -> Facts:
        """All facts."""
        return read_facts(self.facts_file)

    @cached_property
    def built(self) -> set[str]:
        """The editions that have facts."""
        return {fact.edition for fact in self.facts.facts}

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """All metrics."""
        return read_metrics()

    @cached_property
    def _campaigns(self) -> dict[str, Campaign]:
        evidence = read_evidence(evidence_of(self.facts_file), dict(self.facts.digests))
        return {name: found.declared for name, found in evidence.items()}

    def details(self, arm: NamedArm) -> dict[str, str]:
        """What is declared of a configuration, by what it is of."""
        found = self._configuration(arm)
        return {k: str(value) for k, value in found.details.items()} if found else {}

    def label(self, arm: NamedArm) -> str:
        """What a configuration is called; its id where nothing declares it."""
        found = self._configuration(arm)
        return found.label if found else arm.configuration

    def _configuration(self, arm: NamedArm) -> Configuration | None:
        for name in self.studies[arm.edition, arm.study].campaigns:
            known = self._campaigns[name].configurations
            if arm.configuration in known:
                return known[arm.configuration]
        return None

    def name(self, edition: str) -> str:
        """What an edition is called in few words: its title without what it is, and the
        year of what it reports."""
        declared = self.editions[edition]
        own = self.facts.of_homes(declared.homes(edition))
        year = declared.year or declared.date.year
        return labelled(f"{declared.title.partition(':')[0]}, {year}", own.origins())

    def page(self, edition: str, study: str) -> str:
        """Where readers find a study, from the list of all editions: its section; of
        slides, which have none, its rows of the explorer."""
        if self.editions[edition].slides:
            return f"{edition}/explorer.html?study={study}"
        return f"{edition}/index.html#sec-{study}"

    def answer(self, edition: str, study: str) -> str:
        """The question of a study and how its answer begins on the page that was built,
        as a yes is one to that question alone; empty without an answer."""
        if edition not in self._indexes:
            path = self.report / "build" / edition / SEARCH
            text = path.read_bytes() if path.is_file() else None
            self._indexes[edition] = read_index(text) or SearchIndex()
        found = (s for s in self._indexes[edition].studies if s.id == study)
        told = (f"{s.question} {s.finding}".strip() for s in found if s.finding)
        return next(told, "")

    def mistakes(self, question: SharedQuestion, n: int, node: Any) -> Iterator[Issue]:
        """Names in a question, the one at ``n`` of the file, that nobody declared."""
        for m, asked in enumerate(question.of):
            place = place_of(self.report, node, n, "of", m)
            yield from self._of(asked, asked.tests, place)
        for m, left in enumerate(question.omitted):
            yield from self._of(left, (), place_of(self.report, node, n, "omitted", m))
        for m, pair in enumerate(question.same):
            place = place_of(self.report, node, n, "same", m)
            for arm in pair:
                yield from self._of(arm, (arm.configuration,), place)
        for metric in question.metrics:
            if metric not in self.metrics:
                place = place_of(self.report, node, n, "metrics")
                yield unknown_name("metric", metric, list(self.metrics), place)

    def _of(
        self,
        one: AskedStudy | NamedArm | OmittedStudy,
        configurations: tuple[str, ...],
        place: Place,
    ) -> Iterator[Issue]:
        if one.edition not in self.editions:
            yield unknown_name("edition", one.edition, list(self.editions), place)
            return
        own = list(self.editions[one.edition].own_studies)
        if one.study not in own:
            yield unknown_name(f"study of {one.edition}", one.study, own, place)
            return
        known = list(self.studies[one.edition, one.study].configurations)
        for id in configurations:
            if id not in known:
                yield unknown_name(f"configuration of {one.study}", id, known, place)
