"""AMATERSE files: what was packed comes out, and nothing of what is damaged."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.ingest.compressed.terse import DamagedTerseError, Head, tersed, unpack
from analysis.ingest.detect import read_file
from synthetic.smf.dump import START, dump_header, local, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.compressed.made_terse import tersed_file, words

PACK, SPACK = METHODS = (2, 5)
DUMP = [
    dump_header(local(START)),
    *(connection(Connection(bytes_in=nth), nth) for nth in range(20)),
    dump_header(local(START), 3),
]


def descriptor(record: bytes) -> bytes:
    return (len(record) + 4).to_bytes(2, "big") + b"\0\0" + record


def text(size: int, seed: int = 7) -> bytes:
    """Bytes with repetitions, which use up all phrases when there are many."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    words = [drawn.randbytes(drawn.randint(1, 6)) for _ in range(60)]
    return b"".join(drawn.choice(words) + drawn.randbytes(1) for _ in range(size))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1, 50, 6000])
def test_what_was_packed_comes_out(method, size):
    whole = text(size)
    assert unpack(tersed_file([whole], method, variable=False)) == whole


@pytest.mark.parametrize("method", METHODS)
def test_blanks_and_long_runs(method):
    whole = b"\x40" * 9000 + b"abc" * 900 + b"\0" * 5000
    assert unpack(tersed_file([whole], method, variable=False)) == whole


@settings(deadline=5000)
@given(st.lists(st.binary(max_size=60), max_size=12), st.sampled_from(METHODS))
def test_records_come_with_their_descriptor_words(records, method):
    expected = b"".join(map(descriptor, records))
    assert unpack(tersed_file(records, method)) == expected


@pytest.mark.parametrize("method", METHODS)
def test_a_tersed_dump_that_is_cut_off_says_so(tmp_path, method):
    packed = tersed_file([record[4:] for record in DUMP], method)
    path = tmp_path / "a.trs"
    path.write_bytes(packed[: len(packed) // 2])
    reading = read_file(path, "UTC")
    assert reading.status == "truncated"
    assert "AMATERSE: it has no end, after" in reading.reason
    assert 0 < sum(reading.records.values()) < len(DUMP)


@pytest.mark.parametrize("method", METHODS)
def test_a_tersed_dump_is_read_as_the_dump(tmp_path, method):
    plain, packed = tmp_path / "a.smf", tmp_path / "a.trs"
    plain.write_bytes(unblocked(DUMP))
    packed.write_bytes(tersed_file([record[4:] for record in DUMP], method))
    expected, found = read_file(plain), read_file(packed)
    assert (found.format, found.status) == ("smf", "ok")
    assert found.records == expected.records
    assert found.tables["tcp_connection"].equals(expected.tables["tcp_connection"])
    assert "AMATERSE" in found.details["packed"]
    assert "packed" not in expected.details


@pytest.mark.parametrize("method", METHODS)
def test_a_tersed_file_that_is_cut_off_loses_its_end_alone(method):
    records = [text(40, seed) for seed in range(30)]
    packed = tersed_file(records, method)
    whole = unpack(packed)
    for size in range(12, 2000, 97):
        part = unpack(packed[:size])
        known = part.rsplit(records[-1][:1], 1)[0][:-400]
        assert whole.startswith(known)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no header"),
        (tersed_file([b"a"], PACK)[:12] + words([4095]), "forgotten"),
        (tersed_file([b"a"], SPACK)[:12] + words([300]), "not there"),
        (tersed_file([b"a"], PACK)[:12] + words([1] * 65_532 + [257]), "65,532 bytes"),
    ],
)
def test_damage_is_named(data, reason):
    with pytest.raises(DamagedTerseError, match=reason):
        unpack(data)


@settings(deadline=5000)
@given(st.sampled_from(METHODS), st.lists(st.integers(1, 4095), max_size=400))
def test_any_codes_end_soon(method, codes):
    head = tersed_file([b"a"], method)[:12]
    with contextlib.suppress(DamagedTerseError):
        assert len(unpack(head + words(codes), limit=10**6)) < 2 * 10**6


def test_a_bomb_is_refused_before_it_goes_off():
    """Each phrase joins the two before it: forty of them are 300 million bytes."""
    codes = [2, 2, *range(258, 330)]
    bomb = tersed_file([b"a"], SPACK)[:12] + words(codes)
    with pytest.raises(DamagedTerseError, match=r"1,000,000 bytes"):
        unpack(bomb, limit=10**6)


def test_a_file_that_cannot_be_unpacked_says_why(tmp_path):
    path = tmp_path / "a.trs"
    path.write_bytes(tersed_file([b"a"], SPACK)[:12] + words([300]))
    reading = read_file(path)
    assert reading.status == "failed"
    assert "a phrase that is not there" in reading.reason
    assert "AMATERSE" in reading.reason


@pytest.mark.parametrize("head", [b"\x01\x89\x69\xa5", b"\x07\x89\x69\xa5"])
def test_the_form_of_other_systems_is_named_with_its_cure(tmp_path, head):
    path = tmp_path / "a.trs"
    path.write_bytes(head + bytes(range(256)))
    assert "TerseDecompress" in read_file(path).reason


def test_only_a_whole_header_of_terse_is_taken_for_one():
    assert tersed(tersed_file([b"a"], PACK)) == Head(PACK, True)
    assert tersed(tersed_file([b"a"], SPACK, variable=False)) == Head(SPACK, False)
    head = bytearray(tersed_file([b"a"], PACK)[:12])
    for at, value in ((0, 3), (1, 2), (4, 1), (2, 9)):
        assert tersed(bytes(head[:at]) + bytes([value]) + bytes(head[at + 1 :])) is None
    assert tersed(bytes(head[:8]) + bytes(4)) is None
    assert tersed(bytes(head[:11])) is None
