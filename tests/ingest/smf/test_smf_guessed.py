"""Long chains, which are followed from guessed places side by side."""

from __future__ import annotations

import pytest

from analysis.ingest.smf.chain import follow
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import unblocked
from synthetic.smf.tcpip import Connection, connection

ONE = connection(Connection(), 0, size=200)
MANY = unblocked([ONE] * 12_000)  # 2.4 MB: some eighteen stretches
SMALL = 250_000  # bytes of two stretches, which are followed one by one


def one_by_one(data: bytes) -> tuple[list[int], int]:
    found, at = [], 0
    while at < len(data):
        piece = data[at : at + SMALL]
        links, stop = follow(piece, 0, len(piece))
        if not stop:
            break
        found += (links + at).tolist()
        at += stop
    return found, at


def at_once(data: bytes) -> tuple[list[int], int]:
    links, stop = follow(data, 0, len(data))
    return links.tolist(), stop


def test_a_long_chain_is_what_its_pieces_are():
    links, stop = at_once(MANY)
    assert (len(links), stop) == (12_000, len(MANY))
    assert (links, stop) == one_by_one(MANY)


@pytest.mark.parametrize("at", [0, 1_000, 6_000, 11_999])
@pytest.mark.parametrize("length", [0, 3, 201, 399, 60_000])
def test_a_chain_that_breaks_stops_where_it_breaks(at, length):
    where = at * len(ONE)
    data = MANY[:where] + number(length, 2) + MANY[where + 2 :]
    assert at_once(data) == one_by_one(data)


def test_records_within_a_record_are_none():
    """Each long record holds whole ones, at places where one may be looked for."""
    inside = ONE[:32] + ONE * 120 + bytes(8)
    long = number(len(inside), 2) + inside[2:]
    data = long * 120
    links, stop = at_once(data)
    assert (len(links), stop) == (120, len(data))


def test_a_cut_chain_stops_at_its_last_whole_record():
    links, stop = at_once(MANY[:-1])
    assert (len(links), stop) == (11_999, len(MANY) - len(ONE))
