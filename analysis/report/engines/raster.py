"""Drawings as pictures of pixels, for formats whose readers draw no SVG alike."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from analysis.errors import user_error
from analysis.programs.child import run_child
from analysis.report.pages.fonts import print_fonts


def add_pictures(folder: Path, fonts: Path, pattern: str, ppi: int) -> None:
    """A PNG beside each drawing of a folder of that pattern, as wide as a page's text.

    Those that were made once are kept by the content of their drawings.
    """
    drawings = sorted(folder.glob(pattern))
    kept = {svg: fonts / "drawings" / f"{_digest(svg, ppi)}.png" for svg in drawings}
    # Equal drawings are one picture.
    wanted = {png: svg for svg, png in kept.items() if not png.is_file()}
    if wanted:
        _draw(wanted, fonts, ppi)
    for svg, png in kept.items():
        shutil.copyfile(png, svg.with_suffix(".png"))


def _draw(drawings: dict[Path, Path], fonts: Path, ppi: int) -> None:
    from analysis.report.engines import raster_program  # needs Typst

    program, typefaces = raster_program.__file__, print_fonts(fonts).resolve()
    command = [sys.executable, "-I", program, f"{typefaces}", f"{ppi}"]
    folder = fonts / "drawings"
    folder.mkdir(parents=True, exist_ok=True)
    # Editions are rendered side by side, so each has a folder for its drafts.
    with tempfile.TemporaryDirectory(prefix=".", dir=folder) as drafts:
        made = {Path(drafts, png.name).resolve(): png for png in drawings}
        pairs = zip(drawings.values(), made, strict=True)
        lines = [f"{svg.resolve()}\t{new}" for svg, new in pairs]
        done = run_child(command, Path.cwd(), "\n".join(lines).encode())
        if done.code != 0:
            said = done.errors.decode("utf-8", "replace")
            raise user_error(f"Typst cannot draw\n{said}", mend="draw the figure again")
        for new, png in made.items():
            new.replace(png)


def _digest(svg: Path, ppi: int) -> str:
    return hashlib.sha256(svg.read_bytes() + f"{ppi}".encode()).hexdigest()[:24]
