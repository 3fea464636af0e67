"""What stands in the head of the page of slides: its style, reveal.js and policy."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.errors import user_error
from analysis.report.pages.fonts import font_css, package_folder
from analysis.report.pages.html_page import PageHead, page_policy

_PAPER = re.compile(r"@media print\{(?:[^{}]*\{[^{}]*\})*\}")
PACKAGE, DIST = "pyreveal", "revealjs/dist"


def deck_head(folder: Path, fonts: Path) -> PageHead:
    """The head of the page of slides whose document is in ``folder``."""
    own = _PAPER.sub("", library("reveal.css"))  # deck.css has a page for each slide
    style = "\n".join([font_css(fonts), own, _read(folder / "deck.css")])
    scripts = [library("reveal.js"), _read(folder / "deck.js")]
    parts = [f"<style>\n{style}</style>"]
    parts += [f"<script>{script}</script>" for script in scripts]
    return PageHead("\n".join(parts) + "\n", page_policy(scripts))


def library(name: str) -> str:
    """A file of reveal.js, as its package brings it."""
    path = package_folder(PACKAGE) / DIST / name
    if not path.is_file():
        mend = "remove the folder .venv, then run 'make report'"
        raise user_error("reveal.js is missing", path, mend=mend)
    return _read(path)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
