"""What the pages beside the report's text have in common: their bar, style, scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.facts.sentences import data_words
from analysis.facts.units import date_text
from analysis.report.material import Material
from analysis.report.output import files_of, link_words
from analysis.report.pages.html_page import Filters, html_page, page_styles

STYLES, THEME = ("bar.css", "beside.css"), ("theme.js", "beside.js")
_NO_BUILD = '<meta name="build" content="">'


@dataclass(frozen=True)
class Frame:
    """The report that a page lies beside; ``fonts`` are its font faces, CSS."""

    templates: Path
    fonts: str
    edition: str
    title: str
    declared_title: str
    data: str  # what its numbers are, behind the declared title
    date: str
    banner: str
    formats: Mapping[str, str]
    published: str = ""  # the page of published numbers, where there is one
    slides: Mapping[str, str] = field(default_factory=dict)  # the first of each study

    @property
    def main(self) -> str:
        """The file that a reader of the report opens first."""
        return next(iter(self.formats.values()))

    def section(self, study: str) -> str:
        """Where a study begins, on the page or else on a slide; empty if on neither."""
        if page := self.formats.get("html"):
            return f"{page}#sec-{study}"
        deck, slide = self.formats.get("revealjs"), self.slides.get(study)
        return f"{deck}#{slide}" if deck and slide else ""


def frame_of(
    material: Material,
    banner: str,
    templates: Path,
    fonts: str,
    published: str = "",
    slides: Mapping[str, str] = MappingProxyType({}),
) -> Frame:
    """The frame of the pages beside a report."""
    edition = material.edition
    formats = files_of(edition, material.id)
    names = material.id, material.title, edition.title, data_words(material.origins())
    about = (*names, date_text(edition.date), banner, formats, published, slides)
    return Frame(templates, fonts, *about)


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

    def read(name: str) -> str:
        return (frame.templates / name).read_text(encoding="utf-8")

    styles = [page_styles(frame.templates, frame.fonts), *map(read, STYLES)]
    code = [read(name) for name in (*THEME, *scripts)]
    known = {
        **known,
        "frame": frame,
        "links": [
            (file, link_words(id)) for id, file in list(frame.formats.items())[1:]
        ],
        "styles": "\n".join(styles),
        "scripts": [code[0], "".join(code[1:])],
    }
    return html_page(frame.templates, template, known, filters)


def with_build(page: str, build: str) -> str:
    """A page that tells of which build it is."""
    return page.replace(_NO_BUILD, f'<meta name="build" content="{build}">', 1)
