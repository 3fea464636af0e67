"""From a document folder to the files of its formats, by one of two engines.

Quarto where it is installed, else Pandoc with Typst. Both read the same folder and
write the same files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from analysis.programs.quarto_program import Engine, wanted_quarto
from analysis.report.document.document import Document
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.engines.quarto import QuartoEngine
from analysis.report.output import Output


class Renderer(Protocol):
    """An engine. It checks the document first, and writes all files or none."""

    @property
    def fonts(self) -> Path:
        """Where the typefaces of pages and PDF are kept."""

    def render(self, document: Path, out: Path) -> None:
        """Write the file of each format that the document asks for to ``out``.

        A mistake in the document is a :class:`analysis.errors.UserError`.
        """

    def made(self, document: Document, output: Output) -> bytes:
        """The file of a checked document in one format."""

    def about(self) -> dict[str, str]:
        """The engine's ``name`` and the versions of the programs that it runs."""


def choose(engine: Engine) -> Renderer:
    """The engine asked for; ``auto`` is Quarto 1.9 or later if installed, else Pandoc.

    Quarto asked for and absent is a :class:`analysis.errors.UserError`.
    """
    quarto = wanted_quarto(engine)
    return QuartoEngine(*quarto) if quarto else PandocEngine()
