"""The storage contract: areas of one moment, and the sessions that were up."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, rows, text_of

TABLE = "storage_snapshot"
GOOD = text_of("storage_contract/tn4000.csv")


@pytest.fixture
def read(tmp_path):
    return reader("storage_contract", tmp_path)


def test_bytes_of_each_area_and_the_sessions_that_were_up():
    reading = golden("storage_contract/tn4000.csv")
    found = {row["area"]: row["current_bytes"] for row in rows(reading, TABLE)}
    assert found == {"tcpip-above": 4.208e6, "csa-above": 56.5e6, "total": 108.4e6}
    (result,) = reading.results
    assert (result["shape"], result["clients"], result["rate"]) == ("TN", 4000, None)
    assert (reading.status, reading.systems) == ("ok", ["SYSA"])


def test_no_session_may_be_up():
    (result,) = golden("storage_contract/idle.csv").results
    assert result["clients"] == 0


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        (("end\n", ""), "truncated", "the last line is not 'end'"),
        (("csa-above", "total"), "failed", "an area stands there twice"),
        (("T14:00:00Z,total", "T15:00:00Z,total"), "failed", "not all of one"),
        (("56500000", "-1"), "failed", "is negative"),
        (("56500000", "56,500,000"), "failed", "columns"),
        (("TN4000(100B/800B)", "RR0(1B)"), "failed", "at least one client"),
        (("csa-above", "cellar"), "failed", "no area 'cellar'; there are tcpip-below"),
        (("56500000", "108400001"), "failed", "csa-above has more bytes than total"),
        (("area,bytes", "bytes,area"), "failed", "columns are others"),
    ],
)
def test_what_is_wrong_is_told(read, change, status, told):
    reading = read(GOOD.replace(*change))
    assert (reading.status, told in str(reading.reason)) == (status, True)


def test_an_area_that_is_there_twice_is_told_with_its_second_line(read):
    lines = GOOD.splitlines(keepends=True)
    again = next(n for n, line in enumerate(lines) if "csa-above" in line)
    reading = read("".join([*lines[: again + 1], *lines[again:]]))
    (problem,) = reading.problems
    assert (problem.message, problem.line) == ("an area stands there twice", again + 2)
