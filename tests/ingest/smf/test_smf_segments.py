"""Chains of segments, in blocks and without, and records that wait to be decoded."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest

from analysis.ingest.smf.codepage import DEFAULT
from analysis.ingest.smf.dump import Dump
from analysis.ingest.smf.records import PAD, Records
from analysis.ingest.smf.segments import follow, follow_blocks
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import blocked, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import messages

RECORDS = [connection(Connection(), n, size=180 + n) for n in range(120)]
DATA = blocked(RECORDS, 1700)
PLAIN = unblocked(RECORDS)
BEGINS = [0, *accumulate(map(len, RECORDS))]


def test_blocks_give_the_segments_of_all_their_chains():
    found, end = follow_blocks(DATA, 0, len(DATA))
    assert end == len(DATA)
    lengths = [int.from_bytes(DATA[at : at + 2], "big") for at in found]
    assert lengths == [len(record) for record in RECORDS]


@pytest.mark.parametrize("length", [0, 3, 5, 20, 60_000])
def test_a_chain_that_does_not_end_with_its_block_spoils_all(length):
    at = follow_blocks(DATA, 0, len(DATA))[0][70]
    data = DATA[:at] + number(length, 2) + DATA[at + 2 :]
    assert follow_blocks(data, 0, len(data)) == ([], 0)


def test_a_stray_byte_at_the_end_of_a_block_spoils_all():
    data = DATA + number(8, 2) + bytes(2) + number(3, 2) + bytes(2)
    assert follow_blocks(data, 0, len(data)) == ([], 0)


def test_only_whole_blocks_count():
    every, _ = follow_blocks(DATA, 0, len(DATA))
    found, end = follow_blocks(DATA, 0, len(DATA) - 1)
    assert found == [at for at in every if at < end]
    assert end < every[-1]


@pytest.mark.parametrize("at", [0, 50, 119])
@pytest.mark.parametrize("length", [0, 3, 60_000])
def test_a_chain_that_breaks_stops_where_it_breaks(at, length):
    where = BEGINS[at]
    data = PLAIN[:where] + number(length, 2) + PLAIN[where + 2 :]
    assert follow(data, 0, len(data)) == (BEGINS[:at], where)


def test_a_cut_chain_stops_at_its_last_whole_record():
    assert follow(PLAIN[:-1], 0, len(PLAIN) - 1) == (BEGINS[:119], BEGINS[119])


def test_before_a_record_was_told_no_other_is_guessed(read_bytes):
    reading = read_bytes(number(60_000, 2) + PLAIN[2:])
    assert reading.status != "ok"
    assert f"the file ends after {len(PLAIN)} of 60000 bytes" in messages(reading)
    assert not any(len(table) for table in reading.tables.values())


def test_records_are_duplicates_in_whatever_container(read_bytes):
    reading = read_bytes(PLAIN + unblocked(RECORDS, 100))
    assert "120 duplicate records were dropped" in messages(reading)
    assert len(reading.tables["tcp_connection"]) == 120


def batch(buffer: bytearray, *which: int) -> Records:
    """Some of the records, as they lie in a buffer that has all of them."""
    start = np.array([BEGINS[nth] for nth in which], np.int64)
    length = np.array([len(RECORDS[nth]) for nth in which], np.int64)
    return Records(buffer, start, length, start)


def test_few_records_wait_with_their_bytes_until_they_are_enough():
    buffer = bytearray(PLAIN + bytes(PAD))
    dump = Dump(None, DEFAULT, 16 * 1000)
    dump.take(batch(buffer, 0, 1))
    assert dump.tables.waiting.size + dump.tables.done.size == 0
    buffer[: BEGINS[2]] = bytes(BEGINS[2])  # as the next chunk overwrites them
    dump.take(batch(buffer, *range(2, 7)))
    assert not dump.waiting
    dump.take(batch(buffer, 7))
    dump.end()
    rows = dump.tables.finished(np.zeros(0, np.int64))["tcp_connection"]
    assert rows["connection"].sort().to_list() == list(range(8))
