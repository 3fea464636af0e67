"""A comparison in words: as plain text, and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from analysis.publish.diff.comparison import ClaimMove, Comparison, FigureMove, Move
from analysis.publish.diff.fact_changes import FactChange

NOTHING = "nothing changed"
_MARKS = {"better": "▲", "worse": "▼", "neither": "·"}
_STATES = {None: "absent", "holds": "held", "fragile": "was fragile", "fails": "failed"}


def plain_text(found: Comparison) -> str:
    """The comparison for a terminal; ``nothing changed`` where nothing did."""
    if found.empty:
        return NOTHING
    lines = [title(found), ""]
    for head, rows in sections(found):
        lines += [f"{head}:", *(f"  {row}" for row in rows), ""]
    for text in found.texts:
        lines += [f"{text.name}:", *(f"  {line}" for line in text.lines), ""]
    return "\n".join(lines).rstrip()


def markdown(found: Comparison) -> str:
    """The comparison for a pull request."""
    if found.empty:
        return NOTHING.capitalize() + "."
    lines = [f"## {title(found)}", ""]
    for head, rows in sections(found):
        lines += [f"### {head}", "", *(f"- {_escaped(row)}" for row in rows), ""]
    for text in found.texts:
        lines += [f"<details><summary>{escape(text.name)}</summary>", "", "```diff"]
        lines += [*(line.replace("```", "'''") for line in text.lines), "```"]
        lines += ["", "</details>", ""]
    return "\n".join(lines).rstrip()


def title(found: Comparison) -> str:
    """Which two builds are compared."""
    a, b = found.before, found.after
    if a.edition == b.edition:
        return f"{a.edition}: build {a.id} → {b.id}"
    return f"{a.edition} {a.id} → {b.edition} {b.id}"


def sections(found: Comparison) -> Iterator[tuple[str, list[str]]]:
    """Heading and rows of each part that has any; texts and pictures are not in it."""
    facts = [fact_words(change) for change in found.visible_facts]
    hidden = len(found.facts) - len(facts)
    if hidden:
        moved = "fact moved" if hidden == 1 else "facts moved"
        facts.append(f"{hidden} more {moved} by less than the report prints")
    parts = (
        (f"Facts ({len(found.visible_facts)})", facts),
        ("Claims", [claim_words(claim) for claim in found.claims]),
        ("Reviews", [review_words(move) for move in found.reviews]),
        ("Figures", [figure_words(figure) for figure in found.figures]),
        ("Texts", [f"{text.name} changed" for text in found.texts]),
        ("Raw files", list(_counted(found.raw))),
        ("Formats", [_moved(move) for move in found.formats]),
        ("Code and programs", [_moved(move) for move in found.code]),
    )
    for head, rows in parts:
        if rows:
            yield head, rows


def fact_words(change: FactChange) -> str:
    """``▼ offload.rr…: 211 µs → 230 µs, worse, beyond noise``."""
    fact = change.fact
    if change.kind != "moved" or not (change.before and change.after):
        return f"· {change.key}: {change.kind}, {fact.printed} ({fact.origin})"
    before, after = change.before, change.after
    parts = [f"{before.printed} → {after.printed}"]
    if change.direction != "neither":
        parts.append(change.direction)
    noise = {True: "beyond noise", False: "within noise", None: "noise unknown"}
    parts.append(noise[change.beyond_noise])
    if change.verdict_changed:
        parts.append(f"{before.verdict or 'no verdict'} → {after.verdict or 'none'}")
    if change.origin_changed:
        parts.append(f"origin {before.origin} → {after.origin}")
    return f"{_MARKS[change.direction]} {change.key}: {', '.join(parts)}"


def claim_words(claim: ClaimMove) -> str:
    """What became of a claim."""
    if claim.before is None or claim.after is None:
        what = "is new and " + str(claim.after) if claim.after else "is gone"
        return f"{claim.study}: ‘{claim.claim}’ {what}"
    return (
        f"{claim.study}: ‘{claim.claim}’ {_STATES[claim.before]}, "
        f"now {claim.after}: {claim.data}"
    )


def review_words(move: Move) -> str:
    """What became of a review."""
    if move.before == "approved" and move.after == "stale":
        return f"{move.name}: the approval is void"
    return f"{move.name}: {move.before or 'absent'} → {move.after or 'absent'}"


def figure_words(figure: FigureMove) -> str:
    """What became of a figure."""
    if figure.before is None or figure.after is None:
        return f"{figure.id} is {'new' if figure.after else 'gone'}"
    if not figure.rows:
        return f"{figure.id}: drawn anew, its data are the same"
    return f"{figure.id}: {figure.rows} rows of data differ"


def _counted(raw: tuple[Move, ...]) -> Iterator[str]:
    for move in raw[:20]:
        kind = "changed"
        if move.before is None or move.after is None:
            kind = "new" if move.after else "gone"
        yield f"{move.name}: {kind}"
    if len(raw) > 20:
        yield f"and {len(raw) - 20} more"


def _moved(move: Move) -> str:
    return f"{move.name}: {move.before or 'absent'} → {move.after or 'absent'}"


def _escaped(text: str) -> str:
    for mark in "\\*_`<>|":
        text = text.replace(mark, f"\\{mark}")
    return text
