"""A comparison in words: as plain text, and as Markdown for a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from analysis.publish.diff.comparison import (
    BuildComparison,
    ClaimMove,
    FigureMove,
    Move,
    TextMove,
)
from analysis.publish.diff.fact_changes import FactChange
from analysis.publish.diff.labels import Labels

NOTHING = "nothing changed"
FEW, MOST = 12, 100  # rows of a part that are not folded, and that are shown at all
_MARKS = {"better": "✓", "worse": "!", "neither": "·"}
_STATES = {None: "absent", "holds": "held", "fragile": "was fragile", "fails": "failed"}


def plain_text(found: BuildComparison) -> str:
    """The comparison for a terminal; ``nothing changed`` where nothing did."""
    if found.empty:
        return NOTHING
    lines = [title(found), totals(found), ""]
    for head, rows in sections(found):
        lines += [f"{head}:", *(f"  {row}" for row in rows), ""]
    for text in found.texts:
        lines += [f"{text.name}:", *(f"  {line}" for line in text_lines(text)), ""]
    return "\n".join(lines).rstrip()


def markdown(found: BuildComparison) -> str:
    """The comparison for a pull request."""
    if found.empty:
        return NOTHING.capitalize() + "."
    lines = [f"## {title(found)}", "", _escaped(totals(found)), ""]
    for head, rows in sections(found):
        items = [*(f"- {_escaped(row)}" for row in rows), ""]
        if len(rows) > FEW:
            items = [f"<details><summary>{len(rows)} lines</summary>", "", *items]
            items += ["</details>", ""]
        lines += [f"### {_escaped(head)}", "", *items]
    for text in found.texts:
        lines += [f"<details><summary>{escape(text.name)}</summary>", "", "```diff"]
        lines += [*(line.replace("```", "'''") for line in text_lines(text)), "```"]
        lines += ["", "</details>", ""]
    return "\n".join(lines).rstrip()


def title(found: BuildComparison) -> str:
    """Which two builds are compared."""
    a, b = found.before, found.after
    if a.edition == b.edition:
        return f"{a.edition}: build {a.id} → {b.id}"
    return f"{a.edition} {a.id} → {b.edition} {b.id}"


def totals(found: BuildComparison) -> str:
    """How much changed, in one line: ``12 facts (3 better, 4 worse, 5 other n), …``."""
    facts = found.visible_facts
    counts: Counter[str] = Counter()
    for change in facts:
        words = change.direction if change.kind == "moved" else change.kind
        counts[words] += words != "neither"
        counts["other verdict"] += change.verdict_changed
        counts["other origin"] += change.origin_changed
        counts.update(f"other {name}" for name, _, _ in change.evidence_moves)
    told = ", ".join(f"{n:,} {words}" for words, n in counts.items() if n)
    parts = []
    if facts:
        parts = [_many(len(facts), "fact") + (f" ({told})" if told else "")]
    numbers = {
        "claim": found.claims,
        "review": found.reviews,
        "figure": found.figures,
        "text": found.texts,
        "count of runs": found.runs,
        "raw file": found.raw,
        "format": found.formats,
    }
    parts += [_many(len(moved), name) for name, moved in numbers.items() if moved]
    return "Changed: " + ", ".join(parts or ["code alone"])


def _many(count: int, what: str) -> str:
    head, _, tail = what.partition(" of ")
    plural = f"{head}s of {tail}" if tail else f"{what}s"
    return f"{count:,} {what if count == 1 else plural}"


def sections(found: BuildComparison) -> Iterator[tuple[str, list[str]]]:
    """Heading and rows of each part that has any; texts and pictures are not in it.

    Of a long part the first rows, and how many more there are.
    """
    for study, changes in by_study(found):
        words = [fact_words(change, found.labels) for change in changes]
        yield f"Facts of {found.labels.study(study)} ({len(changes)})", capped(words)
    hidden = len(found.facts) - len(found.visible_facts)
    if hidden:
        moved = f"{_many(hidden, 'fact')} moved by less than the report prints"
        yield "Facts that look the same", [moved]
    parts = (
        ("Claims", [claim_words(claim) for claim in found.claims]),
        ("Reviews", [review_words(move) for move in found.reviews]),
        ("Figures", [figure_words(figure) for figure in found.figures]),
        ("Texts", [f"{text.name} changed" for text in found.texts]),
        ("Runs", [_moved(move) for move in found.runs]),
        ("Campaigns", [_moved(move) for move in found.origins]),
        ("Raw files", list(_counted(found.raw))),
        ("Formats", [_moved(move) for move in found.formats]),
        ("Code and programs", [_moved(move) for move in found.code]),
    )
    for head, rows in parts:
        if rows:
            yield head, capped(rows)


def by_study(found: BuildComparison) -> list[tuple[str, list[FactChange]]]:
    """The facts whose change can be seen, by study: in the order of the report."""
    groups: dict[str, list[FactChange]] = {}
    for change in found.visible_facts:
        groups.setdefault(change.fact.study, []).append(change)
    order = list(found.labels.studies)
    known = {id: place for place, id in enumerate(order)}
    return sorted(groups.items(), key=lambda group: known.get(group[0], len(order)))


def capped(rows: list[str]) -> list[str]:
    """The first rows, and how many more there are."""
    more = len(rows) - MOST
    told = [f"and {more:,} more; --format json has all"] if more > 0 else []
    return [*rows[:MOST], *told]


def text_lines(text: TextMove) -> list[str]:
    """The lines of a text that changed, and how many more there are."""
    return capped(list(text.lines))


def fact_words(change: FactChange, labels: Labels) -> str:
    """``! Latency, RR10(100B): B: 211 µs → 230 µs, worse, beyond noise``."""
    fact, name = change.fact, labels.fact(change.fact)
    if change.kind != "moved" or not (change.before and change.after):
        return f"· {name}: {change.kind}, {fact.printed} ({fact.origin})"
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
    parts += [f"{what} {old} → {new}" for what, old, new in change.evidence_moves]
    return f"{_MARKS[change.direction]} {name}: {', '.join(parts)}"


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
    for move in raw:
        kind = "changed"
        if move.before is None or move.after is None:
            kind = "new" if move.after else "gone"
        yield f"{move.name}: {kind}"


def _moved(move: Move) -> str:
    return f"{move.name}: {move.before or 'absent'} → {move.after or 'absent'}"


def _escaped(text: str) -> str:
    for mark in "\\*_`<>|":
        text = text.replace(mark, f"\\{mark}")
    return text
