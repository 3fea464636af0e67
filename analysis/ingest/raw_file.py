"""One raw file as the readers see it: regular, and unpacked where it is packed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, FileIO
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Protocol, Self, cast

from analysis.errors import user_error
from analysis.files.inputs import descriptor_of, open_regular
from analysis.files.limits import LOG_BYTES, MIB
from analysis.ingest.compressed.packed import TAR, Unpacked, packing_of, unpack

HEAD = 65536  # bytes by which a file is known


class Raw(Protocol):
    """What readers need of a file. A plain path has it, too."""

    @property
    def name(self) -> str:
        """The last part of its path."""

    def open(self, mode: Literal["rb"], /) -> BufferedReader:
        """Its bytes, from the first on."""

    def read_bytes(self) -> bytes:
        """All its bytes."""


class RawFile:
    """A raw file with its first bytes, ``head``. Packed files are ``unpacked``.

    A :class:`UserError` tells of a path that is no readable file, and of an archive
    that is not read. One may be made of what was ``unpacked`` already.
    """

    def __init__(self, path: Path, unpacked: Unpacked | None = None) -> None:
        self.path = path
        self.unpacked = unpacked
        if unpacked:
            self._take(unpacked)
            return
        opened = descriptor_of(path)  # an object over it takes longer than to read
        try:
            self.head = os.read(opened, HEAD)
            self.size = os.fstat(opened).st_size
            if packing := packing_of(self.head):
                os.lseek(opened, 0, os.SEEK_SET)
                with FileIO(opened, closefd=False) as file:
                    self._take(unpack(packing, cast(BinaryIO, file), path))
        finally:
            os.close(opened)

    def _take(self, unpacked: Unpacked) -> None:
        self.unpacked, self.size = unpacked, unpacked.size
        self.head = unpacked.file.read(HEAD)
        if (inner := packing_of(self.head)) is TAR and unpacked.name != TAR.name:
            self._take_tar(unpacked)
        elif inner:
            self.close()
            what = f"{inner.name} within {unpacked.name}"
            mend = "unpack it once; what is packed twice is not read"
            raise user_error(what, self.path, mend=mend)

    def _take_tar(self, outer: Unpacked) -> None:
        """The file in a tar archive that was packed as a whole."""
        outer.file.seek(0)
        with outer.file:
            inner = unpack(TAR, outer.file, self.path)
        inner.name = f"{outer.name} and {TAR.name}"
        if outer.status != "ok":
            inner.status, inner.cause = outer.status, outer.cause
        self._take(inner)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.name

    def __str__(self) -> str:
        return str(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the unpacked bytes."""
        if self.unpacked:
            self.unpacked.file.close()

    def open(self, _mode: Literal["rb"] = "rb", /) -> BufferedReader:
        """The bytes, unpacked, from the first on."""
        if self.unpacked is None:
            return BufferedReader(open_regular(self.path))
        self.unpacked.file.seek(0)
        return os.fdopen(os.dup(self.unpacked.file.fileno()), "rb")

    def read_bytes(self) -> bytes:
        """All bytes, unpacked; a :class:`UserError` where they are too many."""
        if len(self.head) == self.size:
            return self.head
        if self.size > LOG_BYTES:
            what = f"a log of more than {LOG_BYTES // MIB} MiB (LOG_BYTES)"
            mend = "log less often, or cut the log into runs"
            raise user_error(what, self.path, mend=mend)
        with self.open("rb") as file:
            return file.read()


@contextmanager
def mapped(file: BufferedReader) -> Iterator[mmap.mmap | bytes]:
    """An open file as if it were in memory."""
    if os.fstat(file.fileno()).st_size == 0:
        yield b""
        return
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data
