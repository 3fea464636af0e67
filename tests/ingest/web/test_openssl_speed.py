"""openssl speed: operations per second of wall-clock time, where that is known."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows, text_of


def test_count_over_the_time_that_was_given():
    found = {r["test"]: r for r in rows(golden("openssl_speed/doing.txt"))}
    assert found["2048 bits private rsa"]["rate"] == 2830
    assert found["256 bits sign ecdsa"]["rate"] == 41187  # in 0.99 s of CPU time


def test_a_busy_machine_does_not_make_it_faster():
    """CPU time was 0.5 of each second; the table says 135 MB/s, the clock half."""
    found = {r["test"]: r for r in rows(golden("openssl_speed/sha256.txt"))}
    small = found["sha256 16 B"]
    assert small["rate"] == 4245822
    assert small["bytes_per_second"] == 4245822 * 16
    assert small["bytes_per_second"] < 0.6 * 135866.30e3


@pytest.mark.parametrize("file", ["table", "machine-readable"])
def test_rates_per_cpu_second_are_no_rates(file):
    reading = golden(f"openssl_speed/{file}.txt")
    assert reading.status == "degraded"
    assert "per second of CPU time" in reading.reason
    assert row(reading)["rate"] is None


def test_printed_rates_are_kept_as_details():
    told = golden("openssl_speed/table.txt").details
    assert told["rsa 2048 bits"] == "2830 sign/s, 52609 verify/s"
    assert told["divided by"] == "user CPU time"
    assert golden("openssl_speed/elapsed.txt").details["divided by"] == "elapsed time"


def test_a_test_without_its_result(tmp_path):
    reading = reader("openssl_speed", tmp_path)(
        "Doing sha256 for 3s on 16 size blocks: "
    )
    assert reading.status == "truncated"


@pytest.mark.parametrize("behind", ["table.txt", "machine-readable.txt"])
def test_a_rate_of_a_test_without_its_time_is_told_of(tmp_path, behind):
    """Of signatures, whose times are not those of a hash."""
    text = text_of("openssl_speed/sha256.txt") + text_of(f"openssl_speed/{behind}")
    reading = reader("openssl_speed", tmp_path)(text)
    assert reading.status in ("degraded", "failed")
    assert reading.problems[0].line


def test_a_table_with_its_times_is_sound(tmp_path):
    text = text_of("openssl_speed/doing.txt") + text_of("openssl_speed/table.txt")
    assert reader("openssl_speed", tmp_path)(text).status == "ok"
