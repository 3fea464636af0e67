"""Damage to an input: bits, lengths, cuts, splices, repeats and extreme numbers.

A damaged input is a whole one with some edits. An edit is four numbers, so that
hypothesis can make it simpler: what is done, where, and with what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

EXTREMES = (
    b"0", b"-1", b"1e308", b"1e999", b"NaN", b"-Infinity", b"9" * 19, b"9" * 25,
    b"9" * 5000, b"-9223372036854775809", b"0.0000000001", b"99:99:99", b"1,5", b"",
)  # fmt: skip
TOKENS = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\r", b"\n",
    b"\n---\n", b"{{ ", b" }}", b"{% ", b" %}", b"{#", b"[" * 24, b"(" * 200,
    b"<" * 50, b'{"a":' * 300, b'"', b"'", b"`", b"\\", b"$", b"@", b"&a [*a]", b"*x",
    b"!!python/object/apply:os.system [id]", b"<!ENTITY x SYSTEM 'file:///etc/passwd'>",
    b"<script>alert(1)</script>", b"](javascript:alert(1))", b"; | $(id) `id`",
    b"../../../../etc/passwd", b"-" * 300, b"| " * 300, b"\t", b"  - ", b": ", b"#",
    b"{{ campaign('lab').parse_raw('x') }}", b"{{ ().__class__.__mro__ }}",
    b"{{ 'x' * 10**9 }}", b"{{ 9**9**9 }}",
    b"{% for x in range(10**9) %}x{% endfor %}",
    b"{{ delta('latency', '*') }}", b"latency falls for RR* by 1e999%",
    b"^[x]", b"[^1]",
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_MOST = 2**20


class Edit(NamedTuple):
    """One edit; each ``do`` takes from ``at``, ``size`` and ``value`` what it needs."""

    do: str
    at: int
    size: int
    value: int


def flip(data: bytes, edit: Edit, _: bytes) -> bytes:
    """One bit the other way."""
    at = edit.at % len(data)
    return data[:at] + bytes([data[at] ^ (1 << edit.value % 8)]) + data[at + 1 :]


def overwrite(data: bytes, edit: Edit, _: bytes) -> bytes:
    """A length field, or what may be one, with another length."""
    at, size = edit.at % len(data), (1, 2, 4, 8)[edit.size % 4]
    most = 256**size - 1
    old = int.from_bytes(data[at : at + size], "big")
    new = (0, 1, most, most // 2, old + 1, old - 1, old * 2, edit.value)[edit.value % 8]
    return data[:at] + (new % (most + 1)).to_bytes(size, "big") + data[at + size :]


def cut(data: bytes, edit: Edit, _: bytes) -> bytes:
    """Nothing after a place."""
    return data[: edit.at % len(data)]


def drop(data: bytes, edit: Edit, _: bytes) -> bytes:
    """A piece left out."""
    at = edit.at % len(data)
    return data[:at] + data[at + 1 + edit.size % 300 :]


def repeat(data: bytes, edit: Edit, _: bytes) -> bytes:
    """A piece several times."""
    at = edit.at % len(data)
    return (
        data[:at] + data[at : at + 1 + edit.size % 300] * (edit.value % 40) + data[at:]
    )


def splice(data: bytes, edit: Edit, other: bytes) -> bytes:
    """The beginning of one file and the end of another."""
    return data[: edit.at % len(data)] + other[edit.size % (len(other) or 1) :]


def number(data: bytes, edit: Edit, _: bytes) -> bytes:
    """A number that is extreme in the place of one that is not."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    old, new = found[edit.at % len(found)], EXTREMES[edit.value % len(EXTREMES)]
    return data[: old.start()] + new + data[old.end() :]


def token(data: bytes, edit: Edit, _: bytes) -> bytes:
    """A piece of text that means something to a parser."""
    at = edit.at % len(data)
    return data[:at] + TOKENS[edit.value % len(TOKENS)] + data[at:]


DO: dict[str, Callable[[bytes, Edit, bytes], bytes]] = {
    one.__name__: one
    for one in (number, token, flip, overwrite, drop, repeat, cut, splice)
}
_places = st.integers(0, _MOST)
edits = st.lists(
    st.builds(Edit, st.sampled_from(sorted(DO)), _places, _places, _places),
    min_size=1,
    max_size=6,
)


def damaged(data: bytes, made: Sequence[Edit], other: bytes) -> bytes:
    """The input after all edits; ``other`` is what may be spliced to it."""
    for edit in made:
        if data:
            data = DO[edit.do](data, edit, other)
    return data[: 4 * _MOST]
