"""From a document folder to HTML and PDF, by one of two engines.

Quarto where it is installed, else Pandoc with Typst. Both read the same folder and
write ``index.html`` and ``<edition>.pdf``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from analysis.report.pandoc_engine import PandocEngine
from analysis.report.quarto_engine import find_quarto, require_quarto

Engine = Literal["auto", "quarto", "pandoc"]


class Renderer(Protocol):
    """An engine. It checks the document first, and writes both files or none."""

    def render(self, document: Path, out: Path) -> None:
        """Write ``index.html`` and ``<edition>.pdf`` to the folder ``out``.

        A mistake in the document is a :class:`analysis.errors.UserError`.
        """

    def about(self) -> dict[str, str]:
        """The engine's ``name`` and the versions of the programs that it runs."""


def choose(engine: Engine) -> Renderer:
    """The engine asked for; ``auto`` is Quarto 1.9 or later if installed, else Pandoc.

    Quarto asked for and absent is a :class:`analysis.errors.UserError`.
    """
    if engine == "quarto":
        return require_quarto()
    if engine == "auto" and (quarto := find_quarto()):
        return quarto
    return PandocEngine()
