"""The Pandoc of the environment, and the Markdown that it reads."""

from __future__ import annotations

from functools import cache

# Nothing in a document is raw: the filters make all HTML and Typst that is needed.
READER = (
    "markdown-raw_html-raw_tex-raw_attribute-native_divs-native_spans-tex_math_dollars"
)


@cache
def pandoc_program() -> str:
    """Where Pandoc lies; to look for it takes a start of the program."""
    import pypandoc  # most texts are checked without it

    path: str = pypandoc.get_pandoc_path()
    return path
