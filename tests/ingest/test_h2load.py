"""h2load: exact bytes beside rounded ones, units that change, errors."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


def test_timed_run():
    reading = golden("h2load/timed.txt")
    result = row(reading)
    assert (reading.status, result["clients"]) == ("ok", 8)
    assert (result["transactions"], result["rate"]) == (406361, 101590.25)
    assert result["bytes_per_second"] == pytest.approx(122314661 / 4, rel=1e-4)
    assert result["latency_mean_us"] == 78
    assert little(reading) == pytest.approx(1, abs=0.05)


def test_milliseconds_and_tls():
    reading = golden("h2load/https.txt")
    assert row(reading)["seconds"] == pytest.approx(0.01811)
    assert reading.details == {"protocol": "http/1.1", "tls": "TLSv1.2"}


def test_mean_in_milliseconds(tmp_path):
    text = text_of("h2load/timed.txt").replace(" 78us ", " 1.25ms ")
    assert row(reader("h2load", tmp_path)(text))["latency_mean_us"] == 1250


@pytest.mark.parametrize(
    ("file", "errors"), [("half-errors", 100), ("refused", 20)], ids=str
)
def test_errors(file, errors):
    reading = golden(f"h2load/{file}.txt")
    assert (reading.status, row(reading)["errors"]) == ("failed", errors)
    assert row(reading)["rate"] is None


def test_clients_of_all_threads(tmp_path):
    line = "spawning thread #0: 8 total client(s)."
    text = text_of("h2load/timed.txt").replace(line, f"{line}\n{line}")
    assert row(reader("h2load", tmp_path)(text))["clients"] == 16
