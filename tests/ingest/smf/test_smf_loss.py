"""Records 7: what SMF lost is told with its place and its time."""

from __future__ import annotations

import datetime as dt

import pytest

from synthetic.smf.dump import START
from synthetic.smf.spaces import Space, address_space
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_other import data_lost

KNOWN = address_space(Space(seconds=60))  # tells the offset from UTC
SINCE, UNTIL = (START + dt.timedelta(seconds=second) for second in (90, 150))


def test_records_that_smf_lost_degrade_the_file(read_records):
    reading = read_records(KNOWN, data_lost(SINCE, UNTIL, 1234))
    (problem,) = reading.problems
    assert problem.offset == len(KNOWN)
    assert problem.message == (
        "SMF of SYSA lost 1,234 records between 2026-03-02T14:01:30 UTC and "
        "2026-03-02T14:02:30 UTC: what they would have told is missing"
    )
    assert (reading.status, reading.cause) == ("degraded", problem.remark)
    (row,) = rows(reading, "smf_loss")
    assert row["start_utc"] == "2026-03-02T14:01:30.000000Z"
    assert row["end_utc"] == "2026-03-02T14:02:30.000000Z"
    assert (row["system"], row["records_lost"]) == ("SYSA", 1234)
    assert row["position"] == len(KNOWN)


def test_a_loss_of_no_length_is_one_moment(read_records):
    said = messages(read_records(KNOWN, data_lost(SINCE, SINCE, 7)))
    assert "lost 7 records at 2026-03-02T14:01:30 UTC: " in said


def test_without_a_zone_the_time_of_a_loss_is_local(read_records):
    said = messages(read_records(data_lost(SINCE, UNTIL, 7)))
    assert "2026-03-02T09:01:30 local time and 2026-03-02T09:02:30 local time" in said


def test_a_count_that_two_bytes_cannot_hold_is_not_taken_for_zero(read_records):
    reading = read_records(KNOWN, data_lost(SINCE, UNTIL, 0, flags=0x80))
    assert "lost more than 65,535 records between" in messages(reading)
    assert rows(reading, "smf_loss")[0]["records_lost"] is None


def test_a_loss_that_is_in_the_dump_twice_is_told_once(read_records):
    lost = data_lost(SINCE, UNTIL, 7)
    reading = read_records(KNOWN, lost, lost)
    assert messages(reading).count("SMF of SYSA lost") == 1
    assert len(rows(reading, "smf_loss")) == 1


@pytest.mark.parametrize("until", [SINCE, UNTIL + dt.timedelta(days=400)])
def test_a_loss_that_ends_before_it_begins_is_damage(read_records, until):
    since = SINCE if until > SINCE else UNTIL
    reading = read_records(KNOWN, data_lost(since, until, 7))
    assert "the 7 record at byte offset" in messages(reading)
    assert reading.status == "degraded"
    assert "smf_loss" not in reading.tables
