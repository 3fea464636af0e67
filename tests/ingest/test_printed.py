"""Numbers as sources print them: their resolution, and what arithmetic makes of it."""

from __future__ import annotations

import json
import pickle

import pytest

from analysis.ingest.printed import Resolved, printed
from analysis.ingest.tables.catalog import frame, result_row
from tests.ingest.logs import golden, row, rows


@pytest.mark.parametrize(
    ("text", "resolution"),
    [("4", 1), ("28.08", 0.01), ("-3.20", 0.01), ("1.5e3", 100), ("2E-3", 1e-3)],
)
def test_the_last_digit_is_the_resolution(text, resolution):
    number = printed(text)
    assert number == float(text)
    assert number.resolution == pytest.approx(resolution)


@pytest.mark.parametrize(
    ("number", "value", "resolution"),
    [
        (printed("2.5") * 1000, 2500, 100),
        (1e6 * printed("2.5") / 2, 1_250_000, 50_000),
        (printed("2.5") + printed("1"), 3.5, 1.01**0.5),
        (1 - printed("0.2"), 0.8, 0.1),
        (printed("0.2") - 1, -0.8, 0.1),
        (printed("10") / printed("4"), 2.5, (1 / 16 + (2.5 / 4) ** 2) ** 0.5),
        (100 / Resolved(10.0), 10, 0.1),  # a count, known to one
        (100.0 / Resolved(10.0), 10, 0),
        (round(printed("2.55"), 1), 2.5, 0.01),
        (sum([printed("1.0")] * 100) / 100, 1, 0.01),  # a mean averages rounding out
    ],
)
def test_arithmetic_carries_the_resolution_on(number, value, resolution):
    assert (number, number.resolution) == pytest.approx((value, resolution))


def test_it_is_a_number_for_all_else():
    number = printed("2.50")
    assert (json.dumps(number), f"{number:.1f}", round(number)) == ("2.5", "2.5", 2)
    again = pickle.loads(pickle.dumps(number))  # noqa: S301 - what it wrote itself
    assert (again, again.resolution) == (2.5, 0.01)


def test_rows_tell_the_resolution_of_their_numbers():
    told = result_row({"rate": printed("7.50"), "latency_mean_us": 3.0})
    assert (told["rate"], told["rate_resolution"]) == (7.5, 0.01)
    assert told["latency_mean_us_resolution"] is None
    (interval,) = frame("gateway_interval", [{"response_ms": printed("4")}]).to_dicts()
    assert (interval["response_ms"], interval["response_ms_resolution"]) == (4, 1)


@pytest.mark.parametrize(
    ("file", "column", "resolution"),
    [
        ("uperf/rr-raw.txt", "latency_mean_us", 0.01),
        ("sockperf/pp-udp.txt", "latency_mean_us", 0.002),  # doubled: one way
        ("iperf3_text/tcp.txt", "bytes_per_second", 1e8 / 8),
        ("iperf2/tcp.txt", "bytes_per_second", 1e8 / 8),
        ("nuttcp/brief.txt", "bytes_per_second", 12.5),
        ("netperf/rr.txt", "rate", 0.01),
        ("qperf/loop.txt", "latency_mean_us", 0.02),
        ("wrk/plain.txt", "latency_mean_us", 0.01),
        ("h2load/https.txt", "latency_mean_us", 1),
        ("contract/awm.csv", "latency_mean_us", 1),
        ("ctg_statistics/intervals.csv", "latency_mean_us", 1000),
    ],
)
def test_readers_declare_the_step_in_which_their_tool_prints(file, column, resolution):
    found = rows(golden(file))[0]
    assert found[f"{column}_resolution"] == pytest.approx(resolution), found[column]


def test_processor_time_has_the_resolution_of_its_clock_or_digits():
    sar = rows(golden("sar_text/sar-u.txt"), "cpu_interval")[0]
    step = 3**0.5 * 0.01 / 100 * sar["online_cpus"] * sar["seconds"]
    assert sar["busy_seconds_resolution"] == pytest.approx(step)
    time = row(golden("time_v/verbose.txt"), "run_cpu")
    assert time["cpu_seconds_resolution"] == pytest.approx(2**0.5 * 0.01)
