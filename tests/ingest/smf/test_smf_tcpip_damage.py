"""Damaged records 119-4, 119-10 and 119-70: their neighbours keep their rows."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.reading import Reading
from analysis.ingest.smf import read
from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import START, local, unblocked
from synthetic.smf.spaces import Space, address_space
from tests.ingest.smf.conftest import messages
from tests.ingest.smf.made_other import server_transfer
from tests.ingest.smf.made_tcpip import (
    GLOBAL,
    IPV4,
    UDP,
    Socket,
    ipv4,
    profile,
    socket,
    stack,
    udp,
)

WHEN = local(START)
KNOWN = address_space(Space())
RECORDS = {
    "udp_socket": socket(Socket()),
    "tcpip_profile": profile(
        WHEN, {IPV4: [ipv4(7)], UDP: [udp(7)], GLOBAL: [stack(7)]}
    ),
    "ftp_transfer": server_transfer(WHEN, 7),
}
NEEDED = {"udp_socket": 36, "tcpip_profile": GLOBAL, "ftp_transfer": 36}
ROWS = {"udp_socket": 1, "tcpip_profile": 21, "ftp_transfer": 1}
TABLE = st.sampled_from(sorted(RECORDS))


def neighbours(table: str) -> tuple[bytes, bytes]:
    """The same record an hour before and after: no duplicates."""
    one, other = (bytearray(RECORDS[table]) for _ in range(2))
    one[6:10], other[6:10] = number(3_000_000, 4), number(4_000_000, 4)
    return bytes(one), bytes(other)


def read_between(table: str, damaged: bytes) -> tuple[Reading, int]:
    """A record between two sound ones, and its byte offset."""
    before, after = neighbours(table)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.smf"
        path.write_bytes(unblocked([KNOWN, before, damaged, after]))
        return read(path), len(KNOWN) + len(before)


@given(TABLE, st.data())
def test_neighbours_of_a_damaged_record_keep_their_rows(table, draw):
    damaged = bytearray(RECORDS[table])
    at = draw.draw(st.integers(24, len(damaged) - 1))
    junk = draw.draw(st.binary(min_size=1, max_size=12))[: len(damaged) - at]
    damaged[at : at + len(junk)] = junk
    reading, offset = read_between(table, bytes(damaged))
    found = reading.tables[table]
    assert found.schema == TABLES[table]
    sound = found.filter(found["position"] != offset)
    assert sound.height == 2 * ROWS[table]
    assert sound["start_utc"].null_count() == 0
    assert reading.records[f"{damaged[5]}-{damaged[23]}"] == 3


@pytest.mark.parametrize("table", sorted(RECORDS))
@pytest.mark.parametrize(
    ("what", "at", "value"),
    [("offset", 0, 60_000), ("length", 4, 60_000), ("number", 6, 60_000)],
)
def test_a_triplet_that_points_nowhere_is_told_of(table, what, at, value):
    damaged = bytearray(RECORDS[table])
    place, size = NEEDED[table] + at, 4 if what == "offset" else 2
    damaged[place : place + size] = number(value, size)
    reading, offset = read_between(table, bytes(damaged))
    assert "points past its record" in messages(reading)
    assert offset in {problem.offset for problem in reading.problems}
    assert reading.status == "degraded"
    found = reading.tables[table]
    assert found.filter(found["position"] == offset).height < ROWS[table]
