"""Files of one or more packed streams, unpacked by the decompressors of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Protocol

_BLOCK = 2**18


class Decompressor(Protocol):
    """What unpacks one stream, as those of ``bz2`` and ``lzma`` do."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether more packed bytes are needed."""

    @property
    def unused_data(self) -> bytes:
        """The packed bytes behind the end of the stream."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Some bytes, at most that many, of what was packed so far."""


class Streams:
    """Packed streams behind one another, and zeros that fill the last block.

    Anything else behind them is damage: files of the standard library pass over it in
    silence, though it may be a stream whose beginning was damaged.
    """

    def __init__(self, packed: BinaryIO, new: Callable[[], Decompressor]) -> None:
        self._packed, self._new, self._one = packed, new, new()

    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most that many; ``EOFError`` where more were to come."""
        while True:
            data = b""
            if self._one.eof:
                if not (data := self._behind()):
                    return b""
                self._one = self._new()
            elif self._one.needs_input and not (data := self._packed.read(_BLOCK)):
                raise EOFError
            if unpacked := self._one.decompress(data, size):
                return unpacked

    def _behind(self) -> bytes:
        data = self._one.unused_data or self._packed.read(_BLOCK)
        while data and not (rest := data.lstrip(b"\0")):
            data = self._packed.read(_BLOCK)
        return rest if data else b""
