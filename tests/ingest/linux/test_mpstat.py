"""mpstat JSON: times without a date, intervals that end at their stamp, bad files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.linux import mpstat
from analysis.ingest.reading import Reading
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[2] / "golden" / "mpstat"


def cpu(name: str = "all", idle: float = 60.0, iowait: float = 5.0) -> dict:
    shares = {"usr": 95 - idle - iowait, "sys": 3.0, "soft": 1.0, "steal": 1.0}
    return {"cpu": name, **shares, "iowait": iowait, "idle": idle}


def document(times: list[str], load: list[dict] | None = None, **host) -> str:
    entries = [{"timestamp": time, "cpu-load": load or [cpu()]} for time in times]
    whole = {"nodename": "vm", "number-of-cpus": 4, "date": "2026-11-21"} | host
    return json.dumps({"sysstat": {"hosts": [whole | {"statistics": entries}]}})


def rows_of(reading: Reading) -> list[dict]:
    frame = reading.tables.get("cpu_interval")
    return [] if frame is None else frame.to_dicts()


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str | bytes, zone: str | None = "UTC") -> Reading:
        path = tmp_path / "mpstat.json"
        write_fresh(path, text)
        return mpstat.read(path, zone)

    return read_text


def test_steal_of_a_real_file_is_busy_percent_but_no_busy_second():
    reading = mpstat.read(GOLDEN / "str.json", "UTC")
    rows = rows_of(reading)
    assert (reading.status, reading.systems) == ("ok", ["vm"])
    assert [row["start_utc"][11:19] for row in rows] == [
        f"04:05:{second}" for second in range(22, 27)
    ]
    assert rows[3]["busy_pct"] == 100.0
    assert rows[3]["busy_seconds"] == 1.99  # the hypervisor gave the rest to others
    assert rows[3]["steal_pct"] == 0.5
    assert [row["position"] for row in rows] == [11, 19, 27, 35, 43]


def test_busy_is_neither_idle_nor_waiting(read):
    (first, _) = rows_of(read(document(["10:00:10", "10:00:20"])))
    assert first["busy_pct"] == 35.0
    assert first["seconds"] == 10.0
    assert first["busy_seconds"] == pytest.approx((0.35 - 0.01) * 4 * 10)  # steal
    assert (first["cpu_type"], first["online_cpus"], first["basis"]) == (
        "CP",
        4.0,
        "mpstat",
    )


def test_a_stamp_is_the_local_end_of_its_interval(read):
    reading = read(document(["10:00:10", "10:00:20"]), "Europe/Berlin")
    starts = [row["start_utc"] for row in rows_of(reading)]
    assert starts == ["2026-11-21T09:00:00.000000Z", "2026-11-21T09:00:10.000000Z"]


def test_midnight_begins_a_new_day(read):
    reading = read(document(["23:59:59", "00:00:00", "00:00:01"]))
    assert [row["start_utc"][:19] for row in rows_of(reading)] == [
        "2026-11-21T23:59:58",
        "2026-11-21T23:59:59",
        "2026-11-22T00:00:00",
    ]


def test_stamps_that_wobble_by_a_second(read):
    reading = read(document(["10:00:01", "10:00:02", "10:00:04", "10:00:05"]))
    assert [row["seconds"] for row in rows_of(reading)] == [1.0] * 4


def test_pause_between_intervals(read):
    reading = read(document(["10:00:01", "10:00:02", "10:01:02", "10:01:03"]))
    assert [row["seconds"] for row in rows_of(reading)] == [1.0, 1.0, 60.0, 1.0]


@pytest.mark.parametrize(
    ("date", "day", "problems"),
    [
        ("2026-11-21", "2026-11-21", 0),
        ("11/21/26", "2026-11-21", 0),
        ("11/21/2026", "2026-11-21", 0),
        ("21.11.2026", "2026-11-21", 0),
        ("03/04/26", "2026-03-04", 1),  # or the 3rd of April
    ],
)
def test_each_form_of_date_gives_its_day_and_an_ambiguous_one_is_told(
    read, date, day, problems
):
    reading = read(document(["10:00:01", "10:00:02"], date=date))
    assert rows_of(reading)[0]["start_utc"].startswith(day)
    assert len(reading.problems) == problems


def test_clock_of_twelve_hours(read):
    reading = read(document(["01:00:01 PM", "01:00:02 PM"]))
    assert rows_of(reading)[0]["start_utc"].endswith("T13:00:00.000000Z")


def test_unknown_date_gives_no_time(read):
    reading = read(document(["10:00:01", "10:00:02"], date="yesterday"))
    assert rows_of(reading)[0]["start_utc"] is None
    assert "yesterday" in reading.problems[0].message
    assert reading.status == "degraded"


def test_without_zone_rows_have_no_time(read):
    reading = read(document(["10:00:01", "10:00:02"]), zone=None)
    assert [row["start_utc"] for row in rows_of(reading)] == [None, None]
    assert reading.status == "degraded"
    assert "--zone" in reading.reason


def test_time_that_the_clock_shows_twice_is_said(read):
    text = document(["02:30:01", "02:30:02"], date="2026-10-25")
    reading = read(text, "Europe/Berlin")
    assert "ambiguous" in reading.problems[0].message


def test_old_name_of_all_cpus(read):
    load = [cpu("-1", idle=50), cpu("0", idle=0)]
    assert rows_of(read(document(["10:00:01", "10:00:02"], load)))[0]["busy_pct"] == 45


def test_all_cpus_listed_without_their_total(read):
    load = [cpu("0", idle=90, iowait=0), cpu("1", idle=50, iowait=0)]
    text = document(["10:00:01", "10:00:02"], load, **{"number-of-cpus": 2})
    assert rows_of(read(text))[0]["busy_pct"] == 30


def test_one_cpu_of_several_is_not_the_system(read):
    reading = read(document(["10:00:01", "10:00:02"], [cpu("0")]))
    assert rows_of(reading) == []
    assert reading.status == "failed"
    assert "no entry for all CPUs" in reading.problems[0].message


def test_one_interval_has_no_known_length():
    reading = mpstat.read(GOLDEN / "one-interval.json", "UTC")
    (row,) = rows_of(reading)
    assert (row["seconds"], row["start_utc"], row["busy_pct"]) == (None, None, 47.24)
    assert reading.status == "degraded"


def test_interrupted_file_is_whole():
    assert mpstat.read(GOLDEN / "interrupted.json", "UTC").status == "ok"


def test_killed_file_keeps_its_intervals():
    reading = mpstat.read(GOLDEN / "killed.json", "UTC")
    assert reading.status == "truncated"
    assert len(rows_of(reading)) == 2


def test_a_document_without_statistics_is_empty(read):
    reading = read(document([]))
    assert (reading.status, rows_of(reading)) == ("empty", [])


def test_shares_that_cannot_be_right(read):
    text = document(["10:00:01", "10:00:02", "10:00:03"]).replace(": 60.0", ": 99.0", 1)
    reading = read(text)
    assert len(rows_of(reading)) == 2
    assert reading.status == "degraded"
    assert "add up" in reading.problems[0].message


def test_byte_order_mark(read):
    assert read("\ufeff" + document(["10:00:01", "10:00:02"])).status == "ok"


@given(st.integers(0, 10_000))
def test_cut_anywhere_is_truncated(read, at):
    data = (GOLDEN / "str.json").read_bytes().rstrip()
    whole = rows_of(mpstat.read(GOLDEN / "str.json", "UTC"))
    at %= len(data)
    reading = read(data[:at])
    rows = rows_of(reading)
    assert reading.status == "truncated"
    figures = [(row["busy_pct"], row["position"]) for row in rows]
    assert figures == [(row["busy_pct"], row["position"]) for row in whole[: len(rows)]]


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_a_flipped_byte_never_crashes(read, at, byte):
    data = bytearray((GOLDEN / "str.json").read_bytes())
    data[at % len(data)] = byte
    for row in rows_of(read(bytes(data))):
        assert 0 <= row["busy_pct"] <= 100


@pytest.mark.parametrize(("idle", "status"), [(75, "ok"), (20, "degraded")])
def test_a_total_beyond_all_cpus_is_not_used(read, idle, status):
    each = [cpu(str(nth), idle=70 + 5 * nth) for nth in range(4)]
    sound = document(["04:26:12"] * 2, [cpu(idle=75), *each])
    odd = document(["04:26:14"], [cpu(idle=idle), *each])
    whole = json.loads(sound)
    entries = whole["sysstat"]["hosts"][0]["statistics"]
    entries[1]["timestamp"] = "04:26:13"
    entries += json.loads(odd)["sysstat"]["hosts"][0]["statistics"]
    reading = read(json.dumps(whole))
    assert (reading.status, len(rows_of(reading))) == (status, 2 + (status == "ok"))
    if status != "ok":
        assert "do not add up to the line of all" in reading.problems[0].message


def test_the_number_of_cpus_is_held_against_those_that_are_listed(read):
    load = [cpu(), cpu("0"), cpu("1")]
    times = ["10:00:10", "10:00:20"]
    reading = read(document(times, load), "UTC")
    assert reading.status == "degraded"
    assert reading.reason == "the host has 4 CPUs, but 2 are listed"
    assert read(document(times, load, **{"number-of-cpus": 2}), "UTC").status == "ok"


def test_a_stamp_with_another_hour_is_told(read):
    reading = read(document(["10:00:10", "10:00:20", "11:00:30"]), "UTC")
    assert reading.reason == "3610 s after the line before, not 10 s"


def test_a_stamp_with_another_hour_is_told_of_local_times_as_well(read):
    reading = read(document(["10:00:10", "10:00:20", "11:00:30"]), None)
    told = [problem.message for problem in reading.problems]
    assert "3610 s after the line before, not 10 s" in told
    assert "--zone" in reading.reason


def test_an_interval_whose_time_is_damaged_is_told(read):
    reading = read(document(["10:00:10", "10:00:20", "84:00:30"]))
    assert (reading.status, len(rows_of(reading))) == ("degraded", 2)
    assert reading.reason == "some intervals are not usable"
