"""What others made and a report holds: names, versions, licences and their texts.

One list, from which the page ``third-party.html`` of each build is made. The texts are
those of the installed packages that the parts come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from analysis.errors import user_error
from analysis.report.pages.fonts import CACHE, package_folder
from analysis.report.pages.html_page import html_page

PAGE = "third-party.html"
TEMPLATE = "third-party.html.j2"


@dataclass(frozen=True)
class Part:
    """One part: what it is for, and where it and the text of its licence come from.

    ``package`` and ``file`` say where the text lies; ``statement`` stands instead of
    it where the part itself is not in a report.
    """

    name: str
    version: str
    use: str
    licence: str
    source: str
    package: str = ""
    file: str = ""
    statement: str = ""


PARTS = (
    Part(
        "Source Sans Pro",
        "2.020, in italics 1.075",
        "The typeface of the pages (a subset), of the PDF and of the figures, where "
        "words are drawn as outlines.",
        "SIL Open Font License, Version 1.1",
        "https://github.com/adobe-fonts/source-sans",
        package="font_source_sans_pro",
        file="files/LICENSE.txt",
    ),
    Part(
        "DejaVu Sans Mono",
        "2.35",
        "The typeface of code in the PDF (a subset).",
        "Bitstream Vera and Arev licences; DejaVu changes are in the public domain",
        "https://dejavu-fonts.github.io",
        package="matplotlib",
        file="mpl-data/fonts/ttf/LICENSE_DEJAVU",
    ),
    Part(
        "reveal.js",
        "6.0.1",
        "The script and the style of slides for a browser.",
        "MIT",
        "https://revealjs.com",
        package="pyreveal",
        file="revealjs/LICENSE",
    ),
    Part(
        "IEEE Reference Guide, a style of the Citation Style Language",
        "11.29.2023",
        "It says how references are written. The style itself is not in the report.",
        "Creative Commons Attribution-ShareAlike 3.0",
        "https://www.zotero.org/styles/ieee",
        statement="This work is licensed under a Creative Commons "
        "Attribution-ShareAlike 3.0 License: "
        "http://creativecommons.org/licenses/by-sa/3.0/",
    ),
)


def licence_text(part: Part) -> str:
    """The text of a part's licence, or the statement that stands instead of it.

    A :class:`analysis.errors.UserError` where its package lacks the file.
    """
    if not part.package:
        return part.statement
    path = package_folder(part.package) / part.file
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        raise user_error(
            f"the licence of {part.name} is missing", path, mend="install it again"
        ) from None


def third_party_page(templates: Path, fonts: Path = CACHE) -> str:
    """The page of all parts with the texts of their licences."""
    known = {
        "parts": [(part, licence_text(part)) for part in PARTS],
    }
    return html_page(templates, TEMPLATE, known, fonts=fonts)
