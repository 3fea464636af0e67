"""Zstandard files, unpacked by the codec of Arrow."""

from __future__ import annotations

from typing import Any, BinaryIO

import pyarrow

_CUT = "Truncated"  # so says Arrow where the packed file ends too soon


class ZstdFile:
    """A Zstandard file that unpacks as it is read."""

    def __init__(self, packed: BinaryIO) -> None:
        source = pyarrow.PythonFile(packed, mode="r")
        self._stream: Any = pyarrow.CompressedInputStream(source, "zstd")

    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most that many; ``EOFError`` where more were to come."""
        try:
            return bytes(self._stream.read(size))
        except OSError as error:
            if _CUT in str(error):
                raise EOFError from None
            raise
