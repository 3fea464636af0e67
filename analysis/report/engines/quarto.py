"""Documents by Quarto, where it is installed.

Quarto numbers, refers and cites by itself; ``_quarto.yml`` of the document folder says
how. It writes beside its sources, so each format gets a private copy of the folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import user_error
from analysis.files.atomic import write_all
from analysis.programs.child import run_child
from analysis.progress import WorkDone
from analysis.report.document.document import INDEX, Document
from analysis.report.document.kept_file import kept_file
from analysis.report.document.kept_sections import rendered_anew
from analysis.report.document.parts import DocumentParts
from analysis.report.engines.pandoc import refused, source_of
from analysis.report.engines.quarto_project import (
    complete,
    made_file,
    section_labels,
    template_of,
)
from analysis.report.output import Output, read_documents
from analysis.report.pages.fonts import CACHE

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Quarto goes on after some of them, and leaves a hole in the document.
_ERROR = re.compile(
    r"^(?:ERROR\b|Error |error: |\[WARNING\]|WARN.*Unable to resolve)", re.MULTILINE
)
_TRACE = re.compile(r"^\s*stack trace", re.IGNORECASE | re.MULTILINE)
_PATCHED = re.compile(r'"[^"]*template\.patched"')  # Quarto's copy of a template
_AFTER = "WARN: Error encountered when rendering files"
_LINES = 20  # of a message: more would hide its beginning


@dataclass(frozen=True)
class QuartoEngine:
    """One ``quarto render`` for each format, in a private copy of the document."""

    program: str
    version: str
    fonts: Path = CACHE

    def render(self, document: Path, out: Path) -> None:
        """See :class:`analysis.report.engines.render.Renderer`."""
        asked = read_documents(document)
        with ThreadPoolExecutor(max_workers=len(asked)) as pool:
            made = [pool.submit(self.made, source, output) for output, source in asked]
            progress = WorkDone(out.name, len(made), "formats")
            for future in made:
                future.add_done_callback(lambda _: progress.step())
            files = [future.result() for future in made]
        names = [output.file(source.edition) for output, source in asked]
        write_all(out, dict(zip(names, files, strict=True)))

    def made(self, document: Document, output: Output) -> bytes:
        """See :class:`analysis.report.engines.render.Renderer`."""
        if output.finish is None or output.folder:
            own = self._run(document, output, document.parts, document.text)
            if output.finish is None:
                return own
            return output.finish(own.decode("utf-8"), document, self.fonts)
        told = ("--to=quarto-" + output.quarto, self.version, _drawings(document))
        page = output.markup == "html"
        parts = document.parts if page else document.parts.without_html_only()
        source = source_of(document, parts, told)
        file = kept_file(document.folder, told[0])

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
                said = _PATCHED.sub(template_of(copy, output), said)
                raise refused("Quarto", said, document, done.code)
            return _bytes(copy / made_file(document, output))


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


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise user_error(f"Quarto made no {path.name}", mend="run 'quarto check'")
    return path.read_bytes()
