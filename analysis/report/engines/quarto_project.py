"""A document folder as a Quarto project, in which ``quarto render`` works by itself.

The engine renders in such a folder, and whoever knows Quarto can do the same.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

from analysis.report.document.document import Document
from analysis.report.output import Output, links_to_others, outputs_of
from analysis.report.pages.fonts import print_fonts
from analysis.report.pages.inserts import FACTS, drawing
from analysis.report.pages.page_head import page_head

SETTINGS, HEAD, FONTS = "_quarto.yml", "head.html", "fonts"
INLINE = ".html"  # what a drawing's file is called as an element of the page
_NARROW = "-narrow"
_ABOUT = "# How Quarto renders this document; made by each build.\n"


def complete(document: Document, fonts: Path, final: bool = True) -> None:
    """Add to a document's folder what Quarto needs and Pandoc is told by itself.

    A page that is not ``final`` has no policy: the script by which ``quarto preview``
    shows a page anew would not run.
    """
    folder = document.folder
    head = page_head(folder, fonts)
    (folder / HEAD).write_text(head.text, encoding="utf-8")
    shutil.copytree(print_fonts(fonts), folder / FONTS, dirs_exist_ok=True)
    policy = {"policy": head.policy} if final else {}
    settings = yaml.safe_load((folder / SETTINGS).read_text(encoding="utf-8"))
    settings["format"] = {
        output.quarto: _format(settings["format"], document, output, policy)
        for output in outputs_of(document)
    }
    text = _ABOUT + yaml.safe_dump(settings, sort_keys=False, width=10_000)
    (folder / SETTINGS).write_text(text, encoding="utf-8")
    for svg in folder.glob("figures/*/*.svg"):
        if not svg.stem.endswith(_NARROW):
            _add_drawing(svg)


def _format(
    known: dict[str, Any], document: Document, output: Output, policy: dict[str, str]
) -> dict[str, Any]:
    """The settings of one format, with the variables of its template."""
    about: dict[str, Any] = {"others": links_to_others(document, output), **policy}
    if (document.folder / FACTS).is_file():
        about["beside"] = True
    name = {"output-file": output.file(document.edition)}
    return {**(known.get(output.quarto) or {}), **name, "variables": about}


def _add_drawing(svg: Path) -> None:
    """A drawing as the page shows it, and where the page's link to it leads."""
    inline = svg.with_name(svg.name + INLINE)
    inline.write_text(drawing(svg, label=""), encoding="utf-8")
    shutil.copyfile(svg, svg.parents[1] / f"{svg.parent.name}.svg")
