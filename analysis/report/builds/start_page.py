"""``index.html`` of an edition that comes in no format of that name: its files.

A web server shows a folder by that page. Without it, who opens the address of an
edition that is a PDF alone meets a list of files or an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.report.document.compose import metadata
from analysis.report.material import Material
from analysis.report.output import OUTPUTS, files_of
from analysis.report.pages.fonts import CACHE, font_css
from analysis.report.pages.html_page import html_page, page_styles
from analysis.report.review.state import Reviews

START = "index.html"
TEMPLATE = "start.html.j2"


def start_page(
    material: Material, states: Reviews, templates: Path, fonts: Path = CACHE
) -> dict[str, str]:
    """The page by its name; empty where a format of the edition is that file."""
    files = files_of(material.edition, material.id)
    if START in files.values():
        return {}
    known: dict[str, Any] = {
        "about": metadata(material, states),
        "files": [(OUTPUTS[id], quote(name)) for id, name in files.items()],
        "styles": page_styles(templates, font_css(fonts)),
    }
    return {START: html_page(templates, TEMPLATE, known)}
