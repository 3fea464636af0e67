"""What a page shows of a review: a draft all of it, a final edition a line."""

from __future__ import annotations

from analysis.facts.units import date_text
from analysis.report.checks.claims import Checked
from analysis.report.git_host import comment_link, edit_link, new_link
from analysis.report.language.claim import Outcome
from analysis.report.review.sentences import ReadClaim, read_claim
from analysis.report.review.state import MATTER, Review
from analysis.report.table import WIDE_STYLE, Column, Notes, escape, table

_SHOWN = 12
_LINES = 200  # of one text: a longer one no declaration may have
_KNOWN = {"signed": ", signed", "listed": "", "unverified": ", unverified"}


def review_line(review: Review, draft: bool, own: str = "") -> str:
    """One line of a record; a draft folds :func:`review_section` besides.

    ``own`` says how many sentences are their author's own words.
    That of front and back matter says so; it is empty where nobody asks for it.
    """
    if not (review.asked or draft):
        return ""
    if review.record is None:
        words = "Review: draft, not approved yet" if draft else "Not reviewed"
    elif review.state == "approved":
        words = f"Reviewed by {_who(review)}"
    elif review.lacking:
        words = f"Review: approved by {_who(review)}, {review.moved[0]}"
    elif draft:
        words = f"Review: stale, approved by {_who(review)}"
    else:
        whose = "their" if review.matter else "its"
        words = f"Reviewed before {whose} numbers or words changed"
    if review.matter:
        plain = words.removeprefix("Review: ")
        words = f"{MATTER.capitalize()}: {plain[0].lower()}{plain[1:]}"
    if own and review.state != "approved":
        words += f"; {own}, with dots below"
    return f"[{words}.]{{.reviewed .{review.state}}}"


def look_line(look: Review) -> str:
    """What pages say at the top where nobody approved how they look now."""
    if look.state == "approved":
        return ""
    first, *others = look.moved
    more = f"; {len(others)} more" if others else ""
    return f"The look of these pages changed after they were approved ({first}{more})."


def review_section(review: Review, checked: Checked, look: Review | None = None) -> str:
    """The draft's section: the claims with their margins, and the state of review.

    That of front and back matter has the state of the ``look``, too.
    """
    if review.matter:
        parts = [_state(review), _state(look) if look else ""]
    else:
        parts = [_claims(review.id, checked), _state(review)]
    return "\n\n".join(filter(None, [*parts, _at_host(review, checked)]))


def _claims(study: str, checked: Checked) -> str:
    outcomes = checked.outcomes[study]
    if not outcomes:
        return "The observations make no claims."
    notes = Notes()
    columns: list[Column[tuple[Outcome, ReadClaim]]] = [
        Column("Claim", 34, lambda row: escape(row[1].claim)),
        Column("Verdict", 9, lambda row: _verdict(row[0], notes)),
        Column("The data say", 26, lambda row: escape(row[1].data)),
        Column("The claim demands", 24, lambda row: escape(row[1].demanded)),
        Column("Margin", 12, lambda row: row[0].margin, number=True),
    ]
    rows = [(outcome, read_claim(outcome, checked.material)) for outcome in outcomes]
    # Only drafts have this table: a number would move those of all others.
    caption = "Claims, checked by this build."
    return str(table(columns, rows, caption, "", notes, WIDE_STYLE))


def _verdict(outcome: Outcome, notes: Notes) -> str:
    """``holds``, or ``fragile`` in bold with a note that says why."""
    if not outcome.fragile:
        return outcome.state
    why = outcome.fragile[0].upper() + outcome.fragile[1:]
    return f"**fragile**{notes.mark([why])}"


def _state(review: Review) -> str:
    """What holds of a review and, unless it is approved, how to approve it."""
    approved = f"Approved by {_who(review)}"
    if review.state == "approved":
        title, body = "Approved", f"By {_who(review)}. Nothing moved since."
    elif review.state == "stale":
        shown = [f"- {escape(words)}" for words in review.moved[:_SHOWN]]
        if more := review.moved[_SHOWN:]:
            shown.append(f"- and {len(more)} more")
        title = "Approval is stale"
        body = "\n".join([f"{approved}. Since then:\n", *shown])
    elif review.lacking:
        title = "Not approved by enough yet"
        body = f"{approved}; {review.moved[0]}."
    else:
        title = "Not approved yet"
        body = f"Nobody has approved {MATTER if review.matter else 'this study'}."
    if review.look:
        title = f"{title}: {review.name}"
    parts = [body]
    for one in review.trust:
        if not one.verified:
            parts.append(f"{escape(one.approval.by)} is unverified: {escape(one.why)}.")
    if review.state != "approved":
        parts.append(
            f"To approve what this page shows: `{review.command}`. Without a terminal, "
            f"put the lines that the web page shows, "
            f"with your name and the day, in `{review.file}`."
        )
    tone = "warning" if review.state == "stale" else "note"
    text = "\n\n".join(parts)
    box = f"::: {{.callout-{tone}}}\n## {title}\n{text}\n:::"
    return box if review.state == "approved" else f"{box}\n\n{_to_copy(review)}"


_BY = "by: Your Name\ndate: 2026-01-31\n"  # for the reader to change
_DOTTED = (
    "Sentences with dots below are their author's own words: no data check them, so "
    "please do. Those with finer dots rest on the values that follow them."
)


def _to_copy(review: Review) -> str:
    """What one copies from the web page; on paper nobody could."""
    lines = review.now.packed.splitlines()
    pieces = [lines[at : at + _LINES] for at in range(0, len(lines), _LINES)]
    head = "packed: |\n" if len(pieces) == 1 else "packed:\n"
    begin = "" if len(pieces) == 1 else "- |\n"
    packed = "".join(begin + "".join(f"  {one}\n" for one in own) for own in pieces)
    dotted = "" if review.look else f"{_DOTTED}\n\n"
    return (
        f"::::: {{.html-only}}\n{dotted}"
        f"```{{.approval}}\n{_BY}stamp: {review.now.stamp}\n{head}{packed}```\n:::::"
    )


def _at_host(review: Review, checked: Checked) -> str:
    """Links that begin an approval and a comment at the Git host, if there is one."""
    edition = checked.material.edition
    if not edition.repo_url or edition.status != "draft":
        return ""
    file = (checked.material.folder / review.file).as_posix()
    lines = f"{_BY}stamp: {review.now.stamp}\n"
    new = new_link(edition, file, lines)
    approval = edit_link(edition, file) if review.record else new
    links = [f"[Comment on it]({comment_link(edition, f'Review of {review.called}')})"]
    if review.state != "approved":
        links.insert(0, f"[Approve at the Git host]({approval})")
    return f"::: {{.edit-link}}\n{' · '.join(links)}\n:::"


def _who(review: Review) -> str:
    return " and ".join(
        f"{escape(one.approval.by)} on {date_text(one.approval.date)}"
        f"{_KNOWN[one.level]}"
        for one in review.trust
    )
