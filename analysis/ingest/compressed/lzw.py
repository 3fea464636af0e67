"""Files of ``compress`` (``.Z``), as z/OS UNIX writes them, unpacked as they are read.

Two bytes of magic; a byte with the most bits of a code, and X'80' where code 256 clears
the table; then codes of 9 bits and more, low bits first, in groups of eight. A code
gets wider when the table is full for its width, and a group ends early then. Nothing
says where a file ends, so one that was cut off is told by what is in it alone. Source:
POSIX.1-2024, "compress"; checked against gzip, which unpacks such files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from analysis.files.limits import UNPACKING_BYTES

_CLEAR, _LEAST, _MOST = 256, 9, 16
_BLOCK = 2**16


class CompressFile:
    """Such a file, unpacked as it is read."""

    def __init__(self, packed: BinaryIO) -> None:
        head = packed.read(3)
        if len(head) < 3:
            raise EOFError
        self._blocks = _unpacked(packed, head[2] & 31, bool(head[2] & 0x80))

    def read1(self, _size: int, /) -> bytes:
        """Some bytes; none at the end."""
        return next(self._blocks, b"")


def _unpacked(packed: BinaryIO, most: int, clears: bool) -> Iterator[bytes]:
    if not _LEAST < most <= _MOST:  # programs differ in what 9 bits at most mean
        raise ValueError(f"codes of {most} bits")
    plain = [bytes((byte,)) for byte in range(256)] + [b""] * clears
    table, width, before, held, out = list(plain), _LEAST, b"", 0, bytearray()
    while group := packed.read(width):
        bits, mask = int.from_bytes(group, "little"), (1 << width) - 1
        for nth in range(len(group) * 8 // width):
            code = bits >> nth * width & mask
            if code == _CLEAR and clears:
                table, width, before, held = list(plain), _LEAST, b"", 0
                break
            if code < len(table):
                phrase = table[code]
            elif code == len(table) and before:
                phrase = before + before[:1]
            else:
                raise ValueError(f"the code {code} before it has a meaning")
            out += phrase
            if before and len(table) < 1 << most:
                table.append(before + phrase[:1])
                held += len(before)
                if held > UNPACKING_BYTES:
                    raise MemoryError
            before = phrase
            if len(table) > mask and width < most:
                width += 1
                break
        if len(out) > _BLOCK:
            yield bytes(out)
            out.clear()
    if out:
        yield bytes(out)
