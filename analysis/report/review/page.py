"""What a page shows of a review: one line, with a link to where it is done."""

from __future__ import annotations

from analysis.facts.units import date_text, how_many
from analysis.report.git_host import comment_link, edit_link, new_link
from analysis.report.material import Material
from analysis.report.review.state import MATTER, Review
from analysis.report.table import escape

_KNOWN = {"signed": ", signed", "listed": "", "unverified": ", unverified"}
_BY = "by: Your Name\ndate: 2026-01-31\n"  # for the reader to change


def review_line(review: Review, material: Material, own: str = "") -> str:
    """One line of a record; in a draft it leads to the desk, or else the Git host.

    ``own`` says how many sentences are their author's own words.
    That of front and back matter says so; it is empty where nobody asks for it.
    """
    draft = material.edition.status == "draft"
    if not (review.asked or draft):
        return ""
    if review.record is None:
        words = "Review: draft, not approved yet" if draft else "Not reviewed"
    elif review.state == "approved":
        words = f"Reviewed by {_who(review)}"
    elif review.lacking:
        words = f"Review: approved by {_who(review)}, {review.moved[0]}"
    elif draft:
        moved = how_many(len(review.moved), "thing")
        words = f"Review: {moved} moved since {_who(review)} approved it"
    else:
        whose = "their" if review.matter else "its"
        words = f"Reviewed before {whose} numbers or words changed"
    if review.matter:
        plain = words.removeprefix("Review: ")
        words = f"{MATTER.capitalize()}: {plain[0].lower()}{plain[1:]}"
    if own and review.state != "approved":
        words += f"; {own}, with dots below"
    links = " · ".join(_links(review, material)) if draft else ""
    return f"[{words}.]{{.reviewed .{review.state}}} {links}".rstrip()


def look_line(look: Review) -> str:
    """What pages say at the top where nobody approved how they look now."""
    if look.state == "approved":
        return ""
    first, *others = look.moved
    more = f"; {len(others)} more" if others else ""
    return f"The look of these pages changed after they were approved ({first}{more})."


def _links(review: Review, material: Material) -> list[str]:
    """Links to the review at the desk, or to an approval and a comment at the host."""
    edition = material.edition
    if edition.desk:
        at = f"{edition.desk.rstrip('/')}/{material.id}/review#review-{review.id}"
        return [f"[Review it at the desk]({at})"]
    if not edition.repo_url:
        return []
    file = (material.folder / review.file).as_posix()
    lines = f"{_BY}stamp: {review.now.stamp}\n"
    new = new_link(edition, file, lines)
    approval = edit_link(edition, file) if review.record else new
    links = [f"[Comment on it]({comment_link(edition, f'Review of {review.called}')})"]
    if review.state != "approved":
        links.insert(0, f"[Approve it at the Git host]({approval})")
    return links


def _who(review: Review) -> str:
    return " and ".join(
        f"{escape(one.approval.by)} on {date_text(one.approval.date)}"
        f"{_KNOWN[one.level]}"
        for one in review.trust
    )
