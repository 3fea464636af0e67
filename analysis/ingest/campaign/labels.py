"""Files that say of themselves that nobody measured them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from analysis.errors import Issue, Place, UserError
from analysis.ingest.raw_file import RawFile

# In ASCII and in EBCDIC, as generators of test data write it at the head of a file.
_LABEL = re.compile(
    b"|".join(
        rb"(?<![%b])%b(?![%b])" % (letters, re.escape(label), letters)
        for letters, label in (
            (b"A-Za-z_", b"SYNTHETIC"),
            (rb"\xc1-\xc9\xd1-\xd9\xe2-\xe9", "SYNTHETIC".encode("cp037")),
        )
    )
)
_SHOWN = 3
_PROSE = (".md", ".rst")  # what people say about files


def is_labelled(path: Path) -> bool:
    """Whether a file says at its beginning that it is SYNTHETIC."""
    return _label(path) is not None


def _label(path: Path) -> Place | None:
    """Where a file says so: the line of a text, the byte of any other file."""
    with RawFile(path) as raw:
        found, head = _LABEL.search(raw.head), raw.head
    if not found:
        return None
    if b"\0" in head:
        return Place(str(path), offset=found.start())
    return Place(str(path), head.count(b"\n", 0, found.start()) + 1)


def check_labels(
    folder: Path, origin: str, files: Iterable[str], where: Place
) -> list[Issue]:
    """Files that say SYNTHETIC in a campaign that is declared to be anything else."""
    if origin == "synthetic":
        return []
    data = (file for file in sorted(files) if not file.endswith(_PROSE))
    places: list[Place] = []
    for path in (folder / file for file in data):
        with suppress(OSError, UserError):  # of which whoever reads the file tells
            places += filter(None, [_label(path)])
    if not places:
        return []
    more = len(places) - _SHOWN
    shown = ", ".join(map(str, places[:_SHOWN])) + (f" and {more} more" * (more > 0))
    what = f"origin is {origin}, but files say that they are SYNTHETIC: {shown}"
    mend = "write 'origin: synthetic', or put measured files in their place"
    return [Issue(what, where, mend)]
