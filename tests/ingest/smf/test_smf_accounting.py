"""Every record that is counted gives rows, or a reason: over all types decoded.

One triplet of a record is damaged in each of many ways. Whatever comes of it, rows are
those of the sound record, or the file says where and why there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import polars as pl
import pytest

from analysis.ingest.reading import Reading
from analysis.ingest.smf.columns import NO_SUBTYPE
from analysis.ingest.smf.records import DUMP
from analysis.ingest.smf.types import READ
from synthetic.smf.bytes_of import number
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import messages
from tests.ingest.smf.made_cics import dictionary
from tests.ingest.smf.made_crypto import coprocessor, crypto
from tests.ingest.smf.made_other import data_lost
from tests.ingest.smf.test_smf_damage import INTERVAL, RECORDS, read_back

Triplet = tuple[int, int, int]  # offset, length, number
Kind = tuple[int, int]


def kind_of(record: bytes) -> Kind:
    has_subtype = record[4] & 0x40
    return record[5], int.from_bytes(
        record[22:24], "big"
    ) if has_subtype else NO_SUBTYPE


BY_KIND = {kind_of(record): record for record in RECORDS if record[5] not in DUMP}
BY_KIND |= {(30, n): address_space(Space(subtype=n)) for n in (3, 4, 6)}
BY_KIND[7, NO_SUBTYPE] = data_lost(INTERVAL.start, INTERVAL.end, 1234)
BY_KIND[70, 2] = crypto(INTERVAL, [coprocessor(3, 180, 4_500_000, 12)])
DECODED = sorted(READ)
PLACES = {
    7: range(0), 30: range(32, 88, 8), 82: range(0), 110: range(28, 44, 8),
    113: range(36, 52, 8), 115: range(28, 44, 8), 123: range(40, 56, 8),
}  # fmt: skip
PLACES_OF_KIND = {(116, 1): range(28, 60, 8), (116, 10): range(28, 44, 8)}
BEFORE = {(110, 1): dictionary()}  # what has to stand before a record
NOT_READ = {
    (73, 1): 36,
    (74, 1): 36,
    (78, 3): 36,
}  # sections that are not decoded are not looked at


def places(record: bytes) -> Iterator[int]:
    """Where the triplets of a record are that have sections."""
    count = int.from_bytes(record[24:26], "big")
    usual = PLACES.get(record[5], range(28, 28 + 8 * count, 8))
    for at in PLACES_OF_KIND.get(kind_of(record), usual):
        if record[at + 6 : at + 8] != b"\0\0":
            yield at


def read_places(record: bytes) -> Iterator[int]:
    """Those of them whose sections are decoded."""
    return (at for at in places(record) if at != NOT_READ.get(kind_of(record)))


def damages(record: bytes, at: int) -> Iterator[tuple[str, Triplet]]:
    """Each way in which the triplet is damaged."""
    offset, length, count = (
        int.from_bytes(record[at + first : at + last], "big")
        for first, last in ((0, 4), (4, 6), (6, 8))
    )
    yield "offset beyond the record", (len(record) + 5, length, count)
    yield "offset at the last byte", (len(record) - 1, length, count)
    yield "offset in the header", (16, length, count)
    yield "offset in the triplets", (at, length, count)
    yield "offset zero", (0, length, count)
    yield "negative offset", (2**32 - 5, length, count)
    yield "length zero", (offset, 0, count)
    yield "length one", (offset, 1, count)
    yield "length huge", (offset, 65_535, count)
    yield "number zero", (offset, length, 0)
    yield "number huge", (offset, length, 65_535)
    yield "all zero", (0, 0, 0)
    for other in read_places(record):
        if other != at:
            there = int.from_bytes(record[other : other + 4], "big")
            yield f"offset of the triplet at {other}", (there, length, count)


# Of each triplet every fifth way, and of the next ones the others.
CASES = [
    pytest.param(kind, at, triplet, id=f"{kind[0]}-{kind[1]} {at} {what}")
    for kind in DECODED
    for at in places(BY_KIND.get(kind, b""))
    for nth, (what, triplet) in enumerate(damages(BY_KIND[kind], at))
    if (nth + at // 8) % 5 == 0
]


@cache
def sound_of(kind: Kind) -> Reading:
    """What the sound record of a kind gives."""
    return read_back(BEFORE.get(kind, b"") + BY_KIND[kind], 1 << 20)


def assert_rows_are_sound(found: Reading, sound: Reading) -> None:
    """No infinity, and no value but those of the sound record, or null."""
    for name, table in found.tables.items():
        floats = table.select(pl.selectors.float()).iter_columns()
        assert not any(column.is_infinite().any() for column in floats)
        rows = sound.tables[name].to_dicts()
        for row in table.to_dicts():
            known = {column: v for column, v in row.items() if v is not None}
            assert any(known.items() <= other.items() for other in rows), known


def test_there_is_a_record_of_every_type_that_is_decoded():
    """A type that is added needs one among ``RECORDS``, for the tests below."""
    assert set(DECODED) <= set(BY_KIND)


@pytest.mark.parametrize(("kind", "at", "triplet"), CASES)
def test_a_damaged_triplet_costs_its_record_and_is_told_of(kind, at, triplet):
    record = BY_KIND[kind]
    offset, length, count = triplet
    before = BEFORE.get(kind, b"")
    made = number(offset, 4) + number(length, 2) + number(count, 2)
    found = read_back(before + record[:at] + made + record[at + 8 :], 1 << 20)
    sound = sound_of(kind)
    assert sum(found.records.values()) == 1 + bool(before)
    if not any(table.height for table in found.tables.values()):
        assert found.status == "degraded"
        assert any(problem.offset == len(before) for problem in found.problems)
        assert "nothing of this record was used" in messages(found)
    assert_rows_are_sound(found, sound)


@pytest.mark.parametrize("kind", DECODED, ids=str)
@pytest.mark.parametrize("count", [0, 1, 65_535])
def test_a_damaged_number_of_triplets(kind, count):
    record = BY_KIND[kind]
    before = BEFORE.get(kind, b"")
    at = 26 if kind[0] in PLACES else 24
    made = record[:at] + number(count, 2) + record[at + 2 :]
    found = read_back(before + made, 1 << 20)
    assert found.tables or found.status == "degraded"
    assert_rows_are_sound(found, sound_of(kind))


@pytest.mark.parametrize("kind", DECODED, ids=str)
def test_records_that_end_too_early(kind):
    """Wherever the record ends, with a length that says so."""
    record = BY_KIND[kind]
    before = BEFORE.get(kind, b"")
    sound = sound_of(kind)
    for end in range(24, len(record), max(len(record) // 5, 1)):
        found = read_back(before + number(end, 2) + record[2:end], 1 << 20)
        assert found.tables or found.status == "degraded"
        assert_rows_are_sound(found, sound)


def test_a_count_of_64_bits_is_damage_and_no_negative_number():
    record = BY_KIND[119, 2]
    at = int.from_bytes(record[36:40], "big") + 72  # bytes received
    found = read_back(record[:at] + b"\x80" + record[at + 1 :], 1 << 20)
    assert (found.status, found.tables) == ("degraded", {})
    assert "has a count of more than 63 bits" in messages(found)


def test_each_record_is_told_of_once_and_the_first_is_the_reason():
    record, *others = (connection(Connection(), nth) for nth in range(13))
    lost = [other[:36] + bytes(8) + other[44:] for other in others]
    found = read_back(record + b"".join(lost), 1 << 20)
    assert found.tables["tcp_connection"].height == 1
    assert found.reason == (
        f"the 119-2 record at byte offset {len(record)} is counted, but no row could "
        "be made of it; nothing of this record was used"
    )
    places = [len(record) * nth for nth in range(1, 11)]
    assert [p.offset for p in found.problems] == [*places, None]
    assert found.problems[-1].message.startswith("2 more: ")
