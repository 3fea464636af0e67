"""The Quarto extension that a document's folder has: what both engines read.

Filters, templates of the page and of the PDF, the style of references, and the head of
the page with its styles and scripts. The Pandoc engine names these files itself, and
Quarto is told of them by ``_extension.yml``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from analysis.files.inputs import text_files
from analysis.report.pages.fonts import CACHE
from analysis.report.pages.html_page import deck_head, head_policy, page_head

EXTENSIONS = "_extensions"
REPORT = f"{EXTENSIONS}/netperf"
DECK = f"{EXTENSIONS}/netperf-slides"  # it has what slides alone need
HEAD = "head.html"


def add_extension(
    folder: Path, templates: Path, slides: bool, fonts: Path = CACHE
) -> None:
    """Put the extension of a report, or those of its ``slides``, into a folder."""
    names = (REPORT, DECK) if slides else (REPORT,)
    for source in (path for name in names for path in text_files(templates / name)):
        place = folder / source.relative_to(templates)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
    head = deck_head if slides else page_head
    place = folder / names[-1] / HEAD
    place.write_text(head(templates, fonts), encoding="utf-8")


def policy_of(folder: Path, extension: str) -> str:
    """The policy of the page of a document's folder: it allows its scripts alone."""
    return head_policy((folder / extension / HEAD).read_text(encoding="utf-8"))
