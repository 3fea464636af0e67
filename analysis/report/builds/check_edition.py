"""All checks of one edition's words, in one list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.errors import UserError
from analysis.report.checks.check import findings
from analysis.report.claims.checked import Checked, check_texts
from analysis.report.claims.outcome import Outcome
from analysis.report.document.assemble import composed
from analysis.report.finding import Finding
from analysis.report.material import Sources, read_material
from analysis.report.review.findings import doubts, unapproved
from analysis.report.review.state import Review, reviews


@dataclass(frozen=True)
class Checks:
    """The findings on one edition, its claims and its reviews."""

    edition: str
    findings: tuple[Finding, ...]
    final: bool = False
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    reviews: tuple[Review, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings are errors; in a final edition, what is held is one."""
        return sum(finding.stops(self.final) for finding in self.findings)

    @property
    def held(self) -> int:
        """How many findings a draft may have and a final edition may not."""
        found = [f for f in self.findings if f.severity == "held"]
        return 0 if self.final else len(found)


def check_edition(edition: str, sources: Sources) -> Checks:
    """Everything there is to say of an edition's words.

    Mistakes in its texts are findings too; a missing edition, facts or figures are a
    :class:`UserError`.
    """
    material = read_material(edition, sources)
    final = material.edition.status == "final"
    try:
        checked = check_texts(material)
        states = reviews(checked)
        composed(checked, states, sources.templates)
    except UserError as error:
        found = [Finding("error", "text", issue) for issue in error.issues]
        return Checks(edition, tuple(found), final)
    outcomes = [(s, outcome) for s, own in checked.outcomes.items() for outcome in own]
    reviewed = *unapproved(states), *doubts(states)
    every = [*findings(checked), *_claims(checked), *reviewed]
    return Checks(edition, tuple(every), final, tuple(outcomes), states.asked)


def _claims(checked: Checked) -> Iterator[Finding]:
    for issue in checked.false_claims():
        yield Finding("error", "claim", issue)
    for issue in checked.fragile_claims():
        yield Finding("warning", "claim", issue)
