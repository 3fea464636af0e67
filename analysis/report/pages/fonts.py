"""The report's one typeface, as files for Typst and as WOFF2 for the page.

Source Sans Pro comes from the package ``font_source_sans_pro`` (SIL Open Font
Licence). The page carries a subset, which is made once and kept by content.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import fontTools

from analysis.errors import user_error
from analysis.files.atomic import whole_file

CACHE = Path("data/build/fonts")
FAMILY, STAND_IN = "Source Sans Pro", "Source Sans Pro Stand-in"
_COMMON = ("Arial", "Liberation Sans", "Arimo", "Roboto")  # all as wide as Arial
_METRICS = (98.4, 27.3)  # ascent and descent of the typeface, percent of its size
_LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180)]
_SIGNS = "–—‘’“”„•…‰′″‹›⁄€™−×÷±≈≠≤≥∞∆√∑∂∏µμΩπΔσ←↑→↓■✓₀₁₂₃₄₅₆₇₈₉⁰⁴⁵⁶⁷⁸⁹\u202f"
_LICENCE = (13, 14)  # the names of its licence, which each font keeps
CHARACTERS = sorted({*_LATIN, *map(ord, _SIGNS)})


@dataclass(frozen=True)
class Face:
    """One cut of the typeface: its file, and how CSS names it.

    ``adjust`` is its mean width of English text in percent of Arial's ``cut``.
    """

    file: str
    weight: int
    style: str
    adjust: float
    cut: str = ""


FACES = (
    Face("SourceSansPro-Regular.ttf", 400, "normal", 94.5),
    Face("SourceSansPro-It.ttf", 400, "italic", 92.0, " Italic"),
    Face("SourceSansPro-Semibold.ttf", 600, "normal", 90.2, " Bold"),
)


def font_folder() -> Path:
    """The folder of the typeface's TTF files."""
    return package_folder("font_source_sans_pro") / "files"


def print_fonts(cache: Path = CACHE) -> Path:
    """A folder with the typefaces of the PDF, and no others.

    Typst brings more along. Some have licences that a report does not tell of.
    """
    code = package_folder("matplotlib") / "mpl-data/fonts/ttf"
    files = sorted([*font_folder().glob("*.ttf"), *code.glob("DejaVuSansMono*.ttf")])
    sizes = [(path.name, path.stat().st_size) for path in files]
    folder = cache / f"print-{hashlib.sha256(str(sizes).encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    for (name, size), path in zip(sizes, files, strict=True):
        made = folder / name
        if not made.is_file() or made.stat().st_size != size:
            with whole_file(made, rivals=True) as draft:  # as of another edition
                shutil.copyfile(path, draft)
    return folder


def package_folder(name: str) -> Path:
    """Where a package is installed; it is not imported, which may take long."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        mend = "remove the folder .venv, then run 'make report'"
        raise user_error(f"the package {name} is missing", mend=mend)
    return Path(spec.submodule_search_locations[0])


def font_css(cache: Path = CACHE) -> str:
    """``@font-face`` rules that hold the subset faces as data URIs.

    Beside each face stands one that a reader's machine has, of the same widths, so
    that nothing moves when a browser has unpacked the first.
    """
    files = [(font_folder() / face.file, face.weight, face.style) for face in FACES]
    return "\n".join([family_css(FAMILY, files, cache), *map(_stand_in, FACES)])


def family_css(
    family: str, files: Sequence[tuple[Path, int, str]], cache: Path = CACHE
) -> str:
    """``@font-face`` rules of a typeface: its files, each with weight and style."""
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; '
        f"font-style: {style}; "
        f'src: url("data:font/woff2;base64,{_woff2(file, cache)}") format("woff2"); }}'
        for file, weight, style in files
    )


def _stand_in(face: Face) -> str:
    names = ", ".join(f'local("{name}{face.cut}")' for name in _COMMON)
    ascent, descent = (round(100 * part / face.adjust, 1) for part in _METRICS)
    return (
        f'@font-face {{ font-family: "{STAND_IN}"; font-weight: {face.weight}; '
        f"font-style: {face.style}; src: {names}; size-adjust: {face.adjust}%; "
        f"ascent-override: {ascent}%; descent-override: {descent}%; "
        "line-gap-override: 0%; }"
    )


def _woff2(source: Path, cache: Path) -> str:
    made = cache / f"{source.stem}-{_key(source)}.woff2"
    if not made.exists():
        with whole_file(made, rivals=True) as draft:
            _subset(source, draft)
    return base64.b64encode(made.read_bytes()).decode("ascii")


def _key(source: Path) -> str:
    what = f"{fontTools.version} {CHARACTERS} {_LICENCE}".encode()
    return hashlib.sha256(source.read_bytes() + what).hexdigest()[:12]


def _subset(source: Path, target: Path) -> None:
    from fontTools import subset  # takes long to load, and is needed once

    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["*"]
    options.drop_tables += ["FFTM"]  # what FontForge leaves in its files
    options.name_IDs = [*options.name_IDs, *_LICENCE]
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    subset.save_font(font, str(target), options)
