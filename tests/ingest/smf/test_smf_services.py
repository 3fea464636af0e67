"""Requests to z/OS Connect (123-1) and to crypto cards (82-20)."""

from __future__ import annotations

import pytest

from analysis.ingest.tables.catalog import TABLES
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_services import (
    connect_1,
    connect_2,
    crypto_times,
    first_request,
    second_request,
)

BEGIN = "2026-03-02T14:00:00.000000Z"
REQUESTS, CARDS = "zosconnect_request", "crypto_request"


def test_a_request_of_version_1(read_records):
    (row,) = rows(read_records(connect_1(first_request())), REQUESTS)
    assert set(row) == set(TABLES[REQUESTS])
    assert (row["system"], row["job"]) == ("SYSA", "BAQSTRT")
    assert (row["service"], row["method"]) == ("orderService", "GET")
    assert (row["user"], row["start_utc"]) == ("WEBUSER", BEGIN)
    assert row["end_utc"] == "2026-03-02T14:00:00.250000Z"
    assert (row["response_seconds"], row["backend_seconds"]) == (0.25, None)
    assert (row["request_bytes"], row["response_bytes"]) == (120, 4_096)
    assert (row["api"], row["status"], row["backend"]) == (None, None, None)


@pytest.mark.parametrize("at", [32, 40, 200])
def test_every_request_of_a_record_of_version_2_is_read(read_records, at):
    made = connect_2([second_request(), second_request("GET", 404)], at)
    first, second = rows(read_records(made), REQUESTS)
    assert (first["api"], first["service"]) == ("orders", "orderService")
    assert (first["method"], first["status"]) == ("POST", 200)
    assert (second["method"], second["status"]) == ("GET", 404)
    assert (first["job"], first["user"]) == ("BAQSTRT", "WEBUSER")
    assert (first["start_utc"], first["response_seconds"]) == (BEGIN, 0.5)
    assert (first["backend"], first["backend_seconds"]) == ("cicsConn", 0.25)
    assert (first["request_bytes"], first["response_bytes"]) == (512, 1_024)


def test_both_versions_in_one_dump(read_records):
    reading = read_records(connect_1(first_request()), connect_2([second_request()]))
    assert [row["api"] for row in rows(reading, REQUESTS)] == [None, "orders"]
    assert (reading.status, reading.problems) == ("ok", [])


def test_another_version_is_told_of(read_records):
    sound = connect_1(first_request())
    reading = read_records(sound, connect_1(first_request(), version=3))
    assert len(rows(reading, REQUESTS)) == 1
    (problem,) = reading.problems
    assert problem.offset == len(sound)
    assert problem.message.endswith("has a version that is not known")


@pytest.mark.parametrize(
    ("odd", "told"),
    [(connect_1(first_request(method="get!")), "without a method or a time"),
     (connect_1(first_request(method="")), "without a method or a time"),
     (connect_1(first_request(seconds=-1)), "without a method or a time"),
     (connect_1(first_request(), job="\x02"), "without a method or a time"),
     (connect_2([second_request()[:688] + bytes(16) + second_request()[704:]]),
      "without a method or a time"),
     (connect_1(first_request(size=239)), "is shorter than 240 bytes"),
     (connect_2([second_request(size=783)]), "is shorter than 784 bytes"),
     (connect_2([]), "nothing of this record was used")],
    ids=["method", "no method", "ends early", "job", "no end", "short 1", "short 2",
         "none"],
)  # fmt: skip
def test_what_cannot_be_a_request_gives_no_row(read_records, odd, told):
    reading = read_records(odd)
    assert (reading.status, reading.tables) == ("degraded", {})
    assert told in messages(reading)
    assert reading.problems[0].offset == 0


def test_a_request_to_a_crypto_card(read_records):
    (row,) = rows(read_records(crypto_times()), CARDS)
    assert set(row) == set(TABLES[CARDS])
    assert (row["system"], row["card"], row["domain"]) == ("SYSA", 5, 12)
    assert (row["serial"], row["function"]) == ("93AABC17", "PG")
    assert (row["start_utc"], row["queue_length"]) == (BEGIN, 3)
    assert row["end_utc"] == "2026-03-02T14:00:00.002000Z"


@pytest.mark.parametrize(
    ("odd", "told"),
    [(crypto_times(taken=-1), "has a name or a time that is none"),
     (crypto_times(queued=-9e6, taken=-8e6), "has a name or a time that is none"),
     (crypto_times(serial="\x01\x02"), "has a name or a time that is none"),
     (crypto_times(size=43), "is shorter than 44 bytes")],
    ids=["answered before", "another year", "serial", "short"],
)  # fmt: skip
def test_times_of_a_card_that_can_be_none_give_no_row(read_records, odd, told):
    reading = read_records(odd)
    assert (reading.status, reading.tables) == ("degraded", {})
    assert told in messages(reading)
