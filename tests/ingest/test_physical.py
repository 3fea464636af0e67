"""No value that a measurement cannot have passes, whichever reader it comes from."""

from __future__ import annotations

import math
import re

import pytest

from analysis.errors import UserError, user_error
from analysis.facts.remark import quote
from analysis.ingest.detect import read_file
from analysis.ingest.physical import (
    ANY,
    COUNT,
    LENGTH,
    PERCENT,
    bounds,
    keep_possible,
    overlapping,
    read_safely,
)
from analysis.ingest.reading import Reading, Verdict
from analysis.ingest.tables.catalog import TABLES, frame, result_row
from tests.ingest.logs import text_of

ROW = {"tool": "t", "position": 7, "start_utc": "2026-03-02T14:00:00.000000Z"}
INTERVAL = {
    "system": "SYSA",
    "cpu_type": "CP",
    "start_utc": "2026-03-02T14:00:00.000000Z",
    "seconds": 900.0,
    "online_cpus": 4.0,
    "busy_pct": 25.0,
    "position": 96,
}


def checked(form: str = "smf", **cells) -> Reading:
    """A file with one sound CPU interval, and one with these cells."""
    rows = [INTERVAL, INTERVAL | {"position": 128} | cells]
    tables = {"cpu_interval": frame("cpu_interval", rows)}
    return keep_possible(Reading(form, tables=tables))


def result(**cells) -> Reading:
    """A log with one sound result, and one with these cells."""
    sound = ROW | {"rate": 1.0, "seconds": 10.0}
    rows = [result_row(sound | {"test": "a"}), result_row(sound | cells)]
    return keep_possible(Reading("wrk", results=rows))


@pytest.mark.parametrize("table", TABLES)
def test_every_number_and_time_has_bounds(table):
    for column, kind in TABLES[table].items():
        if kind.is_numeric() or column in ("start_utc", "end_utc"):
            assert bounds(table, column), column
        else:
            assert bounds(table, column) is None, column


def test_what_is_possible_is_left_as_it_is():
    reading = checked(busy_pct=100.0, online_cpus=0.0, mvs_busy_pct=None)
    assert (reading.status, reading.problems) == ("ok", [])
    assert reading.tables["cpu_interval"]["busy_pct"].to_list() == [25.0, 100.0]
    assert result(rate=0.0, latency_p99_us=None).status == "ok"


@pytest.mark.parametrize("count", [1, 50, 51, 400])
def test_few_rows_and_many_are_checked_alike(count):
    sound = [INTERVAL] * (count - 1)
    for bad in ({"busy_pct": math.nan}, {"seconds": -1.0}, {"start_utc": "1900"}):
        tables = {"cpu_interval": frame("cpu_interval", [*sound, INTERVAL | bad])}
        assert keep_possible(Reading("smf", tables=tables)).status == "degraded"
    times = {"start_utc": "2026-03-02", "end_utc": "2026-03-01", "position": 1}
    rows = [times | {"end_utc": "2026-03-02"}] * (count - 1) + [times]
    tables = {"tcp_connection": frame("tcp_connection", rows)}
    reading = keep_possible(Reading("smf", tables=tables))
    assert reading.tables["tcp_connection"].height == count - 1


def test_of_very_many_rows_the_last_is_checked_too(monkeypatch):
    monkeypatch.setattr("analysis.ingest.physical._MANY", 40)
    rows = [*([INTERVAL] * 99), INTERVAL | {"busy_pct": -3.0}]
    reading = Reading("smf", tables={"cpu_interval": frame("cpu_interval", rows)})
    assert keep_possible(reading).tables["cpu_interval"]["busy_pct"].null_count() == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("busy_pct", 101.5),
        ("busy_pct", -1.5),
        ("busy_pct", math.nan),
        ("online_cpus", -1.0),
        ("busy_seconds", math.inf),
        ("busy_seconds", 1e30),
    ],
)
def test_an_impossible_value_is_null_and_told_of(column, value):
    reading = checked(**{column: value})
    assert reading.tables["cpu_interval"][column][1] is None
    assert reading.tables["cpu_interval"]["seconds"].to_list() == [900.0, 900.0]
    (problem,) = reading.problems
    assert problem.offset == 128
    assert problem.message.startswith(f"cpu_interval.{column}: {value} ")
    assert (reading.status, reading.reason) == ("degraded", problem.message)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seconds", 0.0),
        ("seconds", -900.0),
        ("start_utc", "1959-12-31T23:59:59.000000Z"),
        ("start_utc", "2100-01-01T00:00:00.000000Z"),
    ],
)
def test_a_row_without_a_possible_time_is_dropped(column, value):
    reading = checked("rmf_text", **{column: value})
    assert reading.tables["cpu_interval"].height == 1
    assert [p.line for p in reading.problems] == [128]
    assert reading.status == "degraded"


def test_an_end_before_the_start_is_no_time():
    times = {"start_utc": INTERVAL["start_utc"], "position": 5}
    ends = ("2026-03-02T13:59:59.999999Z", INTERVAL["start_utc"], None)
    rows = [times | {"end_utc": end} for end in ends]
    tables = {"tcp_connection": frame("tcp_connection", rows)}
    reading = keep_possible(Reading("smf", tables=tables))
    assert reading.tables["tcp_connection"]["end_utc"].to_list() == list(ends[1:])
    assert "is before the start" in reading.reason


@pytest.mark.parametrize(
    ("column", "value"),
    [("rate", -1.0), ("errors", -1), ("latency_mean_us", math.nan)],
)
def test_a_result_loses_its_impossible_figure(column, value):
    reading = result(**{column: value})
    assert reading.results[1][column] is None
    assert reading.results[1]["seconds"] == 10.0
    assert [p.line for p in reading.problems] == [7]
    assert f"benchmark.{column}: {value!r}" in reading.reason


def test_a_result_of_no_length_is_dropped():
    reading = result(seconds=0.0)
    assert [row["test"] for row in reading.results] == ["a"]
    assert reading.status == "degraded"


def test_the_test_of_the_figure_is_degraded_and_no_other():
    rows = [result_row(ROW | {"test": t, "rate": r}) for t, r in (("a", -1), ("b", 1))]
    ok = Verdict("ok")
    reading = keep_possible(Reading("x", results=rows, verdicts={"a": ok, "b": ok}))
    assert reading.verdicts["a"][0] == "degraded"
    assert reading.verdicts["b"] == ok


def test_a_worse_verdict_stays():
    rows = [result_row(ROW | {"rate": -1.0})]
    reading = keep_possible(
        Reading("x", status="failed", cause=quote("r"), results=rows)
    )
    assert (reading.status, reading.reason) == ("failed", "r")


def test_many_values_are_counted():
    rows = [INTERVAL | {"busy_pct": -50.0, "position": nth} for nth in range(25)]
    tables = {"cpu_interval": frame("cpu_interval", rows)}
    told = keep_possible(Reading("smf", tables=tables)).problems
    assert [p.offset for p in told] == [*range(10), None]
    assert "15 more values of cpu_interval.busy_pct" in told[-1].message


@pytest.mark.parametrize(
    ("of", "inside", "outside"),
    [
        (COUNT, (0, 2**63 - 1), (-1, 2**63)),
        (PERCENT, (-1, 0, 100, 101), (-1.01, 101.01)),
        (LENGTH, (1e-6, 2.0**63), (0, -1, math.inf)),
        (ANY, (-5, 0, 5), (math.inf, -math.inf, math.nan)),
    ],
)
def test_where_the_bounds_are(of, inside, outside):
    assert all(of.low <= value <= of.high for value in inside)
    assert not any(of.low <= value <= of.high for value in outside)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400, math.inf, math.nan])
def test_a_count_over_64_bits_is_named(value):
    with pytest.raises(ValueError, match="no whole number of 64 bits"):
        result_row({"errors": value})
    with pytest.raises(ValueError, match=r"asid: .* no whole number of 64 bits"):
        frame("address_space_total", [{"asid": value}])


def test_a_sign_in_a_log_makes_it_degraded(tmp_path):
    path = tmp_path / "wrk.txt"
    text = text_of("wrk/latency.txt")
    path.write_text(re.sub(r"(Requests/sec: *)(\d)", r"\1-\2", text))
    assert read_file(path).status in ("degraded", "failed")
    assert all(row["rate"] is None for row in read_file(path).results)


def test_a_reader_that_cannot_cope_says_so():
    reading = read_safely("uperf", lambda: [][0])
    assert (reading.format, reading.status) == ("uperf", "failed")
    assert "IndexError" in reading.reason
    assert [problem.message for problem in reading.problems] == [reading.reason]


def test_a_number_of_thousands_of_digits_is_told_of():
    reading = read_safely("uperf", lambda: int("9" * 5000))
    assert reading.reason == "a number in it has more digits than any count or time has"


def test_a_mistake_of_the_user_stays_one():
    def read() -> Reading:
        raise user_error("no such encoding")

    with pytest.raises(UserError):
        read_safely("mapped_csv", read)


@pytest.mark.parametrize(
    ("seconds", "begins", "overlaps"),
    [(900.0, "14:14:59", False), (900.0, "14:14:58", True), (1.0, "14:00:00", True)],
)
def test_intervals_overlap_by_more_than_a_second_or_half_their_length(
    seconds: float, begins: str, overlaps: bool
) -> None:
    first = INTERVAL | {"seconds": seconds}
    later = first | {"start_utc": f"2026-03-02T{begins}.000000Z", "position": 128}
    row = overlapping(frame("cpu_interval", [first, later]))
    assert (row is not None) == overlaps
