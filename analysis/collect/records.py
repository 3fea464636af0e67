"""Records of a data set with their lengths: from z/OSMF's form to that of dumps.

z/OSMF puts four bytes before each record, its length without them. A record descriptor
word (RDW) is two bytes of length, these four included, and two of zeros.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from analysis.errors import user_error

_WORD = 4
_LONGEST = 0xFFFF - _WORD


class RecordSink:
    """Takes records as z/OSMF sends them, in pieces; writes them with RDWs."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name = file, name
        self.records = 0
        self._rest = bytearray()

    def write(self, data: bytes) -> None:
        """Take some more bytes."""
        rest = self._rest
        rest += data
        at, out = 0, bytearray()
        while len(rest) - at >= _WORD:
            length = int.from_bytes(rest[at : at + _WORD], "big")
            self._check(length)
            end = at + _WORD + length
            if end > len(rest):
                break
            out += (length + _WORD).to_bytes(2, "big") + b"\0\0"
            out += rest[at + _WORD : end]
            self.records += 1
            at = end
        del rest[:at]
        self.file.write(out)

    def finish(self) -> None:
        """The end of the answer, which is to be that of a record."""
        if self._rest:
            what = f"ends within record {self.records + 1:,}; nothing was kept"
            raise user_error(what, self.name, mend="run this again")

    def _check(self, length: int) -> None:
        if length > _LONGEST:
            what = f"record {self.records + 1:,} would have {length:,} bytes"
            mend = "see that the server keeps records: z/OS 2.3 or later"
            raise user_error(what, self.name, mend=mend)


def check_descriptors(path: Path, name: str) -> int:
    """The records of a file that has descriptor words; a :class:`UserError` where they
    do not lead from one to the next up to the end."""
    count = 0
    with path.open("rb") as file:
        while word := file.read(_WORD):
            length = int.from_bytes(word[:2], "big")
            sound = len(word) == _WORD and length >= _WORD and word[2] < 4
            body = file.read(length - _WORD) if sound else b""
            if not sound or len(body) < length - _WORD:
                what = f"no record descriptor word at byte {file.tell():,}"
                mend = "the server did not keep them: see that it knows SITE RDW"
                raise user_error(f"{what}; nothing was kept", name, mend=mend)
            count += 1
    return count
