"""A comparison as one self-contained HTML page, figures side by side."""

from __future__ import annotations

import base64
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.publish.diff.comparison import Comparison
from analysis.publish.diff.words import (
    NOTHING,
    claim_words,
    figure_words,
    review_words,
    sections,
    title,
)

TEMPLATE, STYLE = "diff.html.j2", "house.css"
_OWN = ("Facts", "Claims", "Reviews", "Figures", "Texts")


def as_page(found: Comparison, templates: Path, fonts: str) -> str:
    """The page; it asks the network for nothing."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "picture": _picture,
        "claim_words": claim_words,
        "review_words": review_words,
        "figure_words": figure_words,
    }
    style = (templates / STYLE).read_text(encoding="utf-8")
    rest = [part for part in sections(found) if part[0].split(" (")[0] not in _OWN]
    return environment.get_template(TEMPLATE).render(
        found=found,
        title=title(found),
        nothing=NOTHING,
        rest=rest,
        hidden=len(found.facts) - len(found.visible_facts),
        styles=f"{fonts}\n{style}",
    )


def _picture(path: Path) -> str:
    """A drawing as an address that holds it."""
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()
