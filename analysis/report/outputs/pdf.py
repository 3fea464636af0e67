"""PDF by Typst: tagged, PDF/UA-1 and PDF/A-3a, the same bytes for the same document.

It carries the values, what they rest on and the data of its figures as attachments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from pathlib import Path

from analysis.errors import Issue, Place, raise_if
from analysis.programs.child import run_child
from analysis.report.document.document import REPORT, Document
from analysis.report.document.kept_sections import LAYOUT, kept_file
from analysis.report.engines.engine import refused
from analysis.report.engines.pandoc import whole
from analysis.report.output import Output
from analysis.report.pages.fonts import print_fonts

# Pandoc resolves the citations itself; Typst must not do it a second time.
_TO = ("--to=typst-citations",)
_PRINT = (f"--template={REPORT}/page.typ",)
_NO_GLYPH = re.compile(r'the text `"(.*?)"` could not be displayed with font')
_DATA = rb"[^>]{0,99}/Subtype/(?:application#2Fjson|text#2Fcsv)\b"  # may be attached
_ACTIVE = re.compile(rb"/(JavaScript|Launch|SubmitForm|EmbeddedFile(?!%s))\b" % _DATA)
_AGAIN = "build the edition again: make report"


def pdf_file(document: Document, fonts: Path) -> bytes:
    """The PDF of a document."""
    return compiled(typst_source(document), document, fonts)


def compiled(source: str, document: Document, fonts: Path) -> bytes:
    """The PDF that Typst makes of a source, with the files of a document's folder."""
    folder = document.folder.resolve()
    about = f"{folder}", f"{document.timestamp}", f"{kept_file(folder, LAYOUT)}"
    command = typst_command("pdf", fonts, *about)
    done = run_child(command, folder, source.encode())
    if done.code != 0:
        said = done.errors.decode("utf-8", "replace")
        raise_if(_without_glyph(said, document))
        raise refused("Typst", said, document)
    return done.output


def typst_command(what: str, fonts: Path, *about: str) -> list[str]:
    """How Typst is called, to make a PDF or pictures with typefaces of ours alone."""
    from analysis.report.engines import typst_program  # loads Typst, which few need

    typefaces = print_fonts(fonts).resolve()
    return [sys.executable, "-I", typst_program.__file__, what, f"{typefaces}", *about]


def typst_source(document: Document) -> str:
    """What Typst makes the PDF from; its files lie in the document's folder."""
    # The filter drops what is for the page alone; to drop it unread is quicker.
    return whole(document, document.parts.without_html_only(), _TO, _PRINT).text


def check_pdf(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a PDF must not be published: it is none, or a reader may run it."""
    data, where = path.read_bytes(), Place(str(path))
    if not data.startswith(b"%PDF-"):
        return [Issue("not a PDF", where, _AGAIN)]
    found = sorted(set(_ACTIVE.findall(data)))
    return [Issue(f"a PDF with /{name.decode()}", where, _AGAIN) for name in found]


def _without_glyph(said: str, document: Document) -> list[Issue]:
    """The characters that Typst found in no typeface, where the text has them."""
    return [
        Issue(
            f"the typefaces of the PDF have no {text!r}",
            document.place(document.text.find(text)),
            "write it in words",
        )
        for text in sorted(set(_NO_GLYPH.findall(said)))
        if text in document.text
    ]


OUTPUT = Output(
    id="pdf",
    name="{edition}.pdf",
    media_type="application/pdf",
    link="PDF",
    whole="one PDF, with its data attached",
    pandoc=pdf_file,
    quarto="netperf-typst",
    gate=check_pdf,
    finish=compiled,
    markup="typ",
)
