"""70-1: LPAR busy and MVS busy by the documented formulas."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synthetic.smf.rmf import Activity, Core, Cpu, Interval, Lpar, cpu_activity
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_rmf import broken_activity

SECOND = 1_000_000
INTERVAL = Interval()
OTHER = Lpar("TEST", 7, [Cpu(0, 9 * SECOND, 8 * SECOND), Cpu(1, SECOND, SECOND)])
PHYSICAL = Lpar("PHYSICAL", 0, [Cpu(0, 5 * SECOND, 0, online=0)])


def read_cp(read_records, *cpus, activity=None, interval=INTERVAL, **more):
    activity = activity or Activity([OTHER, Lpar("PROD", 3, cpus), PHYSICAL], **more)
    reading = read_records(cpu_activity(interval, activity))
    return next(r for r in rows(reading, "cpu_interval") if r["cpu_type"] == "CP")


def told(row):
    """What is said of the machine, where it is not false or unknown."""
    names = (
        "dedicated", "wait_completion", "hiperdispatch", "smt", "varied", "monitor_3",
        "guest", "boost", "boost_class", "capacity_adjustment", "capacity_change",
    )  # fmt: skip
    return {name: row[name] for name in names if row[name]}


def test_shared_cpus_are_busy_while_dispatched(read_records):
    row = read_cp(
        read_records,
        Cpu(0, 450 * SECOND, 440 * SECOND, wait=100 * SECOND),
        Cpu(1, 90 * SECOND, 80 * SECOND, wait=810 * SECOND),
    )
    assert row["busy_pct"] == pytest.approx((50 + 10) / 2)
    assert row["busy_seconds"] == pytest.approx(540)
    assert row["dispatch_seconds"] == pytest.approx(540)
    assert row["effective_seconds"] == pytest.approx(520)
    assert row["mvs_busy_pct"] == pytest.approx(100 * (800 / 900 + 90 / 900) / 2)
    assert (row["online_cpus"], row["basis"]) == (2, "lpar_busy")
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert told(row) == {}


def test_dedicated_cpus_are_busy_while_they_do_not_wait(read_records):
    cpu = Cpu(0, 900 * SECOND, 900 * SECOND, wait=675 * SECOND, weight=0xFFFF)
    row = read_cp(read_records, cpu)
    assert row["busy_pct"] == pytest.approx(25)
    assert row["busy_seconds"] == pytest.approx(225)
    assert told(row) == {"dedicated": True}


def test_with_wait_completion_dispatch_time_has_wait_in_it(read_records):
    cpu = Cpu(0, 800 * SECOND, 0, wait=600 * SECOND, completion=True)
    assert read_cp(read_records, cpu)["busy_pct"] == pytest.approx(100 * 200 / 900)
    parked = read_cp(read_records, cpu, hiperdispatch=True)
    assert parked["busy_pct"] == pytest.approx(100 * 800 / 900)


def test_mvs_busy_is_weighted_by_the_time_not_parked(read_records):
    cpus = (
        Cpu(0, 450 * SECOND, 0, wait=450 * SECOND),
        Cpu(1, 45 * SECOND, 0, wait=45 * SECOND, parked=810 * SECOND),
        Cpu(2, 0, 0, parked=900 * SECOND),
    )
    row = read_cp(read_records, *cpus, hiperdispatch=True)
    assert row["busy_pct"] == pytest.approx((50 + 5 + 0) / 3)
    assert row["mvs_busy_pct"] == pytest.approx((50 * 100 + 50 * 10) / 110)
    assert row["parked_pct"] == pytest.approx((0 + 90 + 100) / 3)
    assert told(row) == {"hiperdispatch": True}


def test_a_type_whose_cpus_are_all_parked_has_no_mvs_busy(read_records):
    row = read_cp(read_records, Cpu(0, 0, 0, parked=900 * SECOND))
    assert (row["busy_pct"], row["mvs_busy_pct"]) == (0, None)


@pytest.mark.parametrize("millis", [59_998, 59_999, 60_001, 60_002])
def test_cpus_that_were_online_all_the_time_are_a_whole_number(read_records, millis):
    cpus = [Cpu(cid, SECOND, 0, online=millis * 1000) for cid in range(4)]
    activity = Activity([Lpar("PROD", 3, cpus), PHYSICAL])
    reading = read_records(cpu_activity(Interval(millis=millis), activity))
    own = next(r for r in rows(reading, "partition_interval") if r["own"])
    (row,) = rows(reading, "cpu_interval")
    assert (row["online_cpus"], own["online_cpus"]) == (4.0, 4.0)


def test_a_varied_cpu_counts_by_its_online_time(read_records):
    cpus = (
        Cpu(0, 450 * SECOND, 0, wait=450 * SECOND),
        Cpu(1, 300 * SECOND, 0, 300 * SECOND, wait=5, varied=True),
        Cpu(2, 0, 0, online=0),
    )
    row = read_cp(read_records, *cpus)
    assert row["online_cpus"] == pytest.approx(1 + 1 / 3)
    assert row["busy_pct"] == pytest.approx(100 * (0.5 + 1 / 3) / (4 / 3))
    assert row["busy_seconds"] == pytest.approx(750)
    assert row["mvs_busy_pct"] == pytest.approx(50)
    assert told(row) == {"varied": True}


def test_a_varied_dedicated_cpu_is_left_out_of_the_mean(read_records):
    cpus = (
        Cpu(0, 900 * SECOND, 0, wait=450 * SECOND, weight=0xFFFF),
        Cpu(1, 300 * SECOND, 0, 300 * SECOND, wait=5, weight=0xFFFF, varied=True),
    )
    assert read_cp(read_records, *cpus)["busy_pct"] == pytest.approx(50)


def test_without_online_time_a_dispatched_cpu_was_online(read_records):
    row = read_cp(read_records, Cpu(0, 90 * SECOND, 0, online=0))
    assert row["busy_pct"] == pytest.approx(10)


def test_cores_with_threads_have_their_own_busy_time(read_records):
    cores = (Cpu(0, 600 * SECOND, 0), Cpu(1, 90 * SECOND, 0))
    threads = [
        Cpu(0, wait=450 * SECOND),
        Cpu(1, wait=900 * SECOND),
        Cpu(2, wait=810 * SECOND),
        Cpu(3, wait=900 * SECOND),
    ]
    activity = Activity(
        [Lpar("PROD", 3, cores)],
        threads,
        [Core(0, 0, 2, 540_000), Core(1, 2, 2, 0, valid=False)],
    )
    row = read_cp(read_records, activity=activity)
    assert row["busy_pct"] == pytest.approx((60 + 10) / 2)
    assert row["mvs_busy_pct"] == pytest.approx((50 + 0 + 10 + 0) / 4)
    assert (row["online_cpus"], told(row)) == (2, {"smt": True})


def test_ziips_are_apart_with_their_factor(read_records):
    cpus = [Cpu(0, 90 * SECOND, 0), Cpu(8, 18 * SECOND, 0, name=2)]
    activity = Activity([Lpar("PROD", 3, cpus)], factor=320)
    reading = read_records(cpu_activity(INTERVAL, activity))
    found = {row["cpu_type"]: row for row in rows(reading, "cpu_interval")}
    assert found["CP"]["busy_pct"] == pytest.approx(10)
    assert found["zIIP"]["busy_pct"] == pytest.approx(2)
    assert found["zIIP"]["normalisation"] == 1.25
    assert found["CP"]["normalisation"] is None


def test_all_partitions_are_told_and_which_is_the_own(read_records):
    reading = read_records(
        cpu_activity(INTERVAL, Activity([OTHER, Lpar("PROD", 3, [Cpu(0, SECOND)])]))
    )
    found = {row["partition"]: row for row in rows(reading, "partition_interval")}
    assert found["TEST"]["dispatch_seconds"] == pytest.approx(10)
    assert found["TEST"]["effective_seconds"] == pytest.approx(9)
    assert (found["TEST"]["own"], found["PROD"]["own"]) == (False, True)


def test_boost_and_capacity_are_noted(read_records):
    interval = replace(INTERVAL, flags=0x0060 | 0x2000)
    row = read_cp(read_records, Cpu(0), interval=interval, capacity=90)
    assert told(row) == {
        "boost": "speed and zIIP boost",
        "capacity_adjustment": 90,
        "monitor_3": True,
    }


def test_without_partition_data_mvs_busy_stands_in(read_records):
    activity = Activity([], [Cpu(0, wait=675 * SECOND)], flags=0x80)
    row = read_cp(read_records, activity=activity)
    assert (row["busy_pct"], row["basis"]) == (pytest.approx(25), "mvs_busy")
    assert (row["online_cpus"], row["dispatch_seconds"]) == (1, None)


def test_the_wait_time_of_a_guest_is_not_used(read_records):
    activity = Activity([], [Cpu(0, wait=675 * SECOND)], flags=0x04)
    reading = read_records(cpu_activity(INTERVAL, activity))
    (row,) = rows(reading, "cpu_interval")
    assert (row["busy_pct"], row["mvs_busy_pct"]) == (None, None)
    assert "z/VM guest" in messages(reading)


@pytest.mark.parametrize("pieces", [2, 3, 7])
@pytest.mark.parametrize("chunk", [1 << 20, 3_000])
@pytest.mark.parametrize("backwards", [False, True])
def test_broken_records_are_put_together(read_records, pieces, chunk, backwards):
    cpus = [Cpu(n, n * SECOND, 0, name=1 + n % 2) for n in range(20)]
    activity = Activity([OTHER, Lpar("PROD", 3, cpus), PHYSICAL])
    whole = read_records(cpu_activity(INTERVAL, activity))
    made = broken_activity(INTERVAL, activity, pieces)
    later = replace(INTERVAL, start=INTERVAL.end)
    made = made[::-1] if backwards else made
    mixed = [*made, cpu_activity(later, activity)]
    broken = read_records(*mixed, chunk=chunk)
    expected = whole.tables["cpu_interval"].drop("position")
    found = broken.tables["cpu_interval"]
    assert (
        found.filter(start_utc=expected["start_utc"][0])
        .drop("position")
        .equals(expected)
    )
    assert found.height == 2 * expected.height
    assert broken.status == "ok"


def test_a_missing_piece_is_told_of(read_records):
    activity = Activity([Lpar("PROD", 3, [Cpu(n, SECOND) for n in range(9)])])
    made = broken_activity(INTERVAL, activity, 3)
    reading = read_records(made[0], made[2])
    assert reading.status == "degraded"
    assert "piece 1 of 3" in messages(reading)


def test_processors_that_a_partition_only_names_are_told_of(read_records):
    record = cpu_activity(INTERVAL, Activity([Lpar("PROD", 3, [Cpu(0), Cpu(1)])]))
    damaged = bytearray(record)
    damaged[74:76] = b"\0\1"  # number of logical processor sections
    reading = read_records(bytes(damaged))
    assert "does not have" in messages(reading)
    assert (reading.status, reading.tables) == ("degraded", {})


def unused(read_records, *records: bytes) -> str:
    """What is said of records of which nothing was used."""
    reading = read_records(*records)
    assert (reading.status, reading.tables) == ("degraded", {})
    return messages(reading)


def patched(record: bytes, at: int, raw: bytes) -> bytes:
    return record[:at] + raw + record[at + len(raw) :]


OWN = Activity([OTHER, Lpar("PROD", 3, [Cpu(0, SECOND), Cpu(8, SECOND, name=2)])])


def test_unreadable_processors_are_no_processors_without_time(read_records):
    short = patched(cpu_activity(INTERVAL, OWN), 72, b"\0\1")  # bytes of a section
    told = unused(read_records, short)
    assert "logical processor section" in told
    assert "is shorter than 48 bytes" in told


def test_mvs_busy_never_stands_in_for_partitions_that_are_lost(read_records):
    gone = patched(cpu_activity(INTERVAL, OWN), 66, b"\0\0")  # number of partitions
    assert "nor says that there are no partitions" in unused(read_records, gone)
    other = replace(INTERVAL, partition=5)
    told = unused(read_records, cpu_activity(other, replace(OWN, data=[Cpu(0)])))
    assert "has no logical processors of the partition that wrote it" in told


def test_a_ziip_whose_name_is_lost_is_no_cp(read_records):
    one_name = patched(cpu_activity(INTERVAL, OWN), 82, b"\0\1")
    assert "of a type whose name it does not have" in unused(read_records, one_name)


def test_a_core_without_its_threads_is_told_of(read_records):
    cores = replace(OWN, cores=[Core(0, 0, 2, 1000), Core(8, 2, 1, 1000)])
    told = unused(read_records, cpu_activity(INTERVAL, cores))
    assert "names CPU data sections that the record does not have" in told


@pytest.mark.parametrize(
    "length", [b"\0\0\0\x0f", b"\xff\xff\xff\xff", b"\0\x75\0\x0f"]
)
def test_an_interval_without_length_gives_no_rate(read_records, length):
    made = cpu_activity(INTERVAL, OWN)
    product = int.from_bytes(made[28:32], "big")
    damaged = patched(made, product + 18, length)
    assert "tells no start and length" in unused(read_records, damaged)


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_an_interval_that_lost_a_piece_is_not_used(read_records, lost):
    cpus = [Cpu(n, SECOND, wait=SECOND) for n in range(9)]
    made = broken_activity(INTERVAL, Activity([Lpar("PROD", 3, cpus)]), 3)
    told = unused(read_records, *made[:lost], *made[lost + 1 :])
    assert told.count("others are missing") == 2


def test_a_damaged_piece_takes_its_interval_with_it(read_records):
    cpus = [Cpu(n, SECOND, wait=SECOND) for n in range(9)]
    made = broken_activity(INTERVAL, Activity([Lpar("PROD", 3, cpus)]), 2)
    made[1] = patched(made[1], 68, b"\xff\xff\xff\xff")  # logical processors
    told = unused(read_records, *made)
    assert "points past its record" in told
    assert told.count("nothing of this record was used") == 2


def test_a_piece_that_another_one_stands_in_for_is_told_of(read_records):
    cpus = [Cpu(n, SECOND) for n in range(4)]
    made = broken_activity(INTERVAL, Activity([Lpar("PROD", 3, cpus)]), 2)
    again = broken_activity(INTERVAL, Activity([Lpar("PROD", 3, cpus[:3])]), 2)
    reading = read_records(*made, again[1])
    assert rows(reading, "cpu_interval")[0]["online_cpus"] == 4
    assert reading.status == "degraded"
    assert "another piece than one of its number" in messages(reading)
    assert read_records(*made, made[1]).status == "ok"  # a duplicate, as others are
