"""Type 115: calls and buffer pools of queue managers, made and real."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from analysis.ingest.smf import read
from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.bytes_of import number
from synthetic.smf.rmf import Interval
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_mq import calls, mq, pool

END = Interval().end
SAMPLES = Path(__file__).parents[4] / "shared/samples/smf"


def test_calls_of_an_interval(read_records):
    made = calls(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
    (row,) = rows(read_records(mq(2, END, 900, [made])), "mq_interval")
    assert (row["queue_manager"], row["seconds"]) == ("QM01", 900)
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    counts = ("opens", "closes", "gets", "puts", "put1s", "inquiries", "sets")
    assert [row[name] for name in counts] == [1, 2, 3, 4, 5, 6, 8]
    assert (row["subscriptions"], row["callbacks"], row["controls"]) == (11, 13, 14)
    assert set(row) == set(TABLES["mq_interval"])


def test_an_old_section_has_no_calls_of_later_versions(read_records):
    reading = read_records(mq(2, END, 60, [calls(1, 2, 3, size=48)]))
    (row,) = rows(reading, "mq_interval")
    assert (row["gets"], row["subscriptions"], row["controls"]) == (3, None, None)


def test_each_buffer_pool_is_a_row(read_records):
    made = [
        pool(0, 50_000, 49_955, 49_956, 4, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12),
        pool(51, 1_000, 900),
    ]
    first, second = rows(read_records(mq(215, END, 900, made)), "mq_pool_interval")
    assert (first["pool"], first["buffers"], first["least_free"]) == (0, 50_000, 49_955)
    assert (first["pages_got"], first["pages_read"]) == (5, 2)
    assert (first["pages_written"], first["writes"]) == (5, 6)
    assert (first["synchronous_writes"], first["no_buffer"]) == (7, 12)
    assert (second["pool"], second["pages_got"]) == (51, 0)


def test_a_section_that_is_another_one_is_told_and_left_out(read_records):
    wrong = mq(2, END, 900, [calls(1, eyecatcher="QMAC")])
    reading = read_records(wrong, mq(2, END, 900, [calls(2)]))
    assert [row["opens"] for row in rows(reading, "mq_interval")] == [2]
    assert "byte offset 0 has no QMST where its message manager" in messages(reading)
    assert reading.status == "degraded"


@pytest.mark.parametrize("common", [36, 44])
def test_a_record_that_does_not_tell_its_interval_gives_no_row(read_records, common):
    reading = read_records(mq(2, END, 900, [calls(1)], common))
    assert not reading.tables.get("mq_interval", ())
    assert "does not say when its interval began" in messages(reading)


def test_a_triplet_that_points_nowhere_is_told(read_records):
    made = bytearray(mq(2, END, 900, [calls(1)]))
    made[36:40] = number(50_000, 4)
    reading = read_records(bytes(made))
    assert "the triplet of the message manager section points past" in messages(reading)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared/samples")
def test_real_records_of_two_systems():
    day = read(SAMPLES / "TEST115.dat")
    (row,) = rows(day, "mq_interval")
    assert row["start_utc"].startswith("2015-11-2")
    assert row["seconds"] == pytest.approx(1792.884543)
    busiest = max(rows(day, "mq_pool_interval"), key=lambda pool: pool["pages_got"])
    assert (busiest["pool"], busiest["buffers"]) == (1, 100_000)
    assert busiest["pages_got"] == 1_771_124 + 328_513
    minutes = rows(read(SAMPLES / "TESTCHL.dat"), "mq_interval")
    assert [row["seconds"] for row in minutes[:2]] == pytest.approx(
        [59.768891, 59.768864]
    )
    begins = [row["start_utc"] for row in minutes]
    assert begins == sorted(begins) and len(set(begins)) == len(begins) == 16
    assert (minutes[0]["gets"], minutes[0]["puts"]) == (19, 3)


def test_an_interval_without_a_record_is_told(read_records):
    ends = [END + dt.timedelta(seconds=60 * nth) for nth in range(4)]
    both = [(mq(2, end, 60, [calls(1)]), mq(215, end, 60, [pool(0)])) for end in ends]
    whole = read_records(*(record for pair in both for record in pair))
    assert whole.problems == []
    (_, first), (_, second), *others = both
    reading = read_records(first, *both[0][:1], second, *(r for o in others for r in o))
    said = messages(reading)
    assert "115-2 intervals of SYSA QM01 have none from 2026-03-02T14:15:00 UTC" in said
    assert "gap in 115-2 intervals of SYSA QM01: none from 2026-03-02T14:15:00" in said
    assert len(reading.problems) == 2


def test_a_queue_manager_without_records_of_pools_is_not_missed(read_records):
    assert read_records(mq(2, END, 60, [calls(1)])).problems == []


@pytest.mark.parametrize("days", [-2, 2, 400])
def test_a_header_of_another_day_is_told(read_records, days):
    made = bytearray(mq(2, END, 60, [calls(1)]))
    made[6:14] = mq(2, END + dt.timedelta(days=days), 60, [calls(1)])[6:14]
    reading = read_records(bytes(made))
    assert reading.status == "degraded"
    assert "written more than a day before or after" in messages(reading)


def test_more_free_buffers_than_buffers_are_told(read_records):
    reading = read_records(mq(215, END, 900, [pool(0, 1_000, 1_001)]))
    assert reading.status == "degraded"
    assert "more free buffers than buffers" in messages(reading)
