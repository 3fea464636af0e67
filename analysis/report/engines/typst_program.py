"""Typst as a program, so that it can be ended: the wheel has only functions.

``typst_program.py pdf FONTS ROOT TIMESTAMP KEPT`` reads the source from its input and
writes the PDF. ``typst_program.py png FONTS PPI`` reads lines of an SVG file, a tab and
the PNG file to make of it. Where Typst refuses what it gets, the program says why and
exits with 1.

Pages are laid out more than once: only they tell which figures have no room where they
are shown. Typst does again what changed. The file ``KEPT`` has the figures of the last
time: to begin with them saves time alone.
"""

import json
import sys
from pathlib import Path
from typing import Any, cast

import typst

_GIVEN = "#let layout = none"  # in typst-show.typ
_READ = '#let layout = json("layout.json")'
_PASSES = 12  # three to six are usual
# As wide as the text of a page of A4, which no figure exceeds.
_DRAWING = """#set page(width: 170mm, height: auto, margin: 0pt, fill: white)
#image("{}", width: 100%)"""

Mark = dict[str, Any]


def main() -> int:
    """The exit code."""
    what, folder, *about = sys.argv[1:]
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[folder],
    )
    try:
        if what == "pdf":
            sys.stdout.buffer.write(paper(fonts, *about))
        else:
            draw(fonts, float(about[0]))
    except typst.TypstError as error:
        sys.stderr.write(str(error.diagnostic))
        return 1
    return 0


def paper(fonts: typst.Fonts, root: str, timestamp: str, kept: str) -> bytes:
    """The PDF of the source in the input."""
    made = laid_out(sys.stdin.read(), root, fonts, Path(kept))
    pdf = made.compile(pdf_standards=["ua-1", "a-3a"], timestamp=int(timestamp))
    return cast(bytes, pdf)


def draw(fonts: typst.Fonts, ppi: float) -> None:
    """Pictures of pixels of drawings, for formats whose readers draw no SVG alike."""
    for line in sys.stdin.read().splitlines():
        svg, target = map(Path, line.split("\t"))
        png: bytes = typst.compile(  # type: ignore[call-overload]
            _DRAWING.format(svg.name).encode(),
            root=str(svg.parent),
            font_paths=fonts,
            format="png",
            ppi=ppi,
        )
        target.write_bytes(png)


def laid_out(source: str, root: str, fonts: typst.Fonts, kept: Path) -> typst.Compiler:
    """The document with each figure where its text has come to, or on the next page.

    What is before a figure decides that, so each time at least one more has its place.
    """
    main = source.replace(_GIVEN, _READ, 1).encode()

    def compiler(floats: list[str]) -> typst.Compiler:
        layout = json.dumps({"floats": floats}).encode()
        files = {"main.typ": main, "layout.json": layout}
        # The stubs want files of one type; the program takes a folder of them.
        return typst.Compiler(files, root=root, font_paths=fonts)  # type: ignore[type-var]

    floats = _read(kept)
    try:
        for _ in range(_PASSES):
            made = compiler(floats)
            shown, stands = _marks(made, "shown"), _marks(made, "stands")
            wanted = without_room(floats, shown, stands)
            if wanted == floats:
                break
            floats = wanted
    except RuntimeError:  # the source is wrong: who compiles it is told why
        return compiler([])
    _write(kept, floats)
    return made


def _read(kept: Path) -> list[str]:
    try:
        found = json.loads(kept.read_bytes())
    except (OSError, ValueError):
        return []
    return [str(name) for name in found] if isinstance(found, list) else []


def _write(kept: Path, floats: list[str]) -> None:
    kept.parent.mkdir(exist_ok=True)
    new = kept.with_name(f"{kept.name}.new")
    new.write_text(json.dumps(floats), encoding="utf-8")
    new.replace(kept)


def without_room(floats: list[str], shown: list[Mark], stands: list[Mark]) -> list[str]:
    """Figures that do not fit, or would come before one that waits for a page.

    ``floats`` are those that did not fit before. It does not matter which they were:
    what is before a figure tells its room, so there is one answer in the end.
    """
    pages, wanted, last = {mark["id"]: mark["page"] for mark in stands}, [], 0
    for mark in shown:
        name, page, room = mark["id"], mark["page"], mark["room"]
        if name in floats and pages[name] == page:
            room += mark["height"]  # it floats above its own text, which it moves
        if room < 0 or last > page:
            wanted.append(name)
        last = max(last, pages[name])
    return wanted


def _marks(compiler: typst.Compiler, label: str) -> list[Mark]:
    return [mark["value"] for mark in json.loads(compiler.query(f"<{label}>"))]


if __name__ == "__main__":
    sys.exit(main())
