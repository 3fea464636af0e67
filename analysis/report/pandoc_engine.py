"""HTML and PDF by Pandoc and Typst, both from their Python wheels."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pypandoc

from analysis.atomic import write_all
from analysis.child import run_child
from analysis.errors import Issue, UserError, raise_if, user_error
from analysis.limits import GIB, PANDOC_BYTES
from analysis.report import typst_program
from analysis.report.document import INDEX, Document, check_numbered, read_document
from analysis.report.fonts import CACHE, font_css, print_fonts
from analysis.report.inserts import FACTS, put_inserts
from analysis.report.kept_sections import (
    Marks,
    kept_file,
    put_back,
    read_kept,
    split_sections,
    write_kept,
)
from analysis.report.pandoc_program import READER, pandoc_program
from analysis.report.policy import page_policy

_FILTERS = (
    f"--from={READER}",
    "--wrap=none",
    "--fail-if-warnings",
    "--lua-filter=numbers.lua",
    "--citeproc",
    "--lua-filter=house.lua",
    "--lua-filter=glossary.lua",
)
_COMMON = (
    *_FILTERS,
    "--number-sections",
    "--csl=ieee.csl",
    "--bibliography=references.bib",
    "--metadata=link-citations:true",
)
_HTML = ("--to=html5", "--mathml")
_PAGE = ("--template=page.html", "--toc", "--toc-depth=4")
_FRAGMENT = (*_FILTERS, *_HTML)
# Pandoc resolves the citations itself; Typst must not do it a second time.
_TYPST = ("--to=typst-citations",)
_PRINT = ("--template=page.typ",)
# Pandoc collects less garbage with more room: a sixth of its time.
_ROOM = ("+RTS", "-A64m", f"-M{PANDOC_BYTES}", "-RTS")
_NO_GLYPH = re.compile(r'the text `"(.*?)"` could not be displayed with font')
_NO_HEAP = 251  # how a Haskell program ends that may not have more memory
# The PDF takes longer than the page, which therefore yields to it: a sixth of all time.
_BEHIND = 10
# What the filters read beside the document itself.
_READ = ("*.lua", "*.csl", "*.bib", "glossary.json")
# The filter drops these parts as well; to drop them unread is quicker.
_HTML_ONLY = re.compile(r"^::::: \{\.html-only\}\n.*?^:::::$", re.DOTALL | re.MULTILINE)
_STYLES = ("house.css", "reading.css", "page.css", "paper.css")
_SCRIPTS = ("theme.js", "page.js", "notes.js", "figures.js", "search.js")


@dataclass(frozen=True)
class PandocEngine:
    """Pandoc for both formats, Typst for the PDF; HTML and PDF at the same time."""

    fonts: Path = CACHE

    def render(self, document: Path, out: Path) -> None:
        """See :class:`analysis.report.render.Renderer`."""
        source = read_document(document)
        with ThreadPoolExecutor(max_workers=2) as pool:
            pdf = pool.submit(self.pdf, source)  # first, as it takes longer
            page = pool.submit(self.page, source)
            files = {"index.html": page.result(), f"{source.edition}.pdf": pdf.result()}
        write_all(out, files)

    def about(self) -> dict[str, str]:
        """The engine's name, and the versions of Pandoc and Typst."""
        return {
            "name": "pandoc",
            "pandoc": str(pypandoc.get_pandoc_version()),
            "typst": version("typst"),
        }

    def page(self, document: Document) -> bytes:
        """The page of a document, as UTF-8."""
        styles = [font_css(self.fonts), *(_text(document, name) for name in _STYLES)]
        first, *others = (_text(document, name) for name in _SCRIPTS)
        then = "".join(others)
        with tempfile.TemporaryDirectory() as name:
            head = Path(name, "head.html")
            # In the head, so that the page answers before all of it is read.
            style = f"<style>\n{''.join(styles)}</style>"
            parts = [f"<script>{first}</script>", style, f"<script>{then}</script>\n"]
            head.write_text("\n".join(parts), encoding="utf-8")
            include = f"--include-in-header={head}"
            policy = f"--variable=policy:{page_policy([first, then])}"
            page = _whole(document, document.text, _HTML, (*_PAGE, include, policy))
        raise_if(check_numbered(page, document))
        return put_inserts(page, document.folder).encode("utf-8")

    def fragment(self, document: Document, text: str) -> str:
        """The HTML of a piece of text with the filters of a document, and no page.

        The metadata ``labels`` say what references to other parts read.
        """
        piece = _pandoc(document, _FRAGMENT, text).decode("utf-8")
        return put_inserts(piece, document.folder)

    def pdf(self, document: Document) -> bytes:
        """The PDF of a document."""
        text = _without(_HTML_ONLY, document)
        source = _whole(document, text, _TYPST, _PRINT)
        return _typst(document, source, print_fonts(self.fonts))


def _whole(
    document: Document,
    text: str,
    to: tuple[str, ...],
    options: tuple[str, ...],
) -> str:
    """A whole document; its sections as they were, unless they changed."""
    sections, file = split_sections(text), kept_file(document.folder, to[0])
    keys, kept = sections.keys(_rests_on(document, to)), read_kept(file)
    with tempfile.TemporaryDirectory() as name:
        labels = Path(name, "labels.json")
        labels.write_text(json.dumps({"labels": sections.labels}), encoding="utf-8")
        own = (*_COMMON, *to, f"--metadata-file={labels}", *options)
        marks = Marks()
        rendered = _pandoc(document, own, sections.marked(keys, kept, marks))
        found = put_back(rendered.decode("utf-8"), keys, kept, marks)
        if found is None:
            return _pandoc(document, own, text).decode("utf-8")
    whole, kept = found
    write_kept(file, kept)
    return whole


def _pandoc(document: Document, options: tuple[str, ...], text: str = "") -> bytes:
    page = set(_HTML) <= set(options)
    done = run_child(
        [pandoc_program(), *_ROOM, *options],
        document.folder,
        text.encode(),
        nice=_BEHIND if page else 0,
    )
    if done.code == _NO_HEAP:
        raise user_error(
            f"Pandoc needs more than {PANDOC_BYTES // GIB} GiB (PANDOC_BYTES)",
            document.folder / INDEX,
            mend="look for a text or a table that is very long or deeply nested",
        )
    if done.code != 0:
        raise _refused("Pandoc", done.errors.decode("utf-8", "replace"), document)
    return done.output


def _typst(document: Document, source: str, fonts: Path) -> bytes:
    """The PDF of a source whose files lie in the document's folder."""
    folder, program = document.folder.resolve(), typst_program.__file__
    about = [f"{folder}", f"{fonts.resolve()}", f"{document.timestamp}"]
    command = [sys.executable, "-I", program, *about]
    done = run_child(command, folder, source.encode())
    if done.code != 0:
        said = done.errors.decode("utf-8", "replace")
        raise_if(_without_glyph(said, document))
        raise _refused("Typst", said, document)
    return done.output


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


def _rests_on(document: Document, to: tuple[str, ...]) -> list[bytes]:
    """What rendered sections depend on beside their text."""
    program = Path(pandoc_program()).stat()
    language = str(document.metadata.get("lang"))
    about = [program.st_size, program.st_mtime_ns, *_COMMON, *to, language]
    traced = (document.folder / FACTS).is_file()
    files = sorted(path for name in _READ for path in document.folder.glob(name))
    return [json.dumps([*about, traced]).encode(), *(p.read_bytes() for p in files)]


def _refused(program: str, said: str, document: Document) -> UserError:
    """The program's message without its trace of calls."""
    message = said.split("stack traceback:")[0].strip()
    return user_error(
        f"{program} refuses the document:\n{message}",
        document.folder / INDEX,
        mend="correct the text or the template that the message names",
    )


def _without(part: re.Pattern[str], document: Document) -> str:
    """The document's text without the parts that fit, where they are not code."""
    ends = [
        0,
        *(end for found in part.finditer(document.prose) for end in found.span()),
    ]
    places = [*ends, len(document.text)]
    return "".join(
        document.text[start:end]
        for start, end in zip(places[::2], places[1::2], strict=True)
    )


def _text(document: Document, name: str) -> str:
    return (document.folder / name).read_text(encoding="utf-8")
