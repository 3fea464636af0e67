"""The bibliography of an edition, in BibTeX: its keys, and where its links lead."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.errors import Issue, Place
from analysis.report.prose import line_at, read_prose

_ENTRY = re.compile(r"^\s*@\w+\s*\{\s*([^,\s]+)", re.MULTILINE)
# A reference is LaTeX within. These commands make a link or read a file.
_LEADS = re.compile(
    r"\\(?:href|url|path|hyperlink|includegraphics|input|include)\b(?!\{https?://)"
    r"""[^,\n]{0,40}|\burl\s*=\s*(?!\s*[{"]*https?://)[^,\n]{0,40}""",
    re.IGNORECASE,
)


def bibliography_keys(path: Path) -> list[str]:
    """The keys of a BibTeX file."""
    return _ENTRY.findall(read_prose(path))


def check_bibliography(path: Path) -> list[Issue]:
    """Issues of one BibTeX file: links that lead to no web page."""
    text = read_prose(path)
    return [
        Issue(
            f"a link to something that is no web page: {found[0].strip()!r}",
            Place(str(path), line_at(text, found.start())),
            "begin the address with https://, in braces",
        )
        for found in _LEADS.finditer(text)
    ]
