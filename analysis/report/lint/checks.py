"""All checks of one edition's words, in one list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.errors import Issue, Place, UserError
from analysis.report.checks.finding import Finding, Severity
from analysis.report.claims.checked import Checked, begin_checks
from analysis.report.claims.outcome import Outcome
from analysis.report.document.assemble import composed
from analysis.report.lint.kept_findings import KeptFindings
from analysis.report.material import Sources, read_material
from analysis.report.review.comments import COMMENTS, Thread, read_comments
from analysis.report.review.state import Review, Reviews, folder_of, reviews

_SHOWN = 60  # characters of a comment


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
        checked = begin_checks(material)
        states = reviews(checked)
        composed(checked, states, sources.templates, {})
    except UserError as error:
        found = [Finding("error", "text", issue) for issue in error.issues]
        return Checks(edition, tuple(found), final)
    outcomes = [(s, outcome) for s, own in checked.outcomes.items() for outcome in own]
    findings = (*lint(checked), *_claims(checked), *_reviews(checked, states))
    return Checks(edition, findings, final, tuple(outcomes), states.asked)


def lint(checked: Checked) -> list[Finding]:
    """The findings on wording: what cannot be true, or is for a person."""
    return KeptFindings().lint(checked)


def _claims(checked: Checked) -> Iterator[Finding]:
    for issue in checked.false_claims():
        yield Finding("error", "claim", issue)
    for issue in checked.fragile_claims():
        yield Finding("warning", "claim", issue)


def _reviews(checked: Checked, states: Reviews) -> Iterator[Finding]:
    """A final edition needs every approval; a draft may wait for them."""
    severity = _severity(checked)
    for review in states.asked:
        place = checked.material.folder / review.file
        mend = f"{'look at' if review.look else 'read'} it, then: {review.command}"
        if review.state == "draft":
            lacks = "".join(f"; {words}" for words in review.moved)
            what = f"{review.called} is not approved yet{lacks}"
            place = place.parent
            yield Finding(severity, "review", Issue(what, Place(str(place)), mend))
        elif review.state == "stale":
            moved = "".join(f"\n  {words}" for words in review.moved)
            what = f"the approval of {review.called} is stale:{moved}"
            yield Finding(severity, "review", Issue(what, Place(str(place)), mend))
    yield from unverified(checked, states)
    yield from open_comments(checked, states)


def open_comments(checked: Checked, states: Reviews) -> Iterator[Finding]:
    """Studies, or front and back matter, of which somebody says something still."""
    for review in (*states.studies.values(), states.matter):
        study = None if review.matter else review.id
        folder = folder_of(checked.material, study)
        threads = [o for o in read_comments(folder).threads if o.state == "open"]
        if threads:
            many = f"{len(threads)} open comment{'s' if len(threads) > 1 else ''}"
            what = f"{review.called}: {many}: {'; '.join(map(_begun, threads))}"
            mend = "answer and resolve: python -m analysis desk"
            place = Place(str(folder / COMMENTS))
            yield Finding(_severity(checked), "review", Issue(what, place, mend))


def _begun(thread: Thread) -> str:
    """Who began a thread, and its first words."""
    first = thread.said[0]
    words = " ".join(first.words.split())
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
    return f"{first.by} ‘{shown}’"


def unverified(checked: Checked, states: Reviews) -> Iterator[Finding]:
    """Approvals by nobody whom an edition that names its reviewers knows."""
    if not checked.material.edition.reviewers:
        return
    mend = "let a reviewer approve it, or add who did to 'reviewers' in edition.yaml"
    for review in states.asked:
        if review.record and not review.verified:
            told = [
                f"{one.approval.by} is unverified: {one.why}" for one in review.trust
            ]
            what = f"{review.called}: {'; '.join(told)}"
            place = Place(str(checked.material.folder / review.file))
            yield Finding(_severity(checked), "review", Issue(what, place, mend))


def _severity(checked: Checked) -> Severity:
    return "error" if checked.material.edition.status == "final" else "warning"
