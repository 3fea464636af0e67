"""What stands in the head of the report's page: its styles, scripts and policy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.report.pages.fonts import font_css
from analysis.report.pages.policy import page_policy

STYLES = (
    "house.css",
    "reading.css",
    "search.css",
    "page.css",
    "narrow.css",
    "paper.css",
)
SCRIPTS = (
    "theme.js",
    "page.js",
    "notes.js",
    "cite.js",
    "figures.js",
    "words.js",
    "entries.js",
    "search.js",
)


@dataclass(frozen=True)
class PageHead:
    """The text of the head, HTML, and the policy that allows its scripts alone."""

    text: str
    policy: str


def page_head(folder: Path, fonts: Path) -> PageHead:
    """The head of a page, from the files of a document's folder."""

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    first, *others = map(read, SCRIPTS)
    then = "".join(others)
    # Indentation, which is for people who change a style, would weigh some kB a page.
    lines = "".join(map(read, STYLES)).split("\n")
    styles = "\n".join(line.lstrip() for line in lines)
    style = f"<style>\n{font_css(fonts)}{styles}</style>"
    # In the head, so that the page answers before all of it is read.
    parts = [f"<script>{first}</script>", style, f"<script>{then}</script>\n"]
    return PageHead("\n".join(parts), page_policy([first, then]))
