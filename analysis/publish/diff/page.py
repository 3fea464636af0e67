"""A comparison as one self-contained HTML page, figures side by side."""

from __future__ import annotations

import base64
from pathlib import Path

from analysis.publish.diff.comparison import Comparison
from analysis.publish.diff.words import (
    NOTHING,
    claim_words,
    figure_words,
    review_words,
    sections,
    title,
)
from analysis.report.pages.html_page import Filters, html_page, page_styles

TEMPLATE = "diff.html.j2"
_OWN = ("Facts", "Claims", "Reviews", "Figures", "Texts")


def as_page(found: Comparison, templates: Path, fonts: str) -> str:
    """The page; it asks the network for nothing."""
    rest = [part for part in sections(found) if part[0].split(" (")[0] not in _OWN]
    known = {
        "found": found,
        "title": title(found),
        "nothing": NOTHING,
        "rest": rest,
        "hidden": len(found.facts) - len(found.visible_facts),
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
}
