"""Type 70-2: operations, seconds and utilisation of crypto cards, and their edges."""

from __future__ import annotations

import pytest

from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.bytes_of import number
from synthetic.smf.rmf import Interval
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_crypto import accelerator, coprocessor, crypto, pkcs11

INTERVAL = Interval()  # of 900 seconds
TABLE = "crypto_interval"


def test_a_coprocessor_has_its_operations_and_key_generations(read_records):
    record = crypto(INTERVAL, [coprocessor(3, 180, 4_500_000, 12)])
    every, keys = rows(read_records(record), TABLE)
    assert (every["card"], every["model"], every["operation"]) == (3, "CEX6C", "all")
    assert (every["scope"], every["domain"]) == ("system", 7)
    assert every["operations"] == pytest.approx(4_500_000)
    assert every["busy_seconds"] == pytest.approx(90)
    assert every["utilisation_pct"] == pytest.approx(10)
    assert (every["seconds"], every["engines"]) == (900, 1)
    assert every["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert (keys["operation"], keys["operations"]) == ("RSA key generation", 12)
    assert keys["busy_seconds"] is keys["utilisation_pct"] is None
    assert set(every) == set(TABLES[TABLE])


def test_the_engines_of_an_accelerator_are_added(read_records):
    record = crypto(INTERVAL, (), [accelerator(5, [(360, 10), (720, 20), (0, 0)])])
    found = {row["operation"]: row for row in rows(read_records(record), TABLE)}
    assert len(found) == 6
    row = found["RSA 2048 ME"]
    assert (row["model"], row["engines"], row["operations"]) == ("CEX7A", 3, 30)
    assert row["busy_seconds"] == pytest.approx(270)
    assert row["utilisation_pct"] == pytest.approx(10)
    assert found["RSA 1024 ME"]["operations"] == 0
    last = found["RSA 4096 CRT"]
    assert (last["operations"], last["busy_seconds"], last["domain"]) == (3, 2, 9)


def test_a_pkcs11_coprocessor_and_the_scope_of_the_cpc(read_records):
    pairs = [(9, 1), (18, 2), (27, 3), (36, 4), (45, 5)]
    found = rows(read_records(crypto(INTERVAL, (), (), [pkcs11(1, pairs)])), TABLE)
    assert [row["operations"] for row in found] == [1, 2, 3, 4, 5]
    assert [row["utilisation_pct"] for row in found] == pytest.approx([1, 2, 3, 4, 5])
    assert {row["model"] for row in found} == {"CEX8P"}
    assert {(row["scope"], row["domain"]) for row in found} == {("CPC", None)}


def test_a_pair_that_is_not_valid_gives_no_row(read_records):
    record = crypto(
        INTERVAL, [coprocessor(0, 1, 2, 3, mask=0x80), coprocessor(1, 4, 5)]
    )
    found = rows(read_records(record), TABLE)
    assert [(row["card"], row["operation"]) for row in found] == [
        (0, "all"),
        (1, "all"),
        (1, "RSA key generation"),
    ]


def test_older_sections_and_unknown_cards_are_read_without_a_guess(read_records):
    record = crypto(INTERVAL, [coprocessor(0, 1, 2, kind=99, scope=None)])
    row = rows(read_records(record), TABLE)[0]
    assert (row["model"], row["scope"], row["domain"]) == (None, None, None)
    assert (row["operations"], row["busy_seconds"]) == (2, 0.5)


def test_an_interval_of_no_length_is_not_used(read_records):
    reading = read_records(crypto(Interval(millis=0), [coprocessor(0, 1, 2)]))
    assert (reading.status, reading.tables) == ("degraded", {})
    assert "tells no start and length" in messages(reading)


def test_a_triplet_that_points_nowhere_is_told(read_records):
    record = bytearray(crypto(INTERVAL, [coprocessor(0, 1, 2)], [accelerator(1, [])]))
    record[36:40] = number(60_000, 4)
    reading = read_records(bytes(record))
    assert "the triplet of the CCA coprocessor section points past" in messages(reading)
    assert (reading.status, reading.tables) == ("degraded", {})


def test_a_record_that_has_only_icsf_services_says_why_it_has_no_row(read_records):
    reading = read_records(crypto(INTERVAL))
    assert TABLE not in reading.tables
    assert "70-2" in messages(reading)
    assert reading.records["70-2"] == 1
