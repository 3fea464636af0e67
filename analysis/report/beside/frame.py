"""What the pages beside the report's text have in common: their bar, style, scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.facts.sentences import data_words
from analysis.files.templates import template_file
from analysis.report.material import Material
from analysis.report.output import files_of, folders_of, link_words
from analysis.report.pages.html_page import Filters, html_page
from analysis.report.pages.inserts import FACTS
from analysis.report.pages.look import styles

STYLES, THEME = ("bar.css", "beside.css"), "theme.js"
EXPLORER, PUBLISHED = "explorer.html", "published.html"
EXCERPTS = "excerpts.html"
_NO_BUILD = '<meta name="build" content="">'


@dataclass(frozen=True)
class Frame:
    """The report that a page lies beside; ``slides`` are the first of each study."""

    material: Material
    banner: str
    templates: Path
    slides: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """What the numbers are, behind the declared title."""
        return data_words(self.material.origins())

    @property
    def formats(self) -> dict[str, str]:
        """The file of each format; the first is what a reader opens first."""
        return files_of(self.material.edition, self.material.id)

    @property
    def links(self) -> list[tuple[str, str]]:
        """The files of the other formats, and words that lead there."""
        formats = list(self.formats.items())
        return [(file, link_words(id)) for id, file in formats[1:]]

    @property
    def published(self) -> str:
        """The page of published numbers, where there is one."""
        return published_file(self.material)

    def section(self, study: str) -> str:
        """Where a study begins, on the page or else on a slide; empty if on neither."""
        if page := self.formats.get("html"):
            return f"{page}#sec-{study}"
        deck, slide = self.formats.get("revealjs"), self.slides.get(study)
        return f"{deck}#{slide}" if deck and slide else ""


def published_file(material: Material) -> str:
    """The name of the page of published numbers; empty where a report has it all, or
    nothing is known."""
    studies = {own.published.study if own.published else id
               for id, own in material.studies.items()}  # fmt: skip
    known = any(row.study in studies for row in material.published)
    return PUBLISHED if known and "" not in folders_of(material.edition) else ""


def pages_in(document: Path) -> list[str]:
    """The pages that lie in a document's folder; the report holds the cards."""
    names = (FACTS, EXPLORER, EXCERPTS)
    return [name for name in names if (document / name).is_file()]


def page_beside(
    frame: Frame,
    template: str,
    known: Mapping[str, Any],
    filters: Filters | None = None,
    scripts: Sequence[str] = (),
) -> str:
    """A page from a template that extends ``beside.html.j2``, without its build id.

    ``scripts`` are files of the templates' folder that it runs beside those of all.
    """

    def read(*names: str) -> list[str]:
        return [
            template_file(frame.templates, name).read_text(encoding="utf-8")
            for name in names
        ]

    known = {
        **known,
        "frame": frame,
        "edition": frame.material.edition,
        "styles": "\n".join(styles(frame.templates, name) for name in STYLES),
        "scripts": read(THEME, *scripts),
    }
    return html_page(frame.templates, template, known, filters)


def with_build(page: str, build: str) -> str:
    """A page that tells of which build it is."""
    return page.replace(_NO_BUILD, f'<meta name="build" content="{build}">', 1)
