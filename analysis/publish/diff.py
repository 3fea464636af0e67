"""Compare two builds or releases of an edition: facts, claims, reviews, figures, texts,
raw files and code. Both are folders with manifest.json.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from analysis.files.atomic import write_text
from analysis.publish.build import read_build
from analysis.publish.comparison import (
    BuildComparison,
    ClaimMove,
    FactChange,
    FigureMove,
    Labels,
    Move,
    TextMove,
    compare,
)
from analysis.report.pages.html_page import Filters, html_page

NOTHING = "nothing changed"
FEW, MOST = 12, 100  # rows of a part that are not folded, and that are shown at all
_DRAWN = 24  # figures that a page shows; of more, how many
_MARKS = {"better": "✓", "worse": "!", "neither": "·"}
_STATES = {"holds": "held", "fragile": "was fragile", "fails": "failed"}
_REST = ("Runs", "Campaigns", "Raw files", "Formats", "Code and programs")
_SCHEMA = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis diff``."""
    parser.add_argument("before", type=Path, help="folder of a build or release")
    parser.add_argument("after", type=Path, help="folder of a build or release")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown", "html"), default="text"
    )
    parser.add_argument("--out", type=Path, help="write to this file, not the terminal")
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument(
        "--exit-code", action="store_true", help="end with 1 where anything changed"
    )


def run(args: argparse.Namespace) -> int:
    """Print or write the comparison; 0, or 1 with --exit-code where builds differ."""
    comparison = compare(read_build(args.before), read_build(args.after))
    if args.format == "html":
        text = as_page(comparison, args.templates)
    else:
        write = {"text": plain_text, "json": as_json, "markdown": markdown}
        text = write[args.format](comparison)
    if args.out:
        write_text(args.out, text + "\n")
        print(args.out)
    else:
        print(text)
    return int(args.exit_code and not comparison.empty)


def as_json(comparison: BuildComparison) -> str:
    """The comparison as one JSON object; ``changed`` says whether anything did."""
    parts = "claims", "reviews", "texts", "raw", "formats", "code", "runs", "origins"
    before, after = comparison.before, comparison.after
    content = {
        "schema": _SCHEMA,
        "changed": not comparison.empty,
        "before": {"edition": before.edition, "build": before.id},
        "after": {"edition": after.edition, "build": after.id},
        "facts": [_fact(change) for change in comparison.facts],
        "figures": [{"id": f.id, "rows": f.rows} for f in comparison.figures],
        **{name: [asdict(m) for m in getattr(comparison, name)] for name in parts},
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def _fact(change: FactChange) -> dict[str, Any]:
    return {
        "key": change.key,
        "kind": change.kind,
        "direction": change.direction,
        "beyond_noise": change.beyond_noise,
        "visible": change.visible,
        "evidence": {n: [old, new] for n, old, new in change.evidence_moves},
        "before": asdict(change.before) if change.before else None,
        "after": asdict(change.after) if change.after else None,
    }


def as_page(
    comparison: BuildComparison, templates: Path, links: Sequence[tuple[str, str]] = ()
) -> str:
    """The comparison as one page that asks the network for nothing.

    Long parts are folded. ``links`` lead back from it, addresses with their words.
    """
    known = {
        "comparison": comparison,
        "title": title(comparison),
        "totals": totals(comparison),
        "nothing": NOTHING,
        "groups": by_study(comparison),
        "rest": [part for part in sections(comparison) if part[0] in _REST],
        "links": links,
        "hidden": len(comparison.facts) - len(comparison.visible_facts),
        "few": FEW,
        "most": MOST,
        "drawn": _DRAWN,
    }
    return html_page(templates, "diff.html.j2", known, _FILTERS)


def _picture(path: Path) -> str:
    """A drawing as an address that holds it."""
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


def plain_text(comparison: BuildComparison) -> str:
    """The comparison for a terminal; ``nothing changed`` where nothing did."""
    if comparison.empty:
        return NOTHING
    lines = [title(comparison), totals(comparison), ""]
    parts = [(head, rows) for head, rows in sections(comparison)]
    parts += [(text.name, text_lines(text)) for text in comparison.texts]
    for head, rows in parts:
        lines += [f"{head}:", *(f"  {row}" for row in rows), ""]
    return "\n".join(lines).rstrip()


def markdown(comparison: BuildComparison) -> str:
    """The comparison for a pull request."""
    if comparison.empty:
        return NOTHING.capitalize() + "."
    lines = [f"## {title(comparison)}", "", _escaped(totals(comparison)), ""]
    for head, rows in sections(comparison):
        items = [*(f"- {_escaped(row)}" for row in rows), ""]
        if len(rows) > FEW:
            items = [f"<details><summary>{len(rows)} lines</summary>", "", *items]
            items += ["</details>", ""]
        lines += [f"### {_escaped(head)}", "", *items]
    for text in comparison.texts:
        lines += [f"<details><summary>{escape(text.name)}</summary>", "", "```diff"]
        lines += [*(line.replace("```", "'''") for line in text_lines(text)), "```"]
        lines += ["", "</details>", ""]
    return "\n".join(lines).rstrip()


def _escaped(text: str) -> str:
    for mark in "\\*_`<>|":
        text = text.replace(mark, f"\\{mark}")
    return text


def title(comparison: BuildComparison) -> str:
    """Which two builds are compared."""
    a, b = comparison.before, comparison.after
    if a.edition == b.edition:
        return f"{a.edition}: build {a.id} → {b.id}"
    return f"{a.edition} {a.id} → {b.edition} {b.id}"


def totals(comparison: BuildComparison) -> str:
    """How much changed, in one line: ``12 facts (3 better, 4 worse, 5 other n), …``."""
    facts = comparison.visible_facts
    counts: Counter[str] = Counter()
    for change in facts:
        words = change.direction if change.kind == "moved" else change.kind
        counts[words] += words != "neither"
        counts["other verdict"] += change.verdict_changed
        counts["other origin"] += change.origin_changed
        counts.update(f"other {name}" for name, _, _ in change.evidence_moves)
    details = ", ".join(f"{n:,} {words}" for words, n in counts.items() if n)
    parts = []
    if facts:
        parts = [_many(len(facts), "fact") + (f" ({details})" if details else "")]
    numbers = {
        "claim": comparison.claims,
        "review": comparison.reviews,
        "figure": comparison.figures,
        "text": comparison.texts,
        "count of runs": comparison.runs,
        "raw file": comparison.raw,
        "format": comparison.formats,
    }
    parts += [_many(len(moved), name) for name, moved in numbers.items() if moved]
    return "Changed: " + ", ".join(parts or ["code alone"])


def _many(count: int, what: str) -> str:
    head, of, tail = what.partition(" of ")
    return f"{count:,} {what if count == 1 else f'{head}s{of}{tail}'}"


def sections(comparison: BuildComparison) -> Iterator[tuple[str, list[str]]]:
    """Heading and rows of each part that has any; texts and pictures are not in it.

    Of a long part the first rows, and how many more there are.
    """
    for study, changes in by_study(comparison):
        words = [fact_words(change, comparison.labels) for change in changes]
        yield (
            f"Facts of {comparison.labels.study(study)} ({len(changes)})",
            capped(words),
        )
    hidden = len(comparison.facts) - len(comparison.visible_facts)
    if hidden:
        moved = f"{_many(hidden, 'fact')} moved by less than the report prints"
        yield "Facts that look the same", [moved]
    parts = (
        ("Claims", [claim_words(claim) for claim in comparison.claims]),
        ("Reviews", [review_words(move) for move in comparison.reviews]),
        ("Figures", [figure_words(figure) for figure in comparison.figures]),
        ("Texts", [f"{text.name} changed" for text in comparison.texts]),
        ("Runs", [_moved(move) for move in comparison.runs]),
        ("Campaigns", [_moved(move) for move in comparison.origins]),
        ("Raw files", [_file_words(move) for move in comparison.raw]),
        ("Formats", [_moved(move) for move in comparison.formats]),
        ("Code and programs", [_moved(move) for move in comparison.code]),
    )
    for head, rows in parts:
        if rows:
            yield head, capped(rows)


def by_study(comparison: BuildComparison) -> list[tuple[str, list[FactChange]]]:
    """The facts whose change can be seen, by study: in the order of the report."""
    groups: dict[str, list[FactChange]] = {}
    for change in comparison.visible_facts:
        groups.setdefault(change.fact.study, []).append(change)
    places = {id: place for place, id in enumerate(comparison.labels.studies)}
    return sorted(groups.items(), key=lambda group: places.get(group[0], len(places)))


def capped(rows: list[str]) -> list[str]:
    """The first rows, and how many more there are."""
    more = len(rows) - MOST
    last = [f"and {more:,} more; --format json has all"] if more > 0 else []
    return [*rows[:MOST], *last]


def text_lines(text: TextMove) -> list[str]:
    """The lines of a text that changed, and how many more there are."""
    return capped(list(text.lines))


def fact_words(change: FactChange, labels: Labels) -> str:
    """``! Latency, RR10(100B): B: 211 µs → 230 µs, worse, beyond noise``."""
    fact, name = change.fact, labels.fact(change.fact)
    if not (change.before and change.after):
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
        what = f"is new and {claim.after}" if claim.after else "is gone"
        return f"{claim.study}: ‘{claim.claim}’ {what}"
    return (
        f"{claim.study}: ‘{claim.claim}’ {_STATES[claim.before]}, "
        f"now {claim.after}: {claim.data}"
    )


def review_words(move: Move) -> str:
    """What became of a review."""
    if move.before == "approved" and move.after == "stale":
        return f"{move.name}: the approval is void"
    return _moved(move)


def figure_words(figure: FigureMove) -> str:
    """What became of a figure."""
    if figure.before is None or figure.after is None:
        return f"{figure.id} is {'new' if figure.after else 'gone'}"
    if not figure.rows:
        return f"{figure.id}: drawn anew, its data are the same"
    return f"{figure.id}: {figure.rows} rows of data differ"


def _file_words(move: Move) -> str:
    if move.before and move.after:
        return f"{move.name}: changed"
    return f"{move.name}: {'new' if move.after else 'gone'}"


def _moved(move: Move) -> str:
    return f"{move.name}: {move.before or 'absent'} → {move.after or 'absent'}"


_FILTERS: Filters = {
    "picture": _picture,
    "claim_words": claim_words,
    "review_words": review_words,
    "figure_words": figure_words,
    "text_lines": text_lines,
}
