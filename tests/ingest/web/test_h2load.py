"""h2load: exact bytes beside rounded ones, units that change, errors."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


def test_a_timed_run_agrees_with_the_law_of_little():
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
def test_errors_fail_a_log_and_leave_no_rate(file, errors):
    reading = golden(f"h2load/{file}.txt")
    assert (reading.status, row(reading)["errors"]) == ("failed", errors)
    assert row(reading)["rate"] is None


def test_clients_of_all_threads(tmp_path):
    line = "spawning thread #0: 8 total client(s)."
    text = text_of("h2load/timed.txt").replace(line, f"{line}\n{line}")
    assert row(reader("h2load", tmp_path)(text))["clients"] == 16


def test_columns_are_told_by_their_heading(tmp_path):
    """The table of later versions, by output_sd_stat in h2load.cc."""
    lines = [
        "                     min         max         median     p95        p99        "
        "mean         sd        +/- sd",
        "time for request:       25us       458us        70us        90us       150us "
        "      104us        50us    80.00%",
        "req/s           :    7465.63     7535.17     7500.40    7535.17    7535.17   "
        "7500.40       49.17   100.00%",
    ]
    new = {line[:16]: line for line in lines}
    old = text_of("h2load/timed.txt").splitlines()
    text = "\n".join(new.get(line[:16], line) for line in old)
    reading = reader("h2load", tmp_path)(f"{text}\n")
    result = row(reading)
    assert (reading.status, result["latency_mean_us"]) == ("ok", 104)
    assert (result["latency_p50_us"], result["latency_p99_us"]) == (70, 150)


# The end of a log of h2load 1.0, by main in h2load.cc of that tag.
OLD = """\
starting benchmark...
spawning thread #0: 4 concurrent clients, 1000 total requests
progress: 100% done

finished in 250.00ms, 4000 req/s, 1.14MB/s
requests: 1000 total, 1000 started, 1000 done, 1000 succeeded, 0 failed, 0 errored
status codes: 1000 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 300000 bytes total, 50000 bytes headers, 240000 bytes data
                     min         max         mean         sd        +/- sd
time for request:      300us      2.50ms       990us       120us    75.10%
time for connect:      110us       180us       140us        25us    60.00%
time to 1st byte:      900us      1.20ms      1.05ms        80us    50.00%
"""


def test_a_log_of_the_first_version(tmp_path):
    reading = reader("h2load", tmp_path)(OLD)
    result = row(reading)
    assert (reading.format, reading.status) == ("h2load", "ok")
    assert (result["rate"], result["clients"]) == (4000, 4)
    assert result["latency_mean_us"] == pytest.approx(990)
    assert result["bytes_per_second"] == pytest.approx(300000 / 0.25)


def test_a_log_of_the_first_version_cut_off(tmp_path):
    reading = reader("h2load", tmp_path)(OLD.rpartition("time to")[0])
    assert reading.status == "truncated"


def test_refused_requests_are_errors_whatever_the_total_says(tmp_path):
    text = text_of("h2load/timed.txt")
    changed = text.replace("406361 2xx, 0 3xx, 0 4xx, 0 5xx", "6361 2xx, 0 3xx, 7 4xx, 399993 5xx")  # fmt: skip  # noqa: E501
    assert changed != text
    reading = reader("h2load", tmp_path)(changed)
    assert reading.status == "failed"
    assert reading.reason == "400,000 of 406,361 requests failed"
    assert row(reading)["errors"] == 400_000
