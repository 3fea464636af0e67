"""What stands in the head of the report's page: its styles, scripts and policy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.report.pages.fonts import font_css
from analysis.report.pages.policy import page_policy

SEARCHED = ("alike.json", "words.js")  # what searches need, whatever they look through
STYLES = (
    "house.css",
    "reading.css",
    "search.css",
    "bar.css",
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
    *SEARCHED,
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
    first, then = script(folder, SCRIPTS[0]), script(folder, *SCRIPTS[1:])
    # Indentation, which is for people who change a style, would weigh some kB a page.
    read = ((folder / name).read_text(encoding="utf-8") for name in STYLES)
    lines = "".join(read).split("\n")
    styles = "\n".join(line.lstrip() for line in lines)
    style = f"<style>\n{font_css(fonts)}{styles}</style>"
    # In the head, so that the page answers before all of it is read.
    parts = [f"<script>{first}</script>", style, f"<script>{then}</script>\n"]
    return PageHead("\n".join(parts), page_policy([first, then]))


def script(templates: Path, *names: str) -> str:
    """Scripts as one; a file of JSON is a constant with its name in capitals."""
    parts = []
    for path in map(templates.joinpath, names):
        text = path.read_text(encoding="utf-8")
        constant = path.suffix == ".json"
        parts.append(f"const {path.stem.upper()} = {text};\n" if constant else text)
    return "".join(parts)
