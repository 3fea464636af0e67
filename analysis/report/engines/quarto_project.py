"""A document folder as a Quarto project, in which ``quarto render`` works by itself.

The engine renders in such a folder, and whoever knows Quarto can do the same.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from analysis.report.document.document import Document
from analysis.report.document.parts import DocumentParts
from analysis.report.output import Output, links_to_others, outputs_of
from analysis.report.pages.fonts import print_fonts
from analysis.report.pages.html_page import deck_head, page_head
from analysis.report.pages.inserts import FACTS, drawing

SETTINGS, HEAD, FONTS = "_quarto.yml", "head.html", "fonts"
LABELS = "labels.json"  # the numbers of figures and tables
DECK = "deck.html"  # the template that slides alone have
INLINE = ".html"  # what a drawing's file is called as an element of the page
_NARROW = "-narrow"
_ABOUT = "# How Quarto renders this document; made by each build.\n"


def complete(
    document: Document, fonts: Path, labels: Mapping[str, str] | None = None
) -> None:
    """Add to a document's folder what Quarto needs and Pandoc is told by itself.

    ``labels`` are the numbers of what is referred to. A project without them is for
    people: it makes the files themselves, with the numbers that Quarto counts. Its page
    has no policy: the script by which ``quarto preview`` shows it anew would not run.
    """
    folder = document.folder
    slides = (folder / DECK).is_file()
    head = deck_head(folder, fonts) if slides else page_head(folder, fonts)
    (folder / HEAD).write_text(head.text, encoding="utf-8")
    if not slides:
        _add_fonts(folder, fonts)
    wanted = [o for o in outputs_of(document) if bool(o.folder) == slides]
    settings = yaml.safe_load((folder / SETTINGS).read_text(encoding="utf-8"))
    if labels is not None:
        (folder / LABELS).write_text(json.dumps(dict(labels)), "utf-8")
    settings["format"] = {
        output.quarto: {
            **(settings["format"].get(output.quarto) or {}),
            **_format(document, output, head.policy if labels is not None else ""),
        }
        for output in wanted
    }
    text = _ABOUT + yaml.safe_dump(settings, sort_keys=False, width=10_000)
    (folder / SETTINGS).write_text(text, encoding="utf-8")
    for output in wanted:
        if output.prepare:
            output.prepare(folder, fonts)
    for svg in folder.glob("figures/*.svg" if slides else "figures/*/*.svg"):
        if not svg.stem.endswith(_NARROW):
            _add_drawing(svg, linked=not slides)


def _add_fonts(folder: Path, fonts: Path) -> None:
    """The typefaces of the PDF; another build may be writing its own beside them."""
    drafts = shutil.ignore_patterns(".*")
    typefaces = print_fonts(fonts)
    shutil.copytree(typefaces, folder / FONTS, ignore=drafts, dirs_exist_ok=True)


def section_labels(parts: DocumentParts) -> dict[str, str]:
    """‘Section 2.1’ for the id of each numbered section."""
    counts, found = [0] * 7, {}
    for part in parts:
        if part.level and ".unnumbered" not in part.heading:
            counts[part.level] += 1
            counts[part.level + 1 :] = [0] * (6 - part.level)
            number = ".".join(map(str, counts[1 : part.level + 1]))
            found[part.id] = f"Section\u00a0{number}"
    return found


def template_of(folder: Path, output: Output) -> str:
    """The template of a format; Quarto's messages name a copy of it."""
    settings = yaml.safe_load((folder / SETTINGS).read_text(encoding="utf-8"))
    return str(settings["format"][output.quarto].get("template", "the template"))


def made_file(document: Document, output: Output) -> str:
    """The file that Quarto makes for the engine: a text where that is wanted."""
    return f"index.{output.markup}" if output.markup else output.file(document.edition)


def _format(document: Document, output: Output, policy: str) -> dict[str, Any]:
    """The file of a format, and the variables of its template."""
    about: dict[str, Any] = {"others": links_to_others(document, output)}
    about |= {"policy": policy} if policy else {}
    known = document.folder / FACTS, document.folder / DECK
    about |= {"beside": True} if any(path.is_file() for path in known) else {}
    if not policy:
        return {"output-file": output.file(document.edition), "variables": about}
    name = made_file(document, output)
    return {
        "output-file": name,
        "output-ext": name.rpartition(".")[2],
        "variables": about,
    }


def _add_drawing(svg: Path, linked: bool) -> None:
    """A drawing as the page shows it, and where the page's link to it leads."""
    inline = svg.with_name(svg.name + INLINE)
    inline.write_text(drawing(svg, label=""), encoding="utf-8")
    if linked:
        shutil.copyfile(svg, svg.parents[1] / f"{svg.parent.name}.svg")
