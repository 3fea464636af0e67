"""A comparison as one self-contained HTML page, figures side by side."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

from analysis.publish.diff.comparison import BuildComparison
from analysis.publish.diff.words import (
    FEW,
    MOST,
    NOTHING,
    by_study,
    claim_words,
    figure_words,
    review_words,
    sections,
    text_lines,
    title,
    totals,
)
from analysis.report.pages.html_page import Filters, html_page, page_styles

TEMPLATE = "diff.html.j2"
DRAWN = 24  # figures that are shown; of more, how many
_REST = ("Runs", "Campaigns", "Raw files", "Formats", "Code and programs")


def as_page(
    found: BuildComparison,
    templates: Path,
    fonts: str,
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The page; it asks the network for nothing, and long parts of it are folded.

    ``links`` lead back from it.
    """
    parts = dict(sections(found))
    known = {
        "found": found,
        "title": title(found),
        "totals": totals(found),
        "nothing": NOTHING,
        "groups": by_study(found),
        "rest": [part for part in parts.items() if part[0] in _REST],
        "links": links,
        "hidden": len(found.facts) - len(found.visible_facts),
        "few": FEW,
        "most": MOST,
        "drawn": DRAWN,
        "styles": page_styles(templates, fonts),
    }
    return html_page(templates, TEMPLATE, known, _FILTERS)


def _picture(path: Path) -> str:
    """A drawing as an address that holds it."""
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()


_FILTERS: Filters = {
    "picture": _picture,
    "claim_words": claim_words,
    "review_words": review_words,
    "figure_words": figure_words,
    "text_lines": text_lines,
}
