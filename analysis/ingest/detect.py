"""Which format a file has, by its content; and reading it.

A format is one module of this package with

- ``FORMAT``: its name, as in ``source.format``, and ``TITLE``, for people;
- ``recognise(head)``: whether a file with these first bytes has the format;
- ``read(path, zone)``: the file as a :class:`~analysis.ingest.reading.Reading`.

To add a format, write the module and add its name to ``FORMATS``.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Protocol, cast

from analysis.errors import user_error
from analysis.ingest.clock import zone_info
from analysis.ingest.reading import Reading, Status

# Full module names, so that the code fingerprint of a verb follows them.
FORMATS = {
    "uperf": "analysis.ingest.uperf",
    "mpstat": "analysis.ingest.mpstat",
    "procstat": "analysis.ingest.procstat",
    "run_meta": "analysis.ingest.run_meta",
    "rmf_xml": "analysis.ingest.rmf_xml",
}
HEAD = 65536
_EBCDIC_SPACE, _EBCDIC_LETTERS = 0x40, frozenset(range(0x81, 0xEA))


class Format(Protocol):
    """What a format module offers."""

    FORMAT: str
    TITLE: str

    def recognise(self, head: bytes, /) -> bool:
        """Whether a file with these first bytes has the format."""

    def read(self, path: Path, zone: str | None = None, /) -> Reading:
        """The file's rows and status."""


def load_format(name: str) -> Format:
    """The module of one of ``FORMATS``."""
    return cast(Format, importlib.import_module(FORMATS[name]))


def read_file(path: Path, zone: str | None = None) -> Reading:
    """One file, read by the module that recognises its content.

    A file that no module, or more than one, recognises has the format ``unknown``
    and a reason that says what it looks like. ``zone`` is the time zone of files
    with local times only. A ``UserError`` tells of a path that is no readable file.
    """
    head = _head(path)
    if zone:
        zone_info(zone)
    found = [module for module in map(load_format, FORMATS) if module.recognise(head)]
    if len(found) == 1 and head.strip():
        return found[0].read(path, zone)
    if found:
        names = " and ".join(module.FORMAT for module in found)
        return _unknown("failed", f"looks like {names}; put each in its own file")
    return _unknown("failed" if head.strip() else "empty", looks_like(head))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except FileNotFoundError:
        raise user_error("there is no such file", path, mend="check the path") from None
    except IsADirectoryError:
        raise user_error("this is a folder", path, mend="name one file in it") from None
    except OSError as error:
        raise user_error(f"cannot be read: {error.strerror}", path) from None


def _unknown(status: Status, reason: str) -> Reading:
    return Reading("unknown", status=status, reason=reason)


_SIGNS: tuple[tuple[str, str], ...] = (
    (r"\x1f\x8b", "a gzip archive; unpack it first"),
    (r"PK\x03\x04", "a ZIP archive; unpack it first"),
    (r"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (r"%PDF-", "a PDF document; export the data as text or XML"),
    (r"\x07\x00|[\x01\x02\x05]\x00\x00\x80\x00", "a tersed file; unpack it (AMATERSE)"),
    (r"..\x00\x00[\x1e\x5e\x0e\x4e]\x02", "an SMF dump; SMF records are not read yet"),
    (r"[\x1e\x5e]\x02", "an SMF dump without record lengths; transfer it with RDWs"),
    (r"\s*(?i:<!doctype html|<html)", "an HTML page, perhaps an error message"),
    (r'.*"file-date"', "JSON of sadf, which is not read; that of mpstat is"),
    (r"\s*<\?xml|\s*<\w", "XML of a kind that is not known"),
    (r"\s*[{\[]", "JSON of a kind that is not known"),
)


def looks_like(head: bytes) -> str:
    """What a file of no known format seems to be, and what to do about it."""
    if not head.strip():
        return "the file is empty"
    text = head.decode("latin-1")
    for pattern, meaning in _SIGNS:
        if re.match(pattern, text, re.DOTALL):
            return f"looks like {meaning}"
    if _is_ebcdic(head):
        return "looks like EBCDIC text; transfer it as text, not in binary"
    if b"\0" in head or sum(byte < 9 for byte in head) > len(head) / 50:
        return "looks like binary data of a kind that is not known"
    return "looks like text of a kind that is not known"


def _is_ebcdic(head: bytes) -> bool:
    """Text of a z/OS system: blanks are 0x40, most letters lie above 0x80."""
    letters = sum(byte in _EBCDIC_LETTERS or byte >= 0xC1 for byte in head)
    ascii_blanks = head.count(b" ") + head.count(b"\n")
    return letters > len(head) / 3 and head.count(_EBCDIC_SPACE) > 2 * ascii_blanks
