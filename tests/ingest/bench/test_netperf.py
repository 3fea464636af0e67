"""netperf's classic form: real logs, and the traps of its units and columns."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import netperf
from analysis.ingest.bench.netperf import bytes_per_second
from tests.ingest.benchmark_logs import GOLDEN, little, reader, row_of, rows_of

LOGS = GOLDEN / "netperf"


@pytest.fixture
def read(tmp_path):
    return reader(netperf, tmp_path)


def test_a_request_and_response_log_has_rate_sizes_and_latency():
    reading = netperf.read(LOGS / "rr.txt")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "RR", 1)
    assert (row["rate"], row["seconds"], row["transactions"]) == (14872.91, 4, 59492)
    assert (row["request_bytes"], row["response_bytes"]) == (100, 100)
    assert row["latency_mean_us"] == pytest.approx(1e6 / 14872.91)
    assert row["bytes_per_second"] == pytest.approx(14872.91 * 200)
    assert (row["errors"], row["start_utc"]) == (0, None)


def test_connect_request_response_counts_the_elapsed_time_not_the_wall_clock():
    """The run took 8 s for ``-l 4``; the rate is that of the 4 s printed."""
    row = row_of(netperf.read(LOGS / "crr.txt"))
    assert (row["shape"], row["seconds"], row["rate"]) == ("CRR", 4, 14195.31)
    assert (row["request_bytes"], row["response_bytes"]) == (64, 8192)


def test_stream_is_in_decimal_bits():
    row = row_of(netperf.read(LOGS / "stream.txt"))
    assert row["shape"] == "STR"
    assert row["bytes_per_second"] == pytest.approx(12879.69e6 / 8)
    assert (row["rate"], row["transactions"]) == (None, None)


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("10^6bits/sec", 125_000),
        ("10^3bits/s", 125),
        ("KBytes/s", 1024),
        ("MBytes  /s", 2**20),
        ("GBytes/sec", 2**30),
        ("10^6bits per sec", 125_000),
        ("furlongs/s", None),
        ("xBytes/s", None),
    ],
)
def test_units_of_the_format_option(unit, factor):
    """Bits are decimal, bytes binary: their service demand proves it below."""
    assert bytes_per_second(1.0, unit) == factor


def test_binary_megabytes_fit_the_service_demand():
    """util × CPUs × 10^4 ÷ (us/KB) = 819,605 KB/s = 800.4 × 1024, not 781.6."""
    reading = netperf.read(LOGS / "format-M.txt")
    assert reading.status == "ok"
    rate = row_of(reading)["bytes_per_second"]
    assert rate == pytest.approx(99.5e4 * 2 / 2.428 * 1024, rel=0.001)


def test_concurrent_instances_are_rows_and_their_service_demand_only_evidence():
    """Eight instances share 2 CPUs; each claims both, eight times too much in all."""
    reading = netperf.read(LOGS / "concurrent-8.txt")
    rows = rows_of(reading)
    assert (len(rows), reading.records) == (8, {"log": 8})
    assert sum(row["rate"] for row in rows) == pytest.approx(198968.72)
    assert reading.details["brand"][0] == "inst2"
    assert reading.details["service_demand_us"][0] == [82.012, 82.012]
    assert "run_cpu" not in reading.tables
    assert "it may be of TCP_RR, TCP_CRR" in reading.details["ambiguous"]
    assert rows[0]["shape"] is None


def test_a_bulk_answer_is_a_stream_with_transactions_under_way_as_clients():
    """``-r 1,20971520 -b 2``: STR3(1B/20MB)."""
    row = row_of(netperf.read(LOGS / "rr-burst.txt"))
    assert (row["shape"], row["clients"], row["response_bytes"]) == ("STR", 3, 20971520)
    assert row["bytes_per_second"] == pytest.approx(75.96 * 20971521)
    assert little(row) == pytest.approx(1)


def test_datagrams_count_where_they_arrive():
    reading = netperf.read(LOGS / "udp-stream.txt")
    row = row_of(reading)
    assert row["bytes_per_second"] == pytest.approx(705.8e6 / 8)
    assert reading.details["sender_bytes_per_second"] == pytest.approx(1414.2e6 / 8)
    assert reading.details["lost_messages"] == 126281 - 63023


def test_impossible_utilisation_is_said_and_does_not_touch_the_rate():
    reading = netperf.read(LOGS / "crr-impossible-cpu.txt")
    assert reading.status == "ok"
    assert "423.14% is impossible" in reading.problems[0].message
    assert row_of(reading)["rate"] == 13485.65


@pytest.mark.parametrize("name", ["confidence-missed.txt", "confidence-stream.txt"])
def test_confidence_that_was_not_reached(name):
    reading = netperf.read(LOGS / name)
    assert reading.status == "degraded"
    assert "% wide, more than asked for" in reading.reason
    assert row_of(reading)["transactions"] is None


def test_interim_results_are_not_the_result(read):
    reading = netperf.read(LOGS / "interim.txt")
    assert reading.details["interim_results"] == 4
    assert row_of(reading)["rate"] == 27153.22
    lines = (LOGS / "interim.txt").read_text().splitlines(keepends=True)
    only = read("".join(line for line in lines if line.startswith("Interim")))
    assert (only.status, only.reason) == ("failed", "only interim results")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("server-killed.txt", "no result after the banner"),
        ("refused.txt", "establish control: are you sure"),
        ("unknown-test.txt", "The test you requested (TCP_XX) is unknown"),
    ],
)
def test_runs_that_did_not_happen(name, reason):
    reading = netperf.read(LOGS / name)
    assert reading.status == "failed"
    assert reading.reason.startswith(reason)
    assert row_of(reading)["errors"] == 1


def test_one_instance_that_failed_fails_the_file(read):
    """The others' sum is not the load that was meant."""
    text = (LOGS / "rr.txt").read_text() + (LOGS / "server-killed.txt").read_text()
    reading = read(text)
    assert (reading.status, len(rows_of(reading))) == ("failed", 2)
    assert reading.reason.startswith("1 of 2 logs: no result")


def test_banners_of_instances_come_before_all_values(read):
    """The banner is printed at the start, the values at the end."""
    lines = (LOGS / "rr.txt").read_text().splitlines(keepends=True)
    reading = read("".join([lines[0]] * 2 + lines[1:] * 2))
    assert [row["shape"] for row in rows_of(reading)] == ["RR", "RR"]
    assert reading.status == "ok"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("14872.91", "14872,91", "LC_ALL=C"),
        ("14872.91", "14.872,91", "LC_ALL=C"),
        ("14872.91", "14,872.91", "LC_ALL=C"),
        ("16384  131072\n", "", "second line"),
        ("Trans.   CPU", "10^6bits per sec CPU", "without -f"),
    ],
)
def test_what_is_refused(read, old, new, reason):
    text = (LOGS / "rr.txt").read_text()
    assert old in text
    reading = read(text.replace(old, new))
    assert reading.status in ("failed", "truncated")
    assert reason in reading.reason


def test_a_thousands_point_does_not_fit_the_service_demand(read):
    """``14.872`` would be 14,872 in German; the third column of digits is gone."""
    text = (LOGS / "rr.txt").read_text().replace("14872.91", "14.87")
    reading = read(text)
    assert reading.status == "degraded"
    assert "service demand does not fit" in reading.reason


def test_a_stream_without_its_header_has_no_unit(read):
    line = (LOGS / "stream.txt").read_text().splitlines(keepends=True)[-1]
    assert netperf.recognise(line.encode())
    reading = read(line)
    assert "the unit of the throughput is unknown" in reading.reason


def test_connections_without_data_move_no_bytes():
    row = row_of(netperf.read(LOGS / "tcp-cc.txt"))
    assert (row["shape"], row["bytes_per_second"]) == (None, None)
    assert row["rate"] == 17623.38


@pytest.mark.parametrize("name", ["v2-rr.txt", "v2-stream.txt"])
def test_what_follows_the_tables_of_verbosity_2_is_read(read, name):
    both = (LOGS / name).read_text() + (LOGS / "concurrent-8.txt").read_text()
    assert len(rows_of(read(both))) == 9


def test_what_it_does_is_no_error():
    """Lines of ``-d``: 18.92 * 10^6 bits/s in 463.93 s."""
    reading = netperf.read(LOGS / "debug.txt")
    (row,) = rows_of(reading)
    assert (reading.status, row["seconds"]) == ("ok", 463.93)
    assert row["bytes_per_second"] == 18.92e6 / 8


def test_what_it_says_of_a_test_that_has_its_values_is_a_warning(read):
    text = (LOGS / "debug.txt").read_text()
    said = "netperf: get_sock_buffer: getsockopt SO_SNDBUF: errno 92"
    reading = read(
        text.replace("netperf: get_sock_buffer: send", f"{said}\nnetperf: x")
    )
    assert reading.status == "degraded"
    assert reading.problems[0].message == said
    assert rows_of(reading)[0]["bytes_per_second"] == 18.92e6 / 8


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("interim.txt", "2.06     27153.22", "2.06     47153.22"),
        ("interim-stream.txt", "2.09     8029.56", "2.09     4029.56"),
    ],
)
def test_interim_results_that_deny_the_result(read, name, old, new):
    text = (LOGS / name).read_text()
    assert old in text
    reading = read(text.replace(old, new))
    assert (reading.status, "by its intervals" in reading.reason) == ("failed", True)


def test_a_log_says_how_many_cpus_its_service_demand_implies(read):
    text = (LOGS / "rr.txt").read_text()
    whole = read(text)
    rate = f"{row_of(whole)['rate']:.2f}"
    trebled = read(text.replace(rate, f"{3 * float(rate):.2f}"))
    assert whole.circumstances.role_cpus == {"client": 2, "server": 2}
    assert trebled.circumstances.role_cpus == {"client": 6, "server": 6}


def test_more_datagrams_received_than_sent_contradict_each_other(read):
    text = (LOGS / "udp-stream.txt").read_text().replace(" 63023 ", "163023 ")
    reading = read(text)
    assert reading.status == "failed"
    assert "what arrived is 163023, but 126281" in str(reading.reason)
