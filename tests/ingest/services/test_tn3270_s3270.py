"""s3270: seconds in the last field, local commands, errors, sessions."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows, text_of

STATUS = "U F P C(192.0.2.2) I 2 24 80 0 0 0x0 {}\n{}\n"
CLOSED = "L F P N N 2 24 80 0 0 0x0 0.000\nok\n"


@pytest.fixture
def read(tmp_path):
    return reader("tn3270_s3270", tmp_path)


def test_a_real_script_has_response_times_and_no_rate():
    reading = golden("tn3270_s3270/hercules.txt")
    result = row(reading)
    assert result["transactions"] == 10
    assert result["latency_mean_us"] == pytest.approx(115_500)
    assert 112_000 <= result["latency_p50_us"] <= 116_000
    assert result["rate"] is None
    assert len(rows(reading, "tn3270_session")) == 10


def test_commands_that_timed_out_are_told():
    reading = golden("tn3270_s3270/hercules.txt")
    assert reading.status == "degraded"
    assert reading.reason == "10 commands failed, the first: Wait(): Timed out"


def test_commands_at_the_client_alone_are_no_round_trips(read):
    text = STATUS.format("0.125", "ok") + STATUS.format("0.000", "ok") + CLOSED
    reading = read(text)
    assert (reading.status, row(reading)["transactions"]) == ("ok", 1)
    session = row(reading, "tn3270_session")
    assert (session["round_trips"], session["response_ms"]) == (1, 125)


def test_a_log_of_errors_alone_has_failed(read):
    reading = read(STATUS.format("2.001", "error"))
    assert (reading.status, reading.reason) == ("failed", "no command got an answer")


def test_cut_before_a_result(read):
    assert read(text_of("tn3270_s3270/hercules.txt")[:-4]).status == "truncated"


def test_decimal_comma_is_refused(read):
    assert read(STATUS.format("0,125", "ok")).status == "failed"
