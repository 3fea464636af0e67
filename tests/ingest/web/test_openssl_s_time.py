"""openssl s_time: handshakes per second of wall-clock time, never of CPU time."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows, text_of


def test_rate_is_neither_per_cpu_second_nor_per_printed_second():
    """The clock of the driver measured 4.5 s: 597 handshakes a second."""
    reading = golden("openssl_s_time/new.txt")
    result = row(reading)
    assert result["rate"] == pytest.approx(2688 / 4.5)
    assert abs(result["rate"] - 1659.26) > 1000
    assert abs(result["rate"] - 2688 / 5) > 50
    assert reading.details == {"user CPU seconds": 1.62}


def test_a_short_run_is_in_doubt():
    reading = golden("openssl_s_time/new.txt")
    assert reading.status == "degraded"
    assert "uncertain by 11%" in reading.reason


def test_a_long_run_is_sound():
    reading = golden("openssl_s_time/new-30.txt")
    assert reading.status == "ok"
    assert row(reading)["rate"] == pytest.approx(22788 / 30.5)


def test_new_and_reused_sessions():
    found = rows(golden("openssl_s_time/both.txt"))
    assert [(r["test"], r["transactions"]) for r in found] == [
        ("new", 2250),
        ("reuse", 6389),
    ]


def test_bytes_of_pages():
    result = row(golden("openssl_s_time/reuse-www.txt"))
    assert (result["test"], result["transactions"]) == ("reuse", 4153)
    assert result["bytes_per_second"] == pytest.approx(4153 * 296 / 2.5)


def test_a_refused_connection_fails_with_its_reason():
    reading = golden("openssl_s_time/refused.txt")
    assert reading.status == "failed"
    assert "Connection refused" in reading.reason


def test_cut_before_the_second_test(tmp_path):
    text = text_of("openssl_s_time/both.txt")
    cut = text[: text.index("6389 connections in 3")]
    assert reader("openssl_s_time", tmp_path)(cut).status == "truncated"
