"""Chains of segments, one by one and side by side, and what waits to be decoded."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.ingest.smf.chain import blocks, follow, follow_all
from analysis.ingest.smf.gathered import Waiting
from analysis.ingest.smf.records import Records
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import blocked, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import messages

RECORDS = [connection(Connection(), n, size=180 + n) for n in range(120)]
DATA = blocked(RECORDS, 1700)


def side_by_side(data: bytes) -> list[int] | None:
    found = follow_all(data, *blocks(data, 0, len(data)))
    return None if found is None else found.tolist()


def one_by_one(data: bytes) -> list[int]:
    begins, ends = blocks(data, 0, len(data))
    pairs = zip(begins.tolist(), ends.tolist(), strict=True)
    return [at for begin, end in pairs for at in follow(data, begin, end)[0].tolist()]


def test_blocks_side_by_side_give_what_they_give_one_by_one():
    found = side_by_side(DATA)
    assert len(found) == 120
    assert found == one_by_one(DATA)
    few = blocked(RECORDS[:9], 1700)
    assert side_by_side(few) == one_by_one(few)


@pytest.mark.parametrize("length", [0, 3, 5, 20, 60_000])
def test_a_chain_that_does_not_end_with_its_block_spoils_all(length):
    at = side_by_side(DATA)[70]
    assert side_by_side(DATA[:at] + number(length, 2) + DATA[at + 2 :]) is None


def test_a_stray_byte_at_the_end_of_a_block_spoils_all():
    data = DATA + number(8, 2) + bytes(2) + number(3, 2) + bytes(2)
    assert side_by_side(data) is None


def test_only_whole_blocks_count():
    begins, ends = blocks(DATA, 0, len(DATA) - 1)
    every, _ = blocks(DATA, 0, len(DATA))
    assert begins.tolist() == every.tolist()[:-1]
    assert ends[-1] == every[-1] - 4


def test_records_are_duplicates_in_whatever_container(read_bytes):
    once = unblocked(RECORDS)
    reading = read_bytes(once + unblocked(RECORDS, 100))
    assert "120 duplicate records were dropped" in messages(reading)
    assert len(reading.tables["tcp_connection"]) == 120


def batch(*at: int) -> Records:
    start = np.array(at, np.int64)
    return Records(bytes(2000), start, np.full(len(at), 50), start + 10_000)


def test_few_records_wait_until_they_are_enough():
    waiting = Waiting(enough=150)
    assert waiting.add(print, batch(0)) is None
    assert waiting.add(repr, batch(100)) is None
    assert waiting.add(print, batch(200)) is None
    done = waiting.add(print, batch(300, 400))
    assert done.position.tolist() == [10_000, 10_200, 10_300, 10_400]
    ((decoder, rest),) = waiting.rest()
    assert (decoder, rest.position.tolist()) == (repr, [10_100])
    assert not list(waiting.rest())


def test_what_waits_keeps_its_bytes_when_the_buffer_is_used_again():
    buffer = bytearray(b"\1" * 2000)
    start = np.array([10], np.int64)
    waiting = Waiting(enough=1000)
    waiting.add(print, Records(buffer, start, np.array([50]), start))
    buffer[:] = bytes(2000)
    ((_, kept),) = waiting.rest()
    assert kept.buffer[:50] == b"\1" * 50
