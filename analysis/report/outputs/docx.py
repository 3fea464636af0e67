"""DOCX for reviewers who comment in a word processor; its figures are PNG."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place, user_error
from analysis.programs.child import run_child
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import whole_file
from analysis.report.output import Output
from analysis.report.pages.fonts import print_fonts

PPI = 200
_TO = (
    "--to=docx",
    "--reference-doc=reference.docx",
    "--lua-filter=word.lua",
    "--toc",
    "--toc-depth=2",
)
_PART = "word/document.xml"
_ACTIVE = ("vbaProject.bin", "activeX", "embeddings/")
_AGAIN = "build the edition again: make report"


def docx_file(document: Document, fonts: Path) -> bytes:
    """The document as a file of Word."""
    add_pictures(document.folder, fonts)
    return whole_file(document, document.parts.without_html_only(), _TO)


def add_pictures(folder: Path, fonts: Path) -> None:
    """A PNG of 200 pixels per inch beside each drawing of a document's folder.

    Those that were made once are kept by the content of their drawings.
    """
    drawings = sorted(folder.glob("figures/*/figure.svg"))
    kept = {svg: fonts / "drawings" / f"{_digest(svg)}.png" for svg in drawings}
    wanted = {svg: png for svg, png in kept.items() if not png.is_file()}
    if wanted:
        _draw(wanted, fonts)
    for svg, png in kept.items():
        shutil.copyfile(png, svg.with_suffix(".png"))


def _draw(wanted: dict[Path, Path], fonts: Path) -> None:
    from analysis.report.engines import raster_program  # needs Typst

    program, typefaces = raster_program.__file__, print_fonts(fonts).resolve()
    command = [sys.executable, "-I", program, f"{typefaces}", f"{PPI}"]
    folder = fonts / "drawings"
    folder.mkdir(parents=True, exist_ok=True)
    # Editions are rendered side by side, so each has a folder for its drafts.
    with tempfile.TemporaryDirectory(prefix=".", dir=folder) as drafts:
        made = {Path(drafts, png.name).resolve(): png for png in wanted.values()}
        lines = [
            f"{svg.resolve()}\t{new}" for svg, new in zip(wanted, made, strict=True)
        ]
        done = run_child(command, Path.cwd(), "\n".join(lines).encode())
        if done.code != 0:
            said = done.errors.decode("utf-8", "replace")
            raise user_error(f"Typst cannot draw\n{said}", mend="draw the figure again")
        for new, png in made.items():
            new.replace(png)


def _digest(svg: Path) -> str:
    return hashlib.sha256(svg.read_bytes() + f"{PPI}".encode()).hexdigest()[:24]


def check_docx(path: Path, _files: Collection[str]) -> list[Issue]:
    """Why a file must not be published: it is none of Word, or loads more."""
    try:
        with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
            return [Issue(w, Place(str(path)), _AGAIN) for w in _mistakes(file)]
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
        return [Issue("not a document of Word", Place(str(path)), _AGAIN)]


def _mistakes(file: zipfile.ZipFile) -> Iterator[str]:
    root = etree.fromstring(file.read(_PART))
    for name in file.namelist():
        if any(word in name for word in _ACTIVE):
            yield f"a document with {name}"
        if name.endswith(".rels"):
            yield from _asks(etree.fromstring(file.read(name)))
    unnamed = "//*[local-name()='docPr'][not(normalize-space(@descr))]"
    if root.xpath(unnamed):
        yield "a picture without an alt text"


def _asks(relations: etree._Element) -> Iterator[str]:
    """What a document would load from elsewhere; its links load nothing."""
    for one in relations:
        outside = one.get("TargetMode") == "External"
        if outside and not str(one.get("Type")).endswith("/hyperlink"):
            yield f"a document that asks for {one.get('Target')}"


OUTPUT = Output(
    id="docx",
    name="{edition}.docx",
    media_type="application/vnd.openxmlformats-officedocument"
    ".wordprocessingml.document",
    link="Word",
    whole="one document to comment in",
    pandoc=docx_file,
    quarto="docx",
    gate=check_docx,
    prepare=add_pictures,
)
