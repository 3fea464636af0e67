"""Drawings as pictures of pixels, by Typst: a program, so that it can be ended.

``python raster_program.py FONTS PPI`` reads lines of an SVG file, a tab and the PNG
file to make of it. Where Typst refuses a drawing it says why and exits with 1.
"""

import sys
from pathlib import Path

import typst

# As wide as the text of a page of A4, which no figure exceeds.
_PAGE = """#set page(width: 170mm, height: auto, margin: 0pt, fill: white)
#image("{}", width: 100%)"""


def main() -> int:
    """The exit code."""
    folder, ppi = sys.argv[1:]
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[folder],
    )
    for line in sys.stdin.read().splitlines():
        svg, target = map(Path, line.split("\t"))
        try:
            png: bytes = typst.compile(  # type: ignore[call-overload]
                _PAGE.format(svg.name).encode(),
                root=str(svg.parent),
                font_paths=fonts,
                format="png",
                ppi=float(ppi),
            )
        except typst.TypstError as error:
            sys.stderr.write(f"{svg}: {error.diagnostic}")
            return 1
        target.write_bytes(png)
    return 0


if __name__ == "__main__":
    sys.exit(main())
