"""What stands against reviews: approvals that lack, are stale or by nobody known, and
comments and suggestions that are open."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.errors import Issue, Place
from analysis.report.finding import Finding
from analysis.report.review.remarks import COMMENTS, Thread, read_comments
from analysis.report.review.state import Reviews, folder_of

_SHOWN = 60  # characters of a comment


def unapproved(states: Reviews) -> Iterator[Finding]:
    """Reviews that wait for an approval: a final edition needs every one."""
    folder = states.checked.material.folder
    for review in states.asked:
        place = folder / review.file
        mend = f"{'look at' if review.look else 'read'} it, then: {review.command}"
        if review.state == "draft":
            lacks = "".join(f"; {words}" for words in review.moved)
            what = f"{review.called} is not approved yet{lacks}"
            yield _finding(states, Issue(what, Place(str(place.parent)), mend))
        elif review.state == "stale":
            moved = "".join(f"\n  {words}" for words in review.moved)
            what = f"the approval of {review.called} is stale:{moved}"
            yield _finding(states, Issue(what, Place(str(place)), mend))


def doubts(states: Reviews) -> Iterator[Finding]:
    """Approvals by nobody whom an edition that names its reviewers knows; studies, or
    front and back matter, of which somebody says or suggests something still."""
    material = states.checked.material
    for review in states.asked if material.edition.reviewers else ():
        if review.record and not review.verified:
            names = (f"{t.approval.by} is unverified: {t.why}" for t in review.trust)
            what, place = f"{review.called}: {'; '.join(names)}", material.folder
            mend = (
                "let a reviewer approve it, or add who did to 'reviewers' in "
                "edition.yaml"
            )
            issue = Issue(what, Place(str(place / review.file)), mend)
            yield _finding(states, issue)
    for review in (*states.studies.values(), states.matter):
        folder = folder_of(material, None if review.matter else review.id)
        every = read_comments(folder).threads
        kinds = (
            ("comment", "answer and resolve", [o for o in every if o.asks]),
            ("suggestion", "accept or decline", [o for o in every if o.waits]),
        )
        for kind, verbs, threads in (one for one in kinds if one[-1]):
            many = f"{len(threads)} open {kind}{'s' if len(threads) > 1 else ''}"
            what = f"{review.called}: {many}: {'; '.join(map(_begun, threads))}"
            mend = f"{verbs}: python -m analysis desk"
            yield _finding(states, Issue(what, Place(str(folder / COMMENTS)), mend))


def _begun(thread: Thread) -> str:
    """Who began a thread, and its first words."""
    first = thread.said[0]
    said = first.words if thread.instead is None else thread.instead
    words = " ".join(said.split())
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
    return f"{first.by} ‘{shown}’"


def _finding(states: Reviews, issue: Issue) -> Finding:
    """A draft may lack an approval; a final edition may not."""
    final = states.checked.material.edition.status == "final"
    return Finding("error" if final else "warning", "review", issue)
