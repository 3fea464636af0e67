"""Compressed raw files: which there are, and their bytes, unpacked.

What was measured is the compressed file: its hash is the evidence. Positions in it
are those of the unpacked bytes. These go to a nameless temporary file, so that a dump
of many GB takes no memory and every reader may go back in it as in any other.

To add a packing, add it to ``PACKINGS``.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import shlex
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from analysis.errors import UserError, user_error
from analysis.facts.remark import Remark, remark
from analysis.files.limits import (
    GIB,
    MIB,
    UNPACKED_BYTES,
    UNPACKED_RATIO,
    UNPACKING_BYTES,
)
from analysis.ingest.compressed.lzw import CompressFile
from analysis.ingest.reading import Problem, Reading, Status

_BLOCK = 2**18
_IN_LIMITS = "unpack it, see that it is what was measured, and split it if it is"
_KEEP = "if you know who made it, unpack it, and keep the file in it"
DAMAGES = (
    zlib.error,
    lzma.LZMAError,
    OSError,
    zipfile.BadZipFile,
    tarfile.TarError,
    ValueError,
    NotImplementedError,  # of a version that no ZIP archive has
)
_MANY = 1_000  # entries of an archive, of which no more are counted
# What tools for archives add of their own accord.
_OUTSIDE = re.compile(r"^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)")
_NO_DATA = re.compile(r"__MACOSX/|(.*/)?\.DS_Store\Z")


class Unpacking(Protocol):
    """A file that unpacks as it is read. It raises ``EOFError`` where the packed file
    ends too soon, and one of ``DAMAGES`` where it is damaged."""

    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most that many; none at the end."""


Open = Callable[[], Unpacking]


@dataclass(frozen=True)
class PackedFile:
    """An entry of an archive: its name, what opens it where it is a file, and why it is
    not read, or empty."""

    name: str
    open: Open | None
    refusal: str


class RefusedError(Exception):
    """An archive that is not read, and what to do about it."""


class ArchiveError(UserError):
    """The same, with its path."""


@dataclass(frozen=True)
class Packing:
    """One way to pack a file: its name, how such a file begins, and who unpacks it."""

    name: str
    sign: re.Pattern[bytes]
    open: Callable[[BinaryIO], Unpacking]


@dataclass
class Unpacked:
    """What was unpacked: the bytes, how many, and what was wrong with the archive."""

    name: str
    file: BinaryIO
    size: int = 0
    status: Status = "ok"
    cause: Remark | None = None

    def tell(self, reading: Reading) -> None:
        """Lower the status of what was read from an archive that is not whole.

        Of one that is cut off, what came before the cut is as it was packed. Of one
        that is damaged nothing is known to be: its check comes last.
        """
        reading.details["packed"] = f"{self.name}, {self.size:,} bytes unpacked"
        if self.status == "ok":
            return
        if self.cause:
            reading.problems.insert(0, Problem(self.cause, offset=self.size))
        if self.status == "failed":
            reading.verdicts = {}
        if self.status == "failed" or reading.status in ("ok", "degraded", "empty"):
            reading.judge(self.status, self.cause)


def packing_of(head: bytes) -> Packing | None:
    """How a file that begins so is packed; null where it is not."""
    if head[257:262] == b"ustar":
        return TAR
    if head[:1] not in _FIRST:
        return None
    return next((each for each in PACKINGS if each.sign.match(head)), None)


def _nameless() -> BinaryIO:
    return cast(BinaryIO, tempfile.TemporaryFile())


def hold(name: str, data: bytes = b"") -> Unpacked:
    """Bytes that were unpacked, of a packing of that name."""
    unpacked = Unpacked(name, _nameless(), len(data))
    unpacked.file.write(data)
    unpacked.file.seek(0)
    return unpacked


def unpack(packing: Packing, packed: BinaryIO, path: Path) -> Unpacked:
    """The bytes of a packed file, as far as it is whole.

    A :class:`UserError` tells of one that is not read: an archive of several files,
    one with a password, one that unpacks to more than the limits.
    """
    unpacked = hold(packing.name)
    try:
        for block in _blocks(packing, packed, unpacked):
            unpacked.size += len(block)
            _check_size(unpacked.size, packed.tell(), path)
            unpacked.file.write(block)
    except RefusedError as error:
        what, mend = error.args
        mend = mend or f"unpack it beside itself, then move it away: {command(path)}"
        told = user_error(f"{packing.name}: {what}", path, mend=mend)
        raise ArchiveError(told.issues) from None
    unpacked.file.seek(0)
    return unpacked


def command(path: Path) -> str:
    """What to type to unpack an archive into a folder beside it, and to take it out of
    the campaign. ``unzip`` and GNU tar leave nothing outside of that folder."""
    folder = path.with_name(re.sub(r"(\.tar)?\.\w+\Z", "", path.name) or "archive")
    if folder == path:
        folder = path.with_name(f"{path.name}.files")
    at, to = shlex.quote(str(path)), shlex.quote(str(folder))
    with path.open("rb") as file:
        is_zip = file.read(2) == b"PK"
    unpacked = f"unzip -n {at} -d {to}" if is_zip else f"tar -xkf {at} -C {to}"
    return f"mkdir -p {to} && {unpacked} && mv {at} ~/"


def _blocks(packing: Packing, packed: BinaryIO, unpacked: Unpacked) -> Iterator[bytes]:
    """The unpacked bytes; ``unpacked`` is told where they end too soon."""
    try:
        stream = packing.open(packed)
        while block := stream.read1(_BLOCK):
            yield block
    except EOFError:
        unpacked.status, what = "truncated", "is cut off"
    except (*DAMAGES, MemoryError) as error:
        if isinstance(error, MemoryError) or "memory" in str(error).lower():
            more = f"more than {UNPACKING_BYTES // MIB} MiB (UNPACKING_BYTES)"
            raise RefusedError(f"to unpack it takes {more}", _IN_LIMITS) from None
        unpacked.status, what = "failed", f"is damaged ({error})"
    else:
        return
    if not unpacked.size:
        unpacked.status = "failed"
    unpacked.cause = remark(
        "not_whole_archive",
        f"{packing.name} {what} after {unpacked.size:,} unpacked bytes; "
        "fetch it again, in binary",
    )


def _check_size(size: int, taken: int, path: Path) -> None:
    if size > UNPACKED_BYTES:
        what = f"unpacks to more than {UNPACKED_BYTES // GIB} GiB (UNPACKED_BYTES)"
        raise user_error(what, path, mend=_IN_LIMITS)
    if size > MIB and size > UNPACKED_RATIO * taken:
        more = f"more than {UNPACKED_RATIO:,} times its size (UNPACKED_RATIO)"
        raise user_error(f"unpacks to {more}", path, mend=_IN_LIMITS)


class Streams:
    """Packed streams behind one another, and zeros that fill the last block; ``new``
    makes a decompressor, as of ``bz2`` and ``lzma``, for each.

    Anything else behind them is damage: files of the standard library pass over it in
    silence, though it may be a stream whose beginning was damaged.
    """

    def __init__(self, packed: BinaryIO, new: Callable[[], Any]) -> None:
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
                return bytes(unpacked)

    def _behind(self) -> bytes:
        data: bytes = self._one.unused_data or self._packed.read(_BLOCK)
        while data and not (rest := data.lstrip(b"\0")):
            data = self._packed.read(_BLOCK)
        return rest if data else b""


class ZstdFile:
    """A Zstandard file that the codec of Arrow unpacks as it is read."""

    def __init__(self, packed: BinaryIO) -> None:
        import pyarrow  # takes 0.1 s

        source = pyarrow.PythonFile(packed, mode="r")
        self._stream: Any = pyarrow.CompressedInputStream(source, "zstd")

    def read1(self, size: int, /) -> bytes:
        """Some bytes, at most that many; ``EOFError`` where more were to come."""
        try:
            return bytes(self._stream.read(size))
        except OSError as error:
            if "Truncated" in str(error):  # so says Arrow
                raise EOFError from None
            raise


def _only(members: Iterable[PackedFile]) -> Unpacking:
    """The only file of an archive: a source is one file, with one hash, in which a line
    or an offset is a place. Of several none would say which one it is in."""
    files = [(each, each.open) for each in islice(members, _MANY) if each.open]
    if len(files) != 1:
        some = ", ".join(repr(each.name) for each, _ in files[:3])
        what = f"{len(files)} files are in it{f', such as {some}' if some else ''}"
        raise RefusedError(what, "")
    ((one, opened),) = files
    if one.refusal:
        raise RefusedError(f"{one.name!r} in it {one.refusal}", _KEEP)
    try:
        return opened()
    except NotImplementedError as error:
        raise RefusedError(str(error), _KEEP) from None


def members_of_zip(packed: BinaryIO) -> Iterator[PackedFile]:
    """What is in a ZIP archive, without folders."""
    archive = zipfile.ZipFile(packed)
    for each in archive.infolist():
        link = stat.S_ISLNK(each.external_attr >> 16)
        refusal = "is a link" * link or "wants a password" * (each.flag_bits & 1)
        if not each.is_dir():
            opened = None if link else partial(archive.open, each)
            yield from _member(each.filename, cast(Open, opened), refusal)


def members_of_tar(packed: BinaryIO) -> Iterator[PackedFile]:
    """What is in a tar archive, without folders."""
    archive = tarfile.open(fileobj=packed, mode="r:")  # noqa: SIM115 - of the caller
    for each in archive:
        link = each.issym() or each.islnk()
        refusal = f"is a link to {each.linkname!r}" if link else "is a device"
        if each.isfile():
            opened = partial(archive.extractfile, each)
            yield from _member(each.name, cast(Open, opened), "")
        elif not each.isdir():
            yield from _member(each.name, None, refusal)


def _member(name: str, opened: Open | None, refusal: str) -> Iterator[PackedFile]:
    if _OUTSIDE.search(name):
        refusal = "leads out of the archive"
    if not _NO_DATA.match(name):
        yield PackedFile(name, opened, refusal)


def _new_xz() -> Any:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKING_BYTES)


PACKINGS = tuple(
    Packing(name, re.compile(sign), open)
    for name, sign, open in (
        ("gzip", rb"\x1f\x8b\x08", lambda packed: gzip.GzipFile(fileobj=packed)),
        (
            "bzip2",
            rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
            lambda packed: Streams(packed, bz2.BZ2Decompressor),
        ),
        ("xz", rb"\xfd7zXZ\0", lambda packed: Streams(packed, _new_xz)),
        ("Zstandard", rb"[\x50-\x5f]\x2a\x4d\x18|\x28\xb5\x2f\xfd", ZstdFile),
        ("ZIP", rb"PK(\x03\x04|\x05\x06)", lambda p: _only(members_of_zip(p))),
        ("compress", rb"\x1f\x9d", CompressFile),
    )
)
TAR = Packing(
    "tar", re.compile(rb".{257}ustar", re.DOTALL), lambda p: _only(members_of_tar(p))
)
MEMBERS = {"ZIP": members_of_zip, TAR.name: members_of_tar}
# By their first bytes nearly all files are told from these at once.
_FIRST = frozenset(bytes([one]) for one in (*b"\x1fB\xfd\x28", *range(0x50, 0x60)))
