"""What a file of no known format seems to be: dumps that were converted, archives."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.facts.remark import Remark, remark
from analysis.ingest.bench.other_tools import WAY, tool_of
from analysis.ingest.compressed.terse import CURE
from analysis.ingest.smf.sniff import TRANSFER

_DUMP = ".smf"
_CONVERTED = {  # kinds of causes, and what a dump became
    "ebcdic_text": "EBCDIC text",
    "unknown_binary": "binary data of a kind that is not known",
    "unknown_text": "text of a kind that is not known",
}
_EBCDIC_SPACE, _EBCDIC_LETTERS = 0x40, frozenset(range(0x81, 0xEA))
_XMIT = "a file of TRANSMIT (XMIT); RECEIVE it on z/OS, then send the data set in it"
_SIGNS: tuple[tuple[str, str], ...] = (
    (r"\x1f\x8b", "a gzip archive; unpack it first"),
    (r"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (r"\x04\x22\x4d\x18", "an LZ4 archive; unpack it first"),
    (r"\x1f\x9d", "an archive of compress (.Z); unpack it first"),
    (r"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (r".{257}ustar", "a tar archive; unpack it, and keep each file in it"),
    (r".{2}\xc9\xd5\xd4\xd9\xf0\xf1", _XMIT),
    (r"\xff\xfe|\xfe\xff", "UTF-16 text, as of PowerShell; save it as UTF-8"),
    (r"%PDF-", "a PDF document; export the data as text or XML"),
    (r"[\x01\x07]\x89\x69\xa5", f"a tersed file, but not of z/OS; {CURE}"),
    (r"..\x00\x00[\x1e\x5e\x0e\x4e]\x02", f"a damaged SMF dump; {TRANSFER}"),
    (r"[\x1e\x5e]\x02", f"an SMF dump without record lengths; {TRANSFER}"),
    (r"\s*(?i:<!doctype html|<html)", "an HTML page, perhaps an error message"),
    (r"\s*<\?xml|\s*<\w", "XML of a kind that is not known"),
    (r"\s*[{\[]", "JSON of a kind that is not known"),
    (r"\s*\d+\s*$", "a number alone, such as cpuacct.usage; keep cpuacct.stat"),
)


def looks_like(head: bytes, path: Path) -> Remark:
    """What a file with these first bytes seems to be, and what to do about it."""
    return _as_dump(path, _looks_like(head))


def _looks_like(head: bytes) -> Remark:
    if not head.strip():
        return remark("empty_file", "the file is empty")
    text = head.decode("latin-1")
    if tool := tool_of(text):
        return remark(
            "other_tool", f"looks like a log of {tool}, which is not read; {WAY}"
        )
    for pattern, meaning in _SIGNS:
        if re.match(pattern, text, re.DOTALL):
            return remark("looks_like", f"looks like {meaning}")
    if _is_ebcdic(head):
        return remark("ebcdic_text")
    if b"\0" in head or sum(byte < 9 for byte in head) > len(head) / 50:
        return remark("unknown_binary")
    return remark("unknown_text")


def _as_dump(path: Path, cause: Remark) -> Remark:
    """The cause; what is named as a dump, but was converted, is to be fetched anew."""
    converted = _CONVERTED.get(cause.kind)
    if path.suffix.lower() != _DUMP or converted is None:
        return cause
    return remark(
        "converted_dump",
        f"looks like {converted}, though an SMF dump by its name; {TRANSFER}",
    )


def _is_ebcdic(head: bytes) -> bool:
    """Text of a z/OS system: blanks are 0x40, most letters lie above 0x80."""
    letters = sum(byte in _EBCDIC_LETTERS or byte >= 0xC1 for byte in head)
    ascii_blanks = head.count(b" ") + head.count(b"\n")
    return letters > len(head) / 3 and head.count(_EBCDIC_SPACE) > 2 * ascii_blanks
