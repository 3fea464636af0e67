"""Documents by Quarto, where it is installed.

Quarto numbers, refers and cites by itself; the extension in a document's folder says
how. It writes beside its sources, so each format gets a private copy of the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from analysis.errors import user_error
from analysis.programs.child import run_child
from analysis.programs.quarto_program import BROKEN, Engine, wanted_quarto
from analysis.report.document.document import (
    DECK,
    INDEX,
    REFERENCES,
    REPORT,
    Document,
    is_document,
    policy_of,
)
from analysis.report.document.kept_sections import LAYOUT, kept_file, rendered_anew
from analysis.report.document.parts import DocumentParts
from analysis.report.engines.engine import Renderer, refused
from analysis.report.engines.pandoc import PandocEngine, source_of
from analysis.report.output import Output, links_to_others, outputs_of
from analysis.report.pages.fonts import CACHE, print_fonts
from analysis.report.pages.inserts import FACTS, drawing
from analysis.report.pages.look import FONTS as BRAND_FONTS

SETTINGS, FONTS = "_quarto.yml", f"{REPORT}/fonts"
LABELS = "labels.json"  # the numbers of figures and tables
INLINE = ".html"  # what a drawing's file is called as an element of the page
_NARROW = "-narrow"
_ABOUT = "# How Quarto renders this document; made by each build.\n"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Quarto goes on after some of them, and leaves a hole in the document.
_ERROR = re.compile(
    r"^(?:ERROR\b|Error |error: |\[WARNING\]|WARN.*Unable to resolve)", re.MULTILINE
)
_TRACE = re.compile(r"^\s*stack trace", re.IGNORECASE | re.MULTILINE)
_PATCHED = re.compile(r'"[^"]*template\.patched"')  # Quarto's copy of a template
# What it says where a program or a file of its installation is missing.
_DAMAGED = re.compile(
    r"Failed to spawn|Module not found|/(?:tools|share)/\S+: No such file"
)
_AFTER = "WARN: Error encountered when rendering files"
_LINES = 20  # of a message: more would hide its beginning


def choose(engine: Engine) -> Renderer:
    """The engine asked for; ``auto`` is Quarto 1.9 or later if installed, else Pandoc.

    Quarto asked for and absent is a :class:`analysis.errors.UserError`.
    """
    quarto = wanted_quarto(engine)
    return QuartoEngine(*quarto) if quarto else PandocEngine()


@dataclass(frozen=True)
class QuartoEngine(Renderer):
    """One ``quarto render`` for each format, in a private copy of the document."""

    program: str
    version: str
    fonts: Path = CACHE

    def made(self, document: Document, output: Output) -> bytes:
        """See :class:`Renderer`."""
        if not output.quarto:
            return output.pandoc(document, self.fonts)
        if output.finish is None or output.folder:
            own = self._run(document, output, document.parts, document.text)
            if output.prepare:
                output.prepare(document.folder, self.fonts)
            if output.finish is None:
                return output.amend(own, document) if output.amend else own
            return output.finish(own.decode("utf-8"), document, self.fonts)
        to = (f"--to=quarto-{output.quarto}", self.version, _drawings(document))
        page = output.markup == "html"
        parts = document.parts if page else document.parts.without_html_only()
        source = source_of(document, parts, to)
        file = kept_file(document.folder, to[0])

        def run(text: str) -> str:
            return self._run(document, output, parts, text).decode("utf-8")

        made = rendered_anew(source, file, run).text
        return output.finish(made, document, self.fonts)

    def about(self) -> dict[str, str]:
        """The engine's name and Quarto's version."""
        return {"name": "quarto", "quarto": self.version}

    def _run(
        self, document: Document, output: Output, parts: DocumentParts, text: str
    ) -> bytes:
        """What Quarto makes of a text in the folder of a document.

        With ``--quiet`` it would tell nothing of its errors.
        """
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name) / "document"
            shutil.copytree(document.folder, copy)
            # The page tells its sections itself; the filters of the PDF ask for them.
            own = {} if output.markup == "html" else section_labels(parts)
            labels = {**parts.labels, **own}
            complete(replace(document, folder=copy), self.fonts, labels)
            (copy / INDEX).write_text(text, encoding="utf-8")
            done = run_child(
                [self.program, "render", "--to", output.quarto],
                copy,
                environment=os.environ | {"SOURCE_DATE_EPOCH": str(document.timestamp)},
            )
            said = (done.output + done.errors).decode("utf-8", "replace")
            told = _COLOUR.sub("", said)
            if done.code != 0 or _ERROR.search(told):
                said = message(told) or f"exit {done.code}"
                if _DAMAGED.search(said):
                    raise user_error(
                        f"Quarto is damaged:\n{said}", self.program, mend=BROKEN
                    )
                said = _PATCHED.sub(template_of(copy, output), said)
                raise refused("Quarto", said, document, done.code)
            made = copy / made_file(document, output)
            if not made.is_file():
                raise user_error(
                    f"Quarto made no {made.name}", self.program, mend=BROKEN
                )
            return made.read_bytes()


def complete(
    document: Document, fonts: Path, labels: Mapping[str, str] | None = None
) -> None:
    """Make a document's folder a project, in which ``quarto render`` works by itself.

    The engine renders in such a folder, and whoever knows Quarto can do the same.
    ``labels`` are the numbers of what is referred to. A project without them is for
    people: it makes the files themselves, with the numbers that Quarto counts. Its page
    has no policy: the script by which ``quarto preview`` shows it anew would not run.
    Where an edition is slides alone, the project is the folder above them.
    """
    folder, slides = document.folder, (document.folder / DECK).is_dir()
    alone = labels is None and slides and not is_document(folder.parent)
    below = f"{folder.name}/" if alone else ""
    own = [o for o in outputs_of(document) if bool(o.folder) == slides]
    wanted = [output for output in own if output.quarto]
    if labels is not None:
        (folder / LABELS).write_text(json.dumps(dict(labels)), "utf-8")
    settings: dict[str, Any] = {
        "project": {
            "render": [below + INDEX],
            "post-render": [f"{below}{REPORT}/quarto-page.lua"],
        },
        **({} if slides else {"bibliography": REFERENCES, "number-sections": True}),
        **({} if labels is not None else {"filters": [_others(below)]}),
        "format": {o.quarto: _format(document, o, labels is not None) for o in wanted},
    }
    text = _ABOUT + yaml.safe_dump(settings, sort_keys=False, width=10_000)
    (folder.parent if alone else folder).joinpath(SETTINGS).write_text(text, "utf-8")
    if not slides:  # the typefaces of the PDF; another build may be writing its own
        drafts = shutil.ignore_patterns(".*")
        typefaces = print_fonts(fonts)
        for each in (typefaces, folder / REPORT / BRAND_FONTS):
            if each.is_dir():
                shutil.copytree(each, folder / FONTS, ignore=drafts, dirs_exist_ok=True)
    for output in wanted:
        if output.prepare:
            output.prepare(folder, fonts)
    for svg in folder.glob("figures/*.svg" if slides else "figures/*/*.svg"):
        if not svg.stem.endswith(_NARROW):
            _add_drawing(svg, linked=not slides)


def _others(below: str) -> dict[str, str]:
    """The filter for formats that the extension has not."""
    return {"path": f"{below}{REPORT}/other.lua", "at": "pre-ast"}


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
    extension, _, base = output.quarto.rpartition("-")
    path = folder / "_extensions" / extension / "_extension.yml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    formats = settings["contributes"]["formats"]
    return str(formats[base].get("template", "the template"))


def made_file(document: Document, output: Output) -> str:
    """The file that Quarto makes for the engine: a text where that is wanted."""
    return f"index.{output.markup}" if output.markup else output.file(document.edition)


def _format(document: Document, output: Output, engine: bool) -> dict[str, Any]:
    """The file of a format, and the variables of the page's template."""
    name = made_file(document, output) if engine else output.file(document.edition)
    found: dict[str, Any] = {"output-file": name}
    if engine:
        found["output-ext"] = name.rpartition(".")[2]
    if output.markup == "html":
        folder, extension = document.folder, DECK if output.folder else REPORT
        known = bool(output.folder) or (folder / FACTS).is_file()
        found["variables"] = {
            "others": links_to_others(document, output),
            **({"beside": True} if known else {}),
            **({"policy": policy_of(folder, extension)} if engine else {}),
        }
    elif output.markup == "typ" and not engine:
        layout = _typst_layout(document)
        found |= {"variables": {"layout": layout}} if layout else {}
    return found


def _typst_layout(document: Document) -> str:
    """Where figures stand in the PDF of the build, for Typst; Quarto lays pages out
    once. Empty where the PDF was not made."""
    try:
        kept = json.loads(kept_file(document.folder, LAYOUT).read_bytes())
        lists = ["".join(f"{json.dumps(f'{id}')}, " for id in names) for names in kept]
        return "(floats: ({}), feet: ({}))".format(*lists)
    except (OSError, ValueError, TypeError, IndexError):
        return ""


def _add_drawing(svg: Path, linked: bool) -> None:
    """A drawing as the page shows it, and where the page's link to it leads."""
    inline = svg.with_name(svg.name + INLINE)
    inline.write_text(drawing(svg, label=""), encoding="utf-8")
    if linked:
        shutil.copyfile(svg, svg.parents[1] / f"{svg.parent.name}.svg")


def _drawings(document: Document) -> str:
    """A digest of the drawings, which Quarto's page holds."""
    told = hashlib.sha256()
    for path in sorted(document.folder.glob("figures/*/*.svg")):
        told.update(hashlib.sha256(path.read_bytes()).digest())
    return told.hexdigest()


def message(said: str) -> str:
    """What Quarto says of a failure, out of all that it says: up to its stack trace."""
    begins = _ERROR.search(said)
    told = _TRACE.split(said[begins.start() :] if begins else said)[0]
    lines = [line.rstrip() for line in told.splitlines() if line.strip()]
    lines = [line for line in dict.fromkeys(lines) if line != _AFTER]
    return "\n".join(lines[:_LINES] if begins else lines[-_LINES:])
