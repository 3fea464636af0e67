"""What stands against a review: comments that are open, approvals by nobody known."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.errors import Issue, Place
from analysis.report.claims.checked import Checked
from analysis.report.finding import Finding, Severity
from analysis.report.review.comments import COMMENTS, Thread, read_comments
from analysis.report.review.state import Reviews, folder_of

_SHOWN = 60  # characters of a comment


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
            yield Finding(severity_of(checked), "review", Issue(what, place, mend))


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
            yield Finding(severity_of(checked), "review", Issue(what, place, mend))


def severity_of(checked: Checked) -> Severity:
    """How bad it is that a review lacks something."""
    return "error" if checked.material.edition.status == "final" else "warning"
