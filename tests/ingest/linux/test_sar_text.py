"""sar and mpstat text: columns by name, decimal commas, restarts, means left out."""

from __future__ import annotations

import re

import pytest

from tests.ingest.logs import golden, reader, rows, text_of

HOST = "Linux 6.1.0 (lnx1) \t2026-01-12 \t_s390x_\t(4 CPU)\n\n"
HEADER = "{}        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
LINE = "{}        all     {}\n"
SHARES = "20.00      0.00     10.00      5.00      5.00     60.00"


@pytest.fixture
def read(tmp_path):
    return reader("sar_text", tmp_path)


def intervals(reading):
    return rows(reading, "cpu_interval")


def test_waiting_for_disks_is_not_busy_in_a_real_file():
    reading = golden("sar_text/sar-u.txt")
    found = intervals(reading)
    assert (reading.status, reading.systems, len(found)) == ("ok", ["vm"], 4)
    assert found[0]["busy_pct"] == 88.5
    assert found[0]["start_utc"] == "2026-11-21T04:20:03.000000Z"
    assert found[3]["busy_pct"] == 98.0  # waiting for disks is not busy
    assert {(r["scope"], r["basis"]) for r in found} == {("system", "sar")}


def test_each_cpu_is_not_the_system():
    assert len(intervals(golden("sar_text/sar-all.txt"))) == 3


def test_columns_of_mpstat_stand_in_another_order():
    found = intervals(golden("sar_text/mpstat.txt"))
    assert [r["basis"] for r in found] == ["mpstat", "mpstat"]
    assert found[1]["busy_pct"] == 93.5
    assert found[1]["steal_pct"] == 0.0


def test_decimal_comma_and_another_language():
    reading = golden("sar_text/german.txt")
    assert reading.status == "ok"
    assert [r["busy_pct"] for r in intervals(reading)] == [96.0, 93.33]


def test_an_american_date_has_its_month_first():
    (first, *_) = intervals(golden("sar_text/american-date.txt"))
    assert first["start_utc"].startswith("2026-11-21T10:43:35")


def test_steal_and_cpus_of_a_guest(read):
    text = HOST + HEADER.format("10:00:00") + LINE.format("10:10:00", SHARES)
    (only,) = intervals(read(text))
    assert (only["seconds"], only["online_cpus"]) == (600, 4)
    assert (only["busy_pct"], only["steal_pct"]) == (35, 5)
    assert only["busy_seconds"] == pytest.approx((0.35 - 0.05) * 4 * 600)


def test_clock_of_twelve_hours(read):
    text = HOST + HEADER.format("01:00:00 PM") + LINE.format("01:10:00 PM", SHARES)
    assert intervals(read(text))[0]["start_utc"] == "2026-01-12T13:00:00.000000Z"


def test_after_a_restart_time_begins_anew(read):
    text = (
        HOST
        + HEADER.format("10:00:00")
        + LINE.format("10:10:00", SHARES)
        + "\n10:25:00  LINUX RESTART      (4 CPU)\n\n"
        + HEADER.format("10:30:00")
        + LINE.format("10:40:00", SHARES)
    )
    reading = read(text)
    assert [r["seconds"] for r in intervals(reading)] == [600, 600]
    assert "started anew" in reading.problems[0].message


def test_an_interval_over_midnight_begins_the_day_before(read):
    text = HOST + HEADER.format("23:55:00") + LINE.format("00:05:00", SHARES)
    (only,) = intervals(read(text))
    assert (only["seconds"], only["start_utc"][:16]) == (600, "2026-01-12T23:55")


def test_other_sections_are_left_out(read):
    network = (
        "10:00:00        IFACE   rxpck/s   txpck/s\n10:10:00        all     1.00\n"
    )
    text = HOST + HEADER.format("10:00:00") + LINE.format("10:10:00", SHARES) + network
    assert len(intervals(read(text))) == 1


def test_shares_that_cannot_be_right(read):
    bad = SHARES.replace("60.00", "90.00")
    text = HOST + HEADER.format("10:00:00") + LINE.format("10:10:00", bad)
    reading = read(text)
    assert (reading.status, intervals(reading)) == ("failed", [])


def test_without_a_zone_no_interval_has_a_time(tmp_path):
    reading = reader("sar_text", tmp_path, None)(text_of("sar_text/sar-u.txt"))
    assert (reading.status, intervals(reading)[0]["start_utc"]) == ("degraded", None)


def test_a_text_that_is_cut_within_a_line_is_truncated(read):
    assert read(text_of("sar_text/sar-u.txt")[:-200]).status == "truncated"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("04:20:07", "05:20:07", "3601 s after the line before, not 1 s"),
        ("04:20:06 .*\n", "", "the mean of %usr is 19.72, but "),
        (
            "19.72 (.*) 8.67",
            r"14.72 \1 13.67",
            "%usr is 14.72, but 19.68 by its",
        ),
    ],
)
def test_stamps_lines_and_means_that_contradict_each_other_are_told(
    read, old, new, told
):
    text, times = re.subn(old, new, text_of("sar_text/sar-u.txt"))
    assert times == 1
    reading = read(text)
    assert reading.status == "degraded"
    assert told in reading.reason


def test_lengths_that_seconds_round_make_no_other_mean(read):
    """Intervals of 1.4 s end at whole seconds that are 1 or 2 apart."""
    shares = ("{:.2f} 0 0 0 0 {:.2f}".replace(" 0", " 0.00").format(u, 100 - u)
              for u in (20, 40))  # fmt: skip
    lines = map(LINE.format, ("10:00:02", "10:00:04"), shares)
    mean = LINE.replace("{}", "Average:", 1).format("30.00 0.00 0.00 0.00 0.00 70.00")
    assert read(HOST + HEADER.format("10:00:01") + "".join(lines) + mean).status == "ok"
