"""Typst as a program, so that it can be ended: the wheel has only functions.

``python typst_program.py ROOT FONTS TIMESTAMP`` reads the source from its input and
writes the PDF. Where Typst refuses the source it says why and exits with 1.

Pages are laid out more than once: only they tell which figures have no room where they
are shown, and whether the last page is nearly empty. Typst does again what changed.
"""

import json
import sys
from collections.abc import Callable
from typing import Any, cast

import typst

_GIVEN = "#let layout = none"  # in typst-show.typ
_READ = '#let layout = json("layout.json")'
_PASSES = 12  # three to six are usual
_NEARLY_EMPTY = 540  # points, three quarters of a page

Mark = dict[str, Any]


def main() -> int:
    """The exit code."""
    root, fonts, timestamp = sys.argv[1:]
    try:
        pdf = laid_out(sys.stdin.read(), root, fonts).compile(
            pdf_standards=["ua-1", "a-2a"],
            timestamp=int(timestamp),
        )
    except typst.TypstError as error:
        sys.stderr.write(str(error.diagnostic))
        return 1
    sys.stdout.buffer.write(cast(bytes, pdf))
    return 0


def laid_out(source: str, root: str, folder: str) -> typst.Compiler:
    """The document with its figures in their places, and a last page that is used."""
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[folder],
    )
    main = source.replace(_GIVEN, _READ, 1).encode()

    def compiler(floats: list[str], tight: bool) -> typst.Compiler:
        layout = json.dumps({"floats": floats, "tight": tight}).encode()
        files = {"main.typ": main, "layout.json": layout}
        # The stubs want files of one type; the program takes a folder of them.
        return typst.Compiler(files, root=root, font_paths=fonts)  # type: ignore[type-var]

    try:
        usual = _with_figures(lambda floats: compiler(floats, False))
        if _marks(usual, "end")[-1]["room"] < _NEARLY_EMPTY:
            return usual
        tight = _with_figures(lambda floats: compiler(floats, True))
        fewer = _marks(tight, "end")[-1]["page"] < _marks(usual, "end")[-1]["page"]
    except RuntimeError:  # the source is wrong: who compiles it is told why
        return compiler([], False)
    return tight if fewer else usual


def _with_figures(compiler: Callable[[list[str]], typst.Compiler]) -> typst.Compiler:
    """Each figure where its text has come to or, without room, on the next page.

    What is before a figure decides that, so each time at least one more has its place.
    """
    floats: list[str] = []
    for _ in range(_PASSES):
        made = compiler(floats)
        wanted = without_room(_marks(made, "shown"), _marks(made, "stands"))
        if wanted == floats:
            break
        floats = wanted
    return made


def without_room(shown: list[Mark], stands: list[Mark]) -> list[str]:
    """Figures that do not fit, or would come before one that waits for a page."""
    pages, floats, last = {mark["id"]: mark["page"] for mark in stands}, [], 0
    for mark in shown:
        name, page = mark["id"], mark["page"]
        # One that floats above its own text takes the room that it misses there.
        if last > page or (mark["room"] < 0 and pages[name] > page):
            floats.append(name)
        last = max(last, pages[name])
    return floats


def _marks(compiler: typst.Compiler, label: str) -> list[Mark]:
    return [mark["value"] for mark in json.loads(compiler.query(f"<{label}>"))]


if __name__ == "__main__":
    sys.exit(main())
