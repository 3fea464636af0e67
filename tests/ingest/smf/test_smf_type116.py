"""Type 116: tasks, queues and channels of queue managers, made and real."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.ingest.smf import read
from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.rmf import Interval
from tests.ingest.smf import made_mq
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_mq import channel, channel_accounting, queue, task, tod

START, END = Interval().start, Interval().end
SAMPLES = Path(__file__).parents[4] / "shared/samples/smf"


def test_each_channel_is_a_row(read_records):
    made = channel_accounting(
        END,
        42.5,
        [channel("TO.QM02", 1, 2, 3, 4, 5, 6), channel("ANY", 9, 1, 1, 1, 1, 1)],
    )
    first, second = rows(read_records(made), "mq_channel_interval")
    assert set(first) == set(TABLES["mq_channel_interval"])
    assert (first["queue_manager"], first["channel"]) == ("QM01", "TO.QM02")
    assert (first["kind"], first["partner"]) == ("sender", "192.0.2.7")
    assert (first["start_utc"], first["seconds"]) == (
        "2026-03-02T14:14:17.500000Z", 42.5,
    )  # fmt: skip
    assert (first["messages"], first["buffers_out"], first["buffers_in"]) == (2, 3, 4)
    assert (first["bytes_out"], first["bytes_in"]) == (5, 6)
    assert (second["channel"], second["kind"]) == ("ANY", "cluster sender")


def test_a_task_and_its_queues(read_records):
    used = [
        queue("ORDERS", (1, 2, 3, 4, 5, 6, 7), (2**40, 900)),
        queue("REPLIES", (1, 1, 0, 0, 0, 0, 0), (0, 0)),
    ]
    reading = read_records(task(START, 60, used, kind=1))
    (whole,) = rows(reading, "mq_task_interval")
    assert set(whole) == set(TABLES["mq_task_interval"])
    assert (whole["queue_manager"], whole["kind"]) == ("QM01", "CICS")
    assert (whole["job"], whole["user"]) == ("JOBA", "USERA")
    assert whole["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert (whole["seconds"], whole["cpu_seconds"]) == (60, 2.75)
    assert (whole["others"], whole["commits"], whole["backouts"]) == (3, 5, 7)
    assert (whole["log_writes"], whole["log_bytes"]) == (11, 13)
    orders, replies = rows(reading, "mq_queue_interval")
    assert set(orders) == set(TABLES["mq_queue_interval"])
    calls = ("opens", "closes", "gets", "puts", "put1s", "inquiries", "sets")
    assert [orders[name] for name in calls] == [1, 2, 3, 4, 5, 6, 7]
    assert (orders["bytes_put"], orders["bytes_got"]) == (2**40, 900)
    assert (orders["call_seconds"], orders["cpu_seconds"]) == (14, 7)
    assert (orders["job"], orders["start_utc"]) == ("JOBA", whole["start_utc"])
    assert (replies["queue"], replies["gets"]) == ("REPLIES", 0)


def test_a_task_without_queues_is_a_row_all_the_same(read_records):
    reading = read_records(task(START, 60), task(END, 60, kind=99))
    assert (reading.status, reading.problems) == ("ok", [])
    known, unknown = rows(reading, "mq_task_interval")
    assert (known["kind"], unknown["kind"]) == ("batch or TSO", None)
    assert not reading.tables.get("mq_queue_interval", ())


def test_sections_that_are_others_are_told_and_left_out(read_records):
    other = channel("A", 1, 1, 1, 1, 1, 1, eyecatcher="QCCT")
    reading = read_records(
        task(START, 60, eyecatcher="QMAC"),
        task(END, 60),
        channel_accounting(END, 60, [other]),
    )
    assert len(rows(reading, "mq_task_interval")) == 1
    said = messages(reading)
    assert "byte offset 0 has no WTAS where its task accounting" in said
    assert "has no QCST where its channel accounting data are" in said
    assert reading.status == "degraded"


@pytest.mark.parametrize("seconds", [0, -60])
def test_an_interval_without_length_gives_no_row(read_records, seconds):
    reading = read_records(
        task(END, seconds, [queue("A", (1,) * 7, (1, 1))]), task(END, 60)
    )
    assert len(rows(reading, "mq_task_interval")) == 1
    assert not reading.tables.get("mq_queue_interval", ())
    assert "does not say when its interval began" in messages(reading)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared/samples")
def test_real_records_of_a_queue_manager():
    reading = read(SAMPLES / "TESTCHL.dat")
    found = rows(reading, "mq_channel_interval")
    assert len(found) == 23 and {row["kind"] for row in found} == {"server connection"}
    assert found[0]["seconds"] == pytest.approx(42.051671)
    went_on = [row["messages"] for row in found if row["messages"] < 104]
    assert went_on == [102, 3]  # 105, as of each other client that got messages
    assert len(rows(reading, "mq_task_interval")) == 200
    used = rows(reading, "mq_queue_interval")
    moved = {
        (row["gets"], row["puts"], row["bytes_got"], row["bytes_put"]) for row in used
    }
    assert len(used) == 22 and (0, 100, 0, 1100) in moved
    assert all(0 < row["cpu_seconds"] <= row["call_seconds"] for row in used)


def test_more_cpu_time_of_calls_than_they_lasted_is_told(read_records, monkeypatch):
    monkeypatch.setattr(made_mq, "tod", lambda seconds: tod(3 if seconds == 1 else 2))
    used = [queue("ORDERS", (1, 1, 0, 0, 0, 0, 0), (0, 0))]
    reading = read_records(task(START, 60, used))
    assert reading.status == "degraded"
    assert "more CPU time than they lasted" in messages(reading)
