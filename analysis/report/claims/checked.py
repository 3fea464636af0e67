"""The claims of an edition with their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from analysis.errors import Issue, Place, UserError, raise_if
from analysis.report.claims.evaluate import evaluate
from analysis.report.claims.outcome import Outcome
from analysis.report.claims.parse import parse_claim
from analysis.report.claims.wording import failure, fragility
from analysis.report.expressions.lookup import UnknownError
from analysis.report.material import Material
from analysis.report.text.texts import OBSERVATIONS, Text, begin_texts, study_text


@dataclass(frozen=True)
class Checked:
    """An edition's texts, and the outcomes of each study's claims.

    ``disagreements`` waits for Pandoc, and gives the issues of texts that it reads in
    another way; :func:`analysis.report.document.compose.compose` raises them.
    """

    material: Material
    texts: Mapping[str, Text]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    disagreements: Callable[[], list[Issue]] = list

    def observations(self, study: str) -> Text:
        """The observations of a study."""
        return self.texts[study_text(study, OBSERVATIONS)]

    def false_claims(self) -> list[Issue]:
        """One issue for each claim that the facts contradict."""
        return [
            failure(outcome, self.observations(study).path)
            for study, outcomes in self.outcomes.items()
            for outcome in outcomes
            if not outcome.holds
        ]

    def fragile_claims(self) -> list[Issue]:
        """One issue for each claim that holds by less than its declared margin."""
        return [
            fragility(outcome, self.observations(study).path)
            for study, outcomes in self.outcomes.items()
            for outcome in outcomes
            if outcome.state == "fragile"
        ]


def check_texts(
    material: Material, known: Mapping[str, Text] = MappingProxyType({})
) -> Checked:
    """The texts and claims of an edition; false claims are outcomes, not errors.

    A :class:`UserError` where a text or a claim cannot be understood. ``known`` are
    texts that were read before, as for :func:`begin_texts`.
    """
    checked = begin_checks(material, known)
    raise_if(checked.disagreements())
    return checked


def begin_checks(
    material: Material,
    known: Mapping[str, Text] = MappingProxyType({}),
    unsaved: Mapping[str, str] = MappingProxyType({}),
    last: Checked | None = None,
) -> Checked:
    """As :func:`check_texts`, but Pandoc still reads new texts when this returns.

    ``unsaved`` are texts by name that are read instead of their files; ``last`` is what
    was checked before, whose outcomes stand where facts and text are the same.
    """
    texts, disagreements = begin_texts(material, known, unsaved)
    outcomes: dict[str, tuple[Outcome, ...]] = {}
    issues: list[Issue] = []
    for study in material.studies:
        text = texts[study_text(study, OBSERVATIONS)]
        if last and last.material is material and last.observations(study) is text:
            outcomes[study] = last.outcomes[study]
            continue
        try:
            outcomes[study] = evaluate_claims(material, study, text)
        except UserError as error:
            issues += error.issues
    raise_if(issues)
    return Checked(material, texts, outcomes, disagreements)


def evaluate_claims(material: Material, study: str, text: Text) -> tuple[Outcome, ...]:
    """The outcomes of the claims in a text, in their order."""
    scope, least = material.scope(study), material.studies[study].claims.margin
    outcomes: list[Outcome] = []
    issues: list[Issue] = []
    for line, words in text.source.claims:
        try:
            claim = parse_claim(words, material.metrics, line)
            outcomes.append(evaluate(claim, scope, least))
        except UnknownError as error:
            what = f"{error}\n  in the claim: {words}"
            issues.append(Issue(what, Place(str(text.path), line), error.mend))
    raise_if(issues)
    return tuple(outcomes)
