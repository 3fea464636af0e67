"""What is in an archive of several files: each of them, read as if it lay alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from analysis.errors import UserError
from analysis.files.inputs import open_regular
from analysis.files.limits import GIB, SHOWN_CHARACTERS, UNPACKED_BYTES
from analysis.ingest.compressed.packed import (
    DAMAGES,
    MEMBERS,
    TAR,
    PackedFile,
    Packing,
    Unpacked,
    packing_of,
    unpack,
)
from analysis.ingest.detect import FORMATS
from analysis.ingest.raw_file import HEAD
from analysis.ingest.reading import Reading

Read = Callable[[Path, Unpacked], Reading]


def describe_archive(path: Path, read: Read) -> Iterator[str]:
    """A line for each member of an archive, ``archive!member``, with its format and
    status as it is ``read``, and for what is damaged; none of any other file."""
    with open_regular(path) as file:
        packing, outer, cut = packing_of(file.read(HEAD)), cast(BinaryIO, file), ""
        file.seek(0)
        if packing and packing.name not in MEMBERS:
            unpacked = unpack(packing, outer, path)
            packing, outer = packing_of(unpacked.file.read(HEAD)), unpacked.file
            outer.seek(0)
            cut = unpacked.cause.words if unpacked.cause else ""
        with outer:
            if packing and packing.name in MEMBERS:
                yield from _members(path, MEMBERS[packing.name](outer), outer, read)
        if cut:
            yield f"{path.name}: {cut}"


def _members(
    path: Path, members: Iterator[PackedFile], packed: BinaryIO, read: Read
) -> Iterator[str]:
    left = UNPACKED_BYTES
    try:
        for member in members:
            size, words = _described(path, member, packed, read)
            name = f"{path.name}!{member.name}"
            shown = name if name.isprintable() else repr(name)
            yield f"{shown}: {words}"[:SHOWN_CHARACTERS]
            if (left := left - size) < 0:
                more = f"more than {UNPACKED_BYTES // GIB} GiB (UNPACKED_BYTES)"
                yield f"{path.name}: the rest is not looked at: it unpacks to {more}"
                return
    except DAMAGES as error:
        yield f"{path.name}: what follows is damaged ({error}); fetch it again"


def _described(
    path: Path, member: PackedFile, packed: BinaryIO, read: Read
) -> tuple[int, str]:
    """How many bytes a member has, and what it is."""
    opened = member.open
    if member.refusal or opened is None:
        return 0, f"not read: it {member.refusal}"
    try:
        way = Packing("this file", TAR.sign, lambda _: opened())
        unpacked = unpack(way, packed, path)
        place = Path(f"{path}!{member.name}")
        reading = read(place, unpacked)
    except UserError as error:
        return 0, error.issues[0].what
    known = FORMATS.get(reading.format)
    words = f"{known.TITLE if known else 'unknown format'}, {reading.status}"
    return unpacked.size, f"{words}{f': {reading.reason}' * bool(reading.reason)}"
