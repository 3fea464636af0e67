"""Typst as a program, so that it can be ended: the wheel has only a function.

``python typst_program.py ROOT FONTS TIMESTAMP`` reads the source from its input and
writes the PDF. Where Typst refuses the source it says why and exits with 1.
"""

import sys

import typst


def main() -> int:
    """The exit code."""
    root, fonts, timestamp = sys.argv[1:]
    try:
        # The stubs want one type for source and root; the program takes both.
        pdf: bytes = typst.compile(  # type: ignore[type-var]
            sys.stdin.buffer.read(),
            root=root,
            font_paths=typst.Fonts(
                include_system_fonts=False,
                include_embedded_fonts=False,
                font_paths=[fonts],
            ),
            pdf_standards=["ua-1", "a-2a"],
            timestamp=int(timestamp),
        )
    except typst.TypstError as error:
        sys.stderr.write(str(error.diagnostic))
        return 1
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
