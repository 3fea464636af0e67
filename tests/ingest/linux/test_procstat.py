"""Snapshots of /proc/stat: which ticks are busy, and files that are cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.linux import procstat
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[2] / "golden" / "procstat" / "before.txt"


def read(tmp_path: Path, data: bytes):
    path = tmp_path / "stat"
    write_fresh(path, data)
    return procstat.read(path)


def test_waiting_for_disks_is_idle_in_a_real_snapshot():
    reading = procstat.read(GOLDEN)
    rows = reading.tables["cpu_counter"].to_dicts()
    assert reading.status == "ok"
    assert [row["cpu"] for row in rows] == ["all", "0", "1"]
    assert [row["position"] for row in rows] == [1, 2, 3]
    assert rows[0]["busy_ticks"] == 257929 + 185 + 41612 + 0 + 9981
    assert rows[0]["idle_ticks"] == 281058 + 1324
    assert rows[0]["steal_ticks"] == 821
    assert reading.circumstances.boot_utc == "2026-11-21T03:36:49.000000Z"


def test_guest_time_is_not_counted_twice(tmp_path):
    data = (
        b"cpu  100 0 10 500 0 0 0 0 40 0\ncpu0 100 0 10 500 0 0 0 0 40 0\nsoftirq 1\n"
    )
    (total, _) = read(tmp_path, data).tables["cpu_counter"].to_dicts()
    assert total["busy_ticks"] == 110


def test_cpus_that_do_not_add_up(tmp_path):
    data = GOLDEN.read_bytes().replace(b"cpu0 123908", b"cpu0 923908")
    reading = read(tmp_path, data)
    assert (reading.status, reading.problems[0].line) == ("degraded", 1)


def test_no_line_is_whole(tmp_path):
    reading = read(tmp_path, b"cpu  1 2 3 4\nsoftirq 1\n")
    assert reading.status == "failed"


@pytest.mark.parametrize("at", range(0, 1100, 37))
def test_cut_is_truncated_and_never_a_wrong_number(tmp_path, at):
    whole = procstat.read(GOLDEN).tables["cpu_counter"].to_dicts()
    reading = read(tmp_path, GOLDEN.read_bytes()[:at])
    frame = reading.tables.get("cpu_counter")
    rows = [] if frame is None else frame.to_dicts()
    assert reading.status == "truncated"
    assert rows == whole[: len(rows)]


@given(st.integers(0, 2000), st.integers(0, 255))
def test_a_flipped_byte_never_crashes(tmp_path, at, byte):
    data = bytearray(GOLDEN.read_bytes())
    data[at % len(data)] = byte
    assert read(tmp_path, bytes(data)).format == "procstat"


def test_lines_that_a_terminal_wrapped(tmp_path):
    """The line of all CPUs is the longest one, so it is the first to be wrapped."""
    data = GOLDEN.read_bytes()
    total = data.index(b"\n")
    reading = read(tmp_path, data[: total - 9] + b"\n" + data[total - 9 :])
    assert (reading.status, reading.problems[0].line) == ("degraded", 1)
