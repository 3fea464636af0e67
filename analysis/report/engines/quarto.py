"""Documents by Quarto, where it is installed.

Quarto numbers, refers and cites by itself; ``_quarto.yml`` of the document folder says
how. It writes beside its sources, so each render gets a private copy of the folder.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import user_error
from analysis.files.atomic import write_all
from analysis.programs.child import run_child
from analysis.report.document.document import INDEX, Document, read_document
from analysis.report.output import outputs_of
from analysis.report.pages.fonts import CACHE, FACES, font_css, font_folder

OLDEST = (1, 9)
_MEND = "install Quarto 1.9 or later (environment.yml has it), or use --engine pandoc"


@dataclass(frozen=True)
class QuartoEngine:
    """One ``quarto render`` of all formats in a private copy of the document."""

    program: str
    version: str
    fonts: Path = CACHE

    def render(self, document: Path, out: Path) -> None:
        """See :class:`analysis.report.engines.render.Renderer`."""
        source = read_document(document)
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name) / "document"
            shutil.copytree(document, copy)
            _add_fonts(copy, self.fonts)
            self._run(source, copy)
            made = {
                output.file(source.edition): _bytes(copy / output.quarto_file)
                for output in outputs_of(source)
            }
            write_all(out, made)

    def about(self) -> dict[str, str]:
        """The engine's name and Quarto's version."""
        return {"name": "quarto", "quarto": self.version}

    def _run(self, document: Document, copy: Path) -> None:
        """The formats of the document. The switch is ``--quiet``: ``-q`` fails."""
        formats = ",".join(output.quarto for output in outputs_of(document))
        done = run_child(
            [self.program, "render", INDEX, "--to", formats, "--quiet"],
            copy,
            environment=os.environ | {"SOURCE_DATE_EPOCH": str(document.timestamp)},
        )
        if done.code != 0:
            said = (done.errors or done.output).decode("utf-8", "replace").strip()
            raise user_error(
                f"Quarto refuses the document:\n{said}",
                document.folder / INDEX,
                mend="correct what the message names, or use --engine pandoc",
            )


def find_quarto() -> QuartoEngine | None:
    """Quarto if it is on the path and not too old, else None."""
    program = shutil.which("quarto")
    version = _version(program) if program else ""
    if program is None or _numbers(version) < OLDEST:
        return None
    return QuartoEngine(program, version)


def require_quarto() -> QuartoEngine:
    """Quarto; a :class:`analysis.errors.UserError` where it is absent or too old."""
    if found := find_quarto():
        return found
    program = shutil.which("quarto")
    what = f"Quarto {_version(program)} is too old" if program else "Quarto is absent"
    raise user_error(what, program, mend=_MEND)


def _version(program: str) -> str:
    done = run_child([program, "--version"], Path.cwd())
    return done.output.decode("utf-8", "replace").strip()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def _add_fonts(copy: Path, cache: Path) -> None:
    (copy / "fonts.css").write_text(font_css(cache), encoding="utf-8")
    (copy / "fonts").mkdir(exist_ok=True)
    for face in FACES:
        shutil.copyfile(font_folder() / face.file, copy / "fonts" / face.file)


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise user_error(f"Quarto made no {path.name}", mend="run 'quarto check'")
    return path.read_bytes()
