"""Local times to UTC, duplicates, gaps and what is counted only."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import polars as pl
import pytest

from analysis.errors import UserError
from analysis.ingest.smf.columns import END as END_UTC
from analysis.ingest.smf.columns import START as START_UTC
from analysis.ingest.smf.columns import Layout, RecordType, fields, table, utc_text
from analysis.ingest.smf.types import check_times
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import START, dump_header, header, local, record, sealed
from synthetic.smf.rmf import Activity, Cpu, Interval, Lpar, cpu_activity
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection, statistics
from tests.ingest.smf.conftest import messages, rows, starts

ACTIVITY = Activity([Lpar("PROD", 3, [Cpu(0, 90_000_000)])])
QUARTER = dt.timedelta(minutes=15)
AUTUMN = dt.datetime(2026, 11, 1, 5, 0, tzinfo=dt.UTC)  # New York turns back at 06:00
COUNTS = [1, 2, 3, 4, 5]


def test_a_time_that_nothing_tells_is_refused_where_it_is_declared():
    timed = RecordType("42-1", table("t", "…", START_UTC, END_UTC), times={"start": 1})
    with pytest.raises(ValueError, match="42-1: nothing tells end_utc of t"):
        check_times([timed])
    check_times([replace(timed, times={"start": 1, "end_local": 2})])
    ended = Layout("s", "D", fields(("end", 8, 8, "stck")))
    check_times([replace(timed, main=ended)])
    check_times([replace(timed, read=lambda _: {})])


def begun(reading, table="tcpip_interval"):
    return [row["start_utc"] for row in rows(reading, table)]


def test_the_offset_of_the_interval_makes_utc(read_records):
    india = Interval(offset=5.5)
    assert begun(read_records(cpu_activity(india, ACTIVITY)), "cpu_interval") == [
        "2026-03-02T14:00:00.000000Z"
    ]


def test_an_interval_over_the_change_of_the_clock_keeps_its_start(read_records):
    start = AUTUMN + dt.timedelta(minutes=50)
    interval = Interval(start, offset=-5, offset_at_start=-4)
    assert begun(read_records(cpu_activity(interval, ACTIVITY)), "cpu_interval") == [
        "2026-11-01T05:50:00.000000Z"
    ]


def test_an_old_product_section_needs_a_zone(read_records):
    made = cpu_activity(Interval(), ACTIVITY, product=60)
    reading = read_records(made)
    assert begun(reading, "cpu_interval") == [None]
    assert "--zone" in messages(reading)
    found = read_records(made, zone="America/New_York")
    assert begun(found, "cpu_interval") == ["2026-03-02T14:00:00.000000Z"]


def test_statistics_alone_need_a_zone(read_records):
    made = statistics(local(START + QUARTER), COUNTS)
    without = read_records(made)
    assert (without.status, begun(without)) == ("degraded", [None])
    assert begun(read_records(made, zone="America/New_York")) == [
        "2026-03-02T14:00:00.000000Z"
    ]


def test_other_records_of_the_system_tell_the_offset(read_records):
    made = statistics(local(START + QUARTER, 2), COUNTS)
    seen = connection(Connection(hours=2))
    assert begun(read_records(made, seen)) == ["2026-03-02T14:00:00.000000Z"]
    ours = read_records(made, seen, zone="Asia/Tokyo")
    assert begun(ours) == ["2026-03-02T14:00:00.000000Z"]


def test_the_offset_of_another_system_is_not_taken(read_records):
    made = statistics(local(START + QUARTER, 2), COUNTS)
    other = address_space(Space(sid="SYSB", hours=2))
    assert begun(read_records(made, other)) == [None]


def test_the_repeated_hour_takes_the_offset_seen_last(read_records):
    made = []
    for nth in range(8):
        start = AUTUMN + nth * QUARTER
        hours = -4 if start + QUARTER <= AUTUMN + 4 * QUARTER else -5
        made.append(address_space(Space(start=start, hours=hours)))
        end = local(start + QUARTER, hours)
        made.append(statistics(end, COUNTS))
    expected = [
        (AUTUMN + nth * QUARTER).strftime("%Y-%m-%dT%H:%M:%S.000000Z")
        for nth in range(8)
    ]
    assert begun(read_records(*made)) == expected


def test_the_repeated_hour_by_zone_is_told_by_the_step_back(read_records):
    made, expected = [], []
    for nth in range(1, 12):
        end = AUTUMN + nth * QUARTER
        hours = -4 if end < AUTUMN + 4 * QUARTER else -5
        made.append(statistics(local(end, hours), [nth, 2, 3, 4, 5]))
        expected.append((end - QUARTER).strftime("%Y-%m-%dT%H:%M:%S.000000Z"))
    reading = read_records(*made, zone="America/New_York")
    assert begun(reading)[4:] == expected[4:]
    assert begun(reading)[:3] == expected[:3]


def test_an_ambiguous_hour_is_told_of(read_records):
    made = statistics(dt.datetime(2026, 11, 1, 1, 45), COUNTS)
    reading = read_records(made, zone="America/New_York")
    assert begun(reading) == ["2026-11-01T05:30:00.000000Z"]
    assert "repeated" in messages(reading)


def test_an_unknown_zone_is_a_mistake(read_records):
    with pytest.raises(UserError, match="not a time zone"):
        read_records(statistics(local(START), COUNTS), zone="Mars/Olympus")


def test_a_dump_twice_counts_once(read_records):
    made = [
        cpu_activity(Interval(), ACTIVITY),
        connection(Connection(), 1),
        connection(Connection(), 2),
        statistics(local(START + QUARTER), COUNTS),
    ]
    once, twice = read_records(*made), read_records(*made, *made)
    assert "4 duplicate records were dropped" in messages(twice)
    offset = sum(map(len, made))
    assert [p.offset for p in twice.problems if "duplicate" in p.message] == [offset]
    for name, rows_of in once.tables.items():
        assert twice.tables[name].equals(rows_of), name


def test_records_that_differ_are_no_duplicates(read_records):
    reading = read_records(*(connection(Connection(), nth) for nth in range(50)))
    assert len(reading.tables["tcp_connection"]) == 50
    assert reading.problems == []


def test_gaps_are_reported_with_their_length(read_records):
    made = [
        cpu_activity(Interval(START + nth * QUARTER, 900_003), ACTIVITY)
        for nth in (0, 1, 4, 5)
    ]
    reading = read_records(*made)
    (gap,) = reading.problems
    assert "gap in 70-1 intervals of SYSA: none from 2026-03-02T14:30:00" in gap.message
    assert "(1800 s)" in gap.message
    assert gap.offset == starts(made)[2]
    assert reading.status == "ok"


def test_the_dumping_system_is_none_of_the_data(read_records):
    when = dt.datetime(2027, 1, 1)
    made = [dump_header(when), connection(Connection()), dump_header(when, 3)]
    reading = read_records(*made)
    assert reading.systems == ["SYSA"]
    assert reading.records == {"2": 1, "3": 1, "119-2": 1}


def test_unknown_types_are_counted(read_records):
    when = local(START)
    extended = bytearray(header(126, 9, when).ljust(60, b"\0"))
    extended[24:26], extended[26:28] = number(32, 2), number(1, 2)
    extended[52:54] = number(1154, 2)
    reading = read_records(
        connection(Connection()),
        record(99, 6, when, {28: [bytes(40)]}),
        record(99, 6, when, {28: [bytes(44)]}),
        sealed(header(8, None, when) + bytes(30)),
        sealed(bytes(extended)),
    )
    assert reading.records == {"8": 1, "99-6": 2, "119-2": 1, "1154-9": 1}
    assert reading.status == "ok"


@pytest.mark.parametrize("kind", ["111-2", "119-38", "119-41", "113-2"])
def test_what_one_may_look_for_is_said_to_be_not_decoded(read_records, kind):
    number_of, subtype = map(int, kind.split("-"))
    other = record(number_of, subtype, local(START), {28: [bytes(40)]})
    reading = read_records(connection(Connection()), other)
    assert f"1 records {kind} are counted, not decoded" in messages(reading)


def test_a_dump_of_other_types_says_what_it_has(read_records):
    reading = read_records(record(99, 6, local(START), {28: [bytes(40)]}))
    assert reading.status == "degraded"
    assert "99-6 (1)" in reading.reason


def test_the_code_page_decides_on_special_letters(read_records):
    made = connection(Connection(job="A#"))
    assert rows(read_records(made), "tcp_connection")[0]["job"] == "A#"
    german = read_records(made, codepage="277")
    assert rows(german, "tcp_connection")[0]["job"] == "AÆ"


def test_a_triplet_past_its_record_is_told_of(read_records):
    good = connection(Connection(), 1)
    bad = bytearray(connection(Connection(), 2))
    bad[36:40] = number(5000, 4)
    reading = read_records(good, bytes(bad))
    assert (reading.status, len(reading.tables["tcp_connection"])) == ("degraded", 1)
    (told,) = reading.problems
    assert "points past its record (offset 5000, length 216, number 1" in told.message
    assert told.offset == len(good)


def test_triplets_behind_those_counted_are_none(read_records):
    made = bytearray(connection(Connection()))
    made[24:26] = number(1, 2)
    reading = read_records(connection(Connection(), 3), bytes(made))
    assert len(reading.tables["tcp_connection"]) == 1


def test_a_time_beyond_the_calendar_is_written_as_its_last_one():
    """Sums of damaged clocks and lengths run up to the year 290,000."""
    micros = pl.DataFrame({"at": [0, 2**63 - 1, 1 - 2**63, None]})
    assert micros.select(utc_text(pl.col("at"))).to_series().to_list() == [
        "1970-01-01T00:00:00.000000Z",
        "9999-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00.000000Z",
        None,
    ]
