"""Typst as a program, so that it can be ended: the wheel has only functions.

``typst_program.py pdf FONTS ROOT TIMESTAMP KEPT`` reads the source from its input and
writes the PDF. ``typst_program.py png FONTS PPI`` reads lines of an SVG file, a tab and
the PNG file to make of it. Where Typst refuses what it gets, the program says why and
exits with 1.

Pages are laid out more than once: only they tell which figures have no room where they
are shown. Typst does again what changed. The file ``KEPT`` has the figures of the last
time: to begin with them saves time alone.
"""

import glob
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
Layout = tuple[list[str], list[str]]  # figures that float, and those at the foot


def main() -> int:
    """The exit code."""
    what, folder, *about = sys.argv[1:]
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[folder, *glob.glob(f"{about[0]}/_extensions/*/brand-fonts")],
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

    def compiler(floats: list[str], feet: list[str]) -> typst.Compiler:
        layout = json.dumps({"floats": floats, "feet": feet}).encode()
        files = {"main.typ": main, "layout.json": layout}
        # The stubs want files of one type; the program takes a folder of them.
        return typst.Compiler(files, root=root, font_paths=fonts)  # type: ignore[type-var]

    layout, never = _read(kept), set[str]()
    try:
        for _ in range(_PASSES):
            made = compiler(*layout)
            shown, stands = _marks(made, "shown"), _marks(made, "stands")
            floats = without_room(*layout, shown, stands)
            lists = _marks(made, "list")
            never |= in_others(layout[1], stands, lists)
            feet = within_lists(floats, shown, stands, lists)
            wanted = floats, [name for name in feet if name not in never]
            if wanted == layout:
                break
            layout = wanted
    except RuntimeError:  # the source is wrong: who compiles it is told why
        return compiler([], [])
    _write(kept, layout)
    return made


def _read(kept: Path) -> Layout:
    try:
        floats, feet = json.loads(kept.read_bytes())
        return [str(name) for name in floats], [str(name) for name in feet]
    except (OSError, ValueError, TypeError):
        return [], []


def _write(kept: Path, layout: Layout) -> None:
    kept.parent.mkdir(exist_ok=True)
    new = kept.with_name(f"{kept.name}.new")
    new.write_text(json.dumps(layout), encoding="utf-8")
    new.replace(kept)


def without_room(
    floats: list[str], feet: list[str], shown: list[Mark], stands: list[Mark]
) -> list[str]:
    """Figures that do not fit, or would come before one that waits for a page, or for
    the foot of theirs, as those in ``feet``.

    ``floats`` are those that did not fit before. It does not matter which they were:
    what is before a figure tells its room, so there is one answer in the end.
    """
    pages, wanted, last = {mark["id"]: mark["page"] for mark in stands}, [], 0.0
    for mark in shown:
        name, page, room = mark["id"], mark["page"], mark["room"]
        if name in floats and pages[name] == page:
            room += mark["height"]  # it floats above its own text, which it moves
        if room < 0 or last > page:
            wanted.append(name)
        last = max(last, pages[name] + 0.5 * (name in feet))
    return wanted


def within_lists(
    floats: list[str], shown: list[Mark], stands: list[Mark], lists: list[Mark]
) -> list[str]:
    """Figures that would part a list at the head of their page, where it goes on, and
    those whose text is on the page of one: all stand at the foot, in their order.

    A list begins and ends on the same pages whether they stand above it or below.
    """
    pages, begun, parted = {mark["id"]: mark["page"] for mark in stands}, [], set[int]()
    for mark in lists:
        if mark["part"] == "begin":
            begun.append(mark["page"])
        elif mark["part"] == "end":
            parted.update(range(begun.pop() + 1, mark["page"] + 1))
    feet, taken = list[str](), set[int]()
    for mark in (mark for mark in shown if mark["id"] in floats):
        page = pages[mark["id"]]
        if page in parted or mark["page"] in taken:
            feet.append(mark["id"])
            taken.add(page)
    return feet


def in_others(feet: list[str], stands: list[Mark], lists: list[Mark]) -> set[str]:
    """Figures at the foot of a page on which another study begins."""
    begun = {mark["page"] for mark in lists if mark["part"] == "study"}
    return {m["id"] for m in stands if m["id"] in feet and m["page"] in begun}


def _marks(compiler: typst.Compiler, label: str) -> list[Mark]:
    return [mark["value"] for mark in json.loads(compiler.query(f"<{label}>"))]


if __name__ == "__main__":
    sys.exit(main())
