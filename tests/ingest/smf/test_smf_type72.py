"""72-3: CPU seconds as RMF prints them, and the capture ratio."""

from __future__ import annotations

import struct

import pytest

from synthetic.smf.bytes_of import hfp
from synthetic.smf.rmf import (
    Activity,
    Cpu,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
)
from tests.ingest.smf.conftest import messages, rows

INTERVAL = Interval()
TABLE = "class_interval"
RATE = 16e6 / 188  # service units a second, 85,106.4


def test_service_units_become_the_seconds_that_a_report_prints(read_records):
    period = Period(cpu=74018, srb=24575, ended=7)
    (row,) = rows(
        read_records(class_activity(INTERVAL, "STCHIGH", [period])), "class_interval"
    )
    assert row["cp_seconds"] == pytest.approx(0.870 + 0.289, abs=1e-3)
    assert (row["class"], row["class_kind"], row["period"]) == ("STCHIGH", "service", 1)
    assert (row["transactions"], row["workload"]) == (7, "WORK")
    assert row["ziip_seconds"] == 0


@pytest.mark.parametrize(
    ("goal", "using", "delayed", "told"),
    [
        ((0x20, 0, 50, 0), 300, 100, ("velocity", None, None, 50, 75, 50 / 75)),
        ((0x20, 0, 50, 0), 0, 100, ("velocity", None, None, 50, 0, None)),
        ((0x20, 0, 50, 0), 0, 0, ("velocity", None, None, 50, None, None)),
        ((0x80, 0x40, 2, 90), 1, 1, ("percentile", 2000, 90, None, 50, None)),
        ((0x40, 0x80, 250, 0), 1, 3, ("average", 250, None, None, 25, None)),
        ((0x40, 0, 250, 0), 1, 3, ("average", None, None, None, 25, None)),
        ((0x10, 0, 0, 0), 1, 3, ("discretionary", None, None, None, 25, None)),
    ],
)
def test_the_goal_of_a_period_and_how_it_is_met(
    read_records, goal, using, delayed, told
):
    """A time that is a goal is in ms whatever its unit, and null without one."""
    period = Period(cpu=1, goal=goal, using=using, delayed=delayed)
    (row,) = rows(read_records(class_activity(INTERVAL, "A", [period])), TABLE)
    columns = (
        "goal", "goal_ms", "goal_percentile", "goal_velocity_pct", "velocity_pct",
        "performance_index",
    )  # fmt: skip
    assert [row[name] for name in columns] == [pytest.approx(one) for one in told]


MAP = [*range(50, 160, 10), 200, 400, 0x7FFFFFFF]
COUNTS = [50, 0, 0, 20, 0, 10, 5, 0, 0, 0, 5, 4, 3, 3]
OF_LAST = [*[0] * 13, 10]
PERCENTILE, AVERAGE = 0x80, 0x40
IN_MS = 0x80


def goals(read_records, kind: int, percentile: int = 0, counts=COUNTS, **more):
    goal = (kind, IN_MS, 200, percentile)
    period = Period(ended=100, goal=goal, responses=2, elapsed=12e6, **more)
    record = class_activity(
        INTERVAL, "A", [period], responses=[MAP, OF_LAST, counts], size=728
    )
    reading = read_records(record)
    (row,) = rows(reading, TABLE)
    return row, reading


@pytest.mark.parametrize(
    ("percentile", "index"),
    [(50, 0.5), (51, 0.8), (80, 1), (85, 1.1), (90, 1.5), (97, 4), (98, None)],
)
def test_a_percentile_goal_is_met_at_the_bound_of_its_share(
    read_records, percentile, index
):
    row, _ = goals(read_records, PERCENTILE, percentile)
    assert (row["performance_index"], row["goal_met_pct"]) == (index, 80)
    assert row["response_ms"] == 120


def test_an_average_goal_is_met_by_the_mean(read_records):
    row, _ = goals(read_records, AVERAGE)
    assert (row["performance_index"], row["goal_met_pct"]) == (0.6, 80)


def test_the_response_times_of_a_period(read_records):
    _, reading = goals(read_records, AVERAGE)
    found = rows(reading, "class_response_interval")
    each = [(row["up_to_pct"], row["up_to_ms"], row["transactions"]) for row in found]
    assert each == [
        (50, 100, 50), (80, 160, 20), (100, 200, 10), (110, 220, 5), (150, 300, 5),
        (200, 400, 4), (400, 800, 3), (None, None, 3),
    ]  # fmt: skip
    assert {(row["class"], row["class_kind"], row["period"]) for row in found} == {
        ("A", "service", 1)
    }


def test_of_a_goal_that_is_no_time_the_mean_is_the_midpoint(read_records):
    goal = (0x20, 0, 50, 0)
    period = Period(ended=10, goal=goal, responses=1, midpoint=40)
    record = class_activity(INTERVAL, "A", [period], responses=[MAP, COUNTS], size=728)
    reading = read_records(record)
    assert rows(reading, "class_response_interval")[0]["up_to_ms"] == 20
    assert rows(reading, TABLE)[0]["goal_met_pct"] is None


@pytest.mark.parametrize("number", [0, 3, 65535])
def test_a_period_without_response_times(read_records, number):
    goal = (PERCENTILE, IN_MS, 200, 90)
    period = Period(cpu=RATE, ended=10, goal=goal, responses=number)
    record = class_activity(INTERVAL, "A", [period], responses=[MAP, COUNTS, COUNTS])
    reading = read_records(record)
    (row,) = rows(reading, TABLE)
    assert (row["performance_index"], row["goal_met_pct"]) == (None, None)
    assert row["cp_seconds"] == pytest.approx(1)
    assert "class_response_interval" not in reading.tables


def test_another_map_is_told_and_not_used(read_records):
    goal = (PERCENTILE, IN_MS, 200, 90)
    period = Period(cpu=RATE, ended=10, goal=goal, responses=1)
    record = class_activity(INTERVAL, "A", [period], responses=[[55] * 14, COUNTS])
    reading = read_records(record)
    (row,) = rows(reading, TABLE)
    assert (row["performance_index"], reading.status) == (None, "ok")
    assert row["cp_seconds"] == pytest.approx(1)
    assert "other shares of the goal" in messages(reading)


def test_arrays_are_found_also_where_a_section_is_an_entry(read_records):
    entries = [[one] for array in (MAP, COUNTS) for one in array]
    period = Period(ended=100, goal=(PERCENTILE, IN_MS, 200, 90), responses=1)
    record = class_activity(INTERVAL, "A", [period], responses=entries, size=728)
    (row,) = rows(read_records(record), TABLE)
    assert row["performance_index"] == 1.5


@pytest.mark.parametrize(("coarse", "mean"), [(12e6, 120), (24e6, 240)])
def test_sums_of_elapsed_times_that_contradict(read_records, coarse, mean):
    """The fine sum is used where it is the coarse one, but for its digits."""
    period = Period(ended=100, elapsed=12e6)
    at = class_activity(INTERVAL, "A", [period], size=728)
    where = int.from_bytes(at[60:64], "big") + 200
    record = at[:where] + hfp(coarse // 1024) + at[where + 8 :]
    (row,) = rows(read_records(record), TABLE)
    assert row["response_ms"] == pytest.approx(mean, rel=1e-4)


def test_transactions_without_a_time_have_no_mean(read_records):
    record = class_activity(INTERVAL, "A", [Period(ended=100)], size=728)
    assert rows(read_records(record), TABLE)[0]["response_ms"] is None


def test_normalised_ziip_time_is_taken_off(read_records):
    period = Period(
        cpu=6153.266 * RATE,
        srb=70.355 * RATE,
        rct=0.325e6,
        iit=11.223e6,
        ziip=180.186 * RATE,
        ziip_on_cp=2 * RATE,
    )
    interval = Interval(millis=900_013)
    record = class_activity(interval, "SYSSTC", [period])
    (row,) = rows(read_records(record), "class_interval")
    assert 100 * row["cp_seconds"] / row["seconds"] == pytest.approx(672.77, abs=0.005)
    assert row["ziip_seconds"] == pytest.approx(180.186)
    assert row["ziip_on_cp_seconds"] == pytest.approx(2)


def test_the_normalisation_factor_counts(read_records):
    period = Period(cpu=100 * RATE, ziip=10 * RATE)
    record = class_activity(INTERVAL, "A", [period], ziip=512)
    (row,) = rows(read_records(record), "class_interval")
    assert row["cp_seconds"] == pytest.approx(100 - 2 * 10)
    assert row["normalisation"] == 2


def test_zaap_time_is_taken_off_by_its_own_factor(read_records):
    period = Period(cpu=100 * RATE, zaap=10 * RATE, zaap_on_cp=3 * RATE)
    record = class_activity(INTERVAL, "A", [period], zaap=320)
    (row,) = rows(read_records(record), "class_interval")
    assert row["cp_seconds"] == pytest.approx(100 - 1.25 * 10)
    assert (row["zaap_seconds"], row["zaap_on_cp_seconds"]) == (10, 3)
    assert (row["zaap_normalisation"], row["normalisation"]) == (1.25, 1)


def test_a_machine_without_zaaps_has_no_factor_of_them(read_records):
    record = class_activity(INTERVAL, "A", [Period(cpu=100 * RATE)])
    (row,) = rows(read_records(record), "class_interval")
    assert (row["zaap_seconds"], row["zaap_normalisation"]) == (0, None)


def test_coefficients_divide_the_service_units(read_records):
    period = Period(cpu=100 * RATE, srb=100 * RATE)
    record = class_activity(INTERVAL, "A", [period], cpu=20_000, srb=50_000)
    (row,) = rows(read_records(record), "class_interval")
    assert row["cp_seconds"] == pytest.approx(50 + 20)


@pytest.mark.parametrize("hidden", [{"cpu": 0}, {"srb": 0}, {"adjust": 0}])
def test_a_coefficient_of_zero_hides_the_seconds(read_records, hidden):
    reading = read_records(class_activity(INTERVAL, "A", [Period(cpu=1e6)], **hidden))
    assert rows(reading, "class_interval")[0]["cp_seconds"] is None
    assert "coefficient of zero" in messages(reading)


def test_doubles_are_told_by_their_total(read_records):
    def ieee(value: float) -> bytes:
        return struct.pack(">d", value)

    period = Period(cpu=100 * RATE, srb=10 * RATE, ioc=12345.0)
    record = class_activity(INTERVAL, "A", [period], write=ieee)
    (row,) = rows(read_records(record), "class_interval")
    assert row["cp_seconds"] == pytest.approx(110)


def test_doubles_that_are_zero_as_other_numbers_are_doubles(read_records):
    def ieee(value: float) -> bytes:
        return struct.pack(">d", value)

    period = Period(cpu=2.0)  # as hexadecimal floating point, zero with an exponent
    record = class_activity(INTERVAL, "A", [period], write=ieee)
    (row,) = rows(read_records(record), "class_interval")
    assert row["cp_seconds"] == pytest.approx(2 / RATE)


def test_report_classes_and_periods_are_apart(read_records):
    reading = read_records(
        class_activity(INTERVAL, "ONLINE", [Period(1), Period(2)]),
        class_activity(INTERVAL, "RONLINE", [Period(1)], report=True),
    )
    found = [
        (r["class"], r["class_kind"], r["period"])
        for r in rows(reading, "class_interval")
    ]
    assert found == [
        ("ONLINE", "service", 1),
        ("ONLINE", "service", 2),
        ("RONLINE", "report", 1),
    ]


def test_a_shorter_section_lacks_its_last_fields(read_records):
    record = class_activity(INTERVAL, "A", [Period(cpu=100 * RATE, ziip=1)], size=540)
    (row,) = rows(read_records(record), "class_interval")
    assert row["ziip_seconds"] is None
    assert row["cp_seconds"] == pytest.approx(100)


def test_a_longer_section_is_read_by_its_own_length(read_records):
    periods = [Period(1, cpu=RATE), Period(2, cpu=2 * RATE)]
    record = class_activity(INTERVAL, "A", periods, size=700)
    found = [row["cp_seconds"] for row in rows(read_records(record), "class_interval")]
    assert found == pytest.approx([1, 2])


def activity(busy: float) -> bytes:
    cpus = [Cpu(0, round(busy * 1e6), 0)]
    return cpu_activity(INTERVAL, Activity([Lpar("PROD", 3, cpus)]))


@pytest.mark.parametrize(
    ("captured", "warned"), [(90, False), (69, True), (101, True), (71, False)]
)
def test_the_capture_ratio_is_warned_of(read_records, captured, warned):
    reading = read_records(
        activity(100),
        class_activity(INTERVAL, "A", [Period(cpu=captured / 2 * RATE)]),
        class_activity(INTERVAL, "B", [Period(cpu=captured / 2 * RATE)]),
        class_activity(INTERVAL, "R", [Period(cpu=captured * RATE)], report=True),
    )
    assert rows(reading, "cpu_interval")[0]["capture_pct"] == pytest.approx(captured)
    assert ("capture ratio" in messages(reading)) is warned


def test_hidden_seconds_give_no_capture_ratio(read_records):
    reading = read_records(
        activity(100), class_activity(INTERVAL, "A", [Period(cpu=1e6)], cpu=0)
    )
    assert rows(reading, "cpu_interval")[0]["capture_pct"] is None
