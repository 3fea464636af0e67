"""Files packed by AMATERSE (TRSMAIN) of z/OS: PACK and SPACK, as the host writes them.

A header of 12 bytes says the method, whether records have lengths of their own, and
flags; then follow codes of 12 bits, up to a zero. Codes to 256 are a byte plus one,
257 ends a record, and those from 258 on are phrases that both sides learn alike: PACK
adds one character to a phrase, SPACK joins two phrases. The least recently used ones
make room. Source: the program TerseDecompress of the Open Mainframe Project (Apache
2.0), from which its authors published the format; checked against its test files.

Records with lengths come out with record descriptor words, as SMF records are read.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from analysis.files.limits import TERSED_BYTES

PACK, SPACK = 2, 5
NATIVE = (b"\x01\x89\x69\xa5", b"\x07\x89\x69\xa5")  # of other systems; not read
CURE = (
    "send it again in binary, or unpack it with AMATERSE on z/OS or with the public "
    "program TerseDecompress and its option -b"
)
_HEADER = struct.Struct(">BBHBBHI")
_OF_MVS = 0x04  # the flag without which all of ratio, block size and flags are zero
_MARK, _PHRASES, _ALL = 257, range(258, 4096), 4096
_RECORD_END = chr(_MARK - 1)
_BLANK = chr(0x40)


class DamagedTerseError(ValueError):
    """What makes a tersed file unusable, in words."""


@dataclass(frozen=True)
class Head:
    """Method and record format of a tersed file."""

    method: int
    variable: bool


def tersed(head: bytes) -> Head | None:
    """What a file that begins so says of itself; null if it is not tersed.

    Few bits tell it: ask whether the file is anything else first.
    """
    if len(head) < _HEADER.size:
        return None
    method, variable, length, flags, ratio, block, more = _HEADER.unpack_from(head)
    if method not in (PACK, SPACK) or variable > 1 or more > 0x7FFF_FFFF:
        return None
    if not (length or more) or (length and more and length != more):
        return None
    if not flags & _OF_MVS and (flags or ratio or block):
        return None
    return Head(method, bool(variable))


def is_whole(data: bytes) -> bool:
    """Whether the last code is the zero that ends a tersed file, or fills it."""
    return not int.from_bytes(data[-2:], "big") & 0xFFF


def unpack(data: bytes, limit: int = TERSED_BYTES) -> bytes:
    """The bytes that were packed, at most ``limit`` of them.

    A :class:`DamagedTerseError` says why there are none.
    """
    head = tersed(data)
    if len(data) > limit:
        raise _too_large(limit)
    if head is None:
        raise DamagedTerseError("it has no header of a tersed file")
    codes = _codes(data[_HEADER.size :])
    phrases = _packed(codes) if head.method == PACK else _spacked(codes, limit)
    text = _joined(phrases, limit)
    if not head.variable:
        return text.replace(_RECORD_END, "").encode("latin-1")
    return b"".join(_records(text))


def _codes(data: bytes) -> Iterator[int]:
    """The numbers of 12 bits up to the zero that ends them, or up to the end."""
    count, padded = len(data) * 2 // 3, data + bytes(-len(data) % 3)
    triples = zip(padded[0::3], padded[1::3], padded[2::3], strict=True)
    pairs = ((a << 4 | b >> 4, (b & 15) << 8 | c) for a, b, c in triples)
    return takewhile(bool, islice(chain.from_iterable(pairs), count))


def _too_large(limit: int) -> DamagedTerseError:
    return DamagedTerseError(f"it has more than {limit:,} bytes (TERSED_BYTES)")


def _joined(phrases: Iterator[str], limit: int) -> str:
    parts, size = [], 0
    for phrase in phrases:
        parts.append(phrase)
        size += len(phrase)
        if size > limit:
            raise _too_large(limit)
    return "".join(parts)


def _records(text: str) -> Iterator[bytes]:
    """Each record behind its descriptor word."""
    *whole, rest = text.split(_RECORD_END)
    for record in [*whole, rest] if rest else whole:
        if len(record) > 0xFFFF - 4:
            raise DamagedTerseError(f"it has a record of {len(record):,} bytes")
        yield struct.pack(">HH", len(record) + 4, 0) + record.encode("latin-1")


def _letters() -> list[str]:
    """What the codes up to 257 stand for, and room for all others."""
    return ["", *map(chr, range(_MARK)), *[""] * len(_PHRASES)]


def _packed(codes: Iterable[int]) -> Iterator[str]:
    """Phrases of PACK: each code adds its first character to the one before it.

    At first the phrases are 2, 3, 4 … blanks. A phrase that is used comes to the
    front with all its beginnings, the shortest first.
    """
    said = _letters()
    parent = [0] * _ALL
    for node in _PHRASES:
        parent[node] = node - 1 if node > _PHRASES[0] else 1 + ord(_BLANK)
        said[node] = said[parent[node]] + _BLANK
    used = OrderedDict.fromkeys(reversed(_PHRASES))  # the least recent one first
    before, last = "", 0
    for code in codes:
        new, _ = used.popitem(last=False)
        if code == new:
            raise DamagedTerseError("a code stands for a phrase that is forgotten")
        if last:
            said[last] = before + (before if code == last else said[code])[0]
        before = said[code]
        yield before
        used[new] = None
        parent[new], last = code, new
        while code >= _PHRASES[0]:
            used.move_to_end(code)
            code = parent[code]


def _spacked(codes: Iterable[int], limit: int) -> Iterator[str]:
    """Phrases of SPACK: each code is joined to the one before it.

    Phrases that are part of another one are kept; of the others the oldest is
    forgotten first.
    """
    said, parts = _letters(), [(0, 0)] * _ALL
    owners = [0] * _ALL  # how many phrases each is part of
    free = list(reversed(_PHRASES))
    unused: OrderedDict[int, None] = OrderedDict()
    kept, last = 0, 0
    for code in codes:
        if last and not free:
            kept -= _forget(said, parts, owners, free, unused)
        if not said[code]:
            raise DamagedTerseError("a code stands for a phrase that is not there")
        yield said[code]
        if last:
            node = free.pop()
            said[node], parts[node] = said[last] + said[code], (last, code)
            for part in (last, code):
                owners[part] += 1
                unused.pop(part, None)
            unused[node] = None
            kept += len(said[node])
            if kept > limit:
                raise _too_large(limit)
        last = code


def _forget(
    said: list[str],
    parts: list[tuple[int, int]],
    owners: list[int],
    free: list[int],
    unused: OrderedDict[int, None],
) -> int:
    """Forget the oldest phrase that is part of no other; how long it was."""
    if not unused:
        raise DamagedTerseError("none of its phrases may be forgotten")
    node, _ = unused.popitem(last=False)
    size, said[node] = len(said[node]), ""
    for part in parts[node]:
        owners[part] -= 1
        if not owners[part] and part >= _PHRASES[0]:
            unused[part] = None
    free.append(node)
    return size
