"""netperf's omni output: key and value, CSV, and what cannot be told."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import netperf_omni
from tests.ingest.benchmark_logs import GOLDEN, little, reader, row_of, rows_of

LOGS = GOLDEN / "netperf_omni"


@pytest.fixture
def read(tmp_path):
    return reader(netperf_omni, tmp_path)


def test_key_and_value():
    reading = netperf_omni.read(LOGS / "rr-all.keyval")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["rate"]) == ("ok", "RR", 133713.74)
    assert (row["request_bytes"], row["response_bytes"]) == (40, 100)
    assert (row["latency_mean_us"], row["latency_p99_us"]) == (7.44, 8)
    assert row["transactions"] == 21395160 // 40  # bytes sent by size, not 534,855
    assert reading.details["service_demand_us"] == [14.957, 14.957]


def test_transactions_under_way_are_clients():
    """``-b 9``: ten transactions at once on one connection."""
    row = row_of(netperf_omni.read(LOGS / "burst.keyval"))
    assert row["clients"] == 10
    assert little(row) == pytest.approx(1, abs=0.01)


def test_direction_tells_connections():
    assert row_of(netperf_omni.read(LOGS / "crr.keyval"))["shape"] == "CRR"


def test_units_of_streams_are_read_and_received_bytes_count():
    row = row_of(netperf_omni.read(LOGS / "maerts.keyval"))
    assert row["bytes_per_second"] == pytest.approx(997.98 * 2**20)
    row = row_of(netperf_omni.read(LOGS / "udp.keyval"))
    assert row["bytes_per_second"] == pytest.approx(123439400, rel=1e-3)  # received


@pytest.mark.parametrize("name", ["csv-all.csv", "csv-default.csv", "csv-head.csv"])
def test_csv_with_names(name):
    reading = netperf_omni.read(LOGS / name)
    assert (reading.status, row_of(reading)["shape"]) == ("ok", "RR")
    assert little(row_of(reading)) == pytest.approx(1, abs=0.01)


def test_instances_are_sets_of_keys():
    reading = netperf_omni.read(LOGS / "concurrent.keyval")
    rows = rows_of(reading)
    assert reading.details["brand"] == ["inst4", "inst1", "inst3", "inst2"]
    assert sum(row["rate"] for row in rows) == pytest.approx(111731.26)


def test_mixed_output_of_instances_is_refused(read):
    lines = (LOGS / "concurrent.keyval").read_text().splitlines(keepends=True)
    reading = read("".join([lines[0], *lines[9:]]))
    assert "are mixed, or cut off" in reading.reason
    assert reading.status == "failed"


def test_values_without_names_need_proof():
    """98,940.13/s × 10.07 µs = 0.996: only then is the number before the unit one."""
    reading = netperf_omni.read(LOGS / "nameless.csv")
    assert reading.status == "degraded"
    assert row_of(reading)["rate"] == 98940.13
    assert row_of(reading)["latency_mean_us"] == 10.07
    assert netperf_omni.read(LOGS / "nameless-confidence.csv").status == "failed"


def test_columns_for_people():
    reading = netperf_omni.read(LOGS / "columns.txt")
    row = row_of(reading)
    assert (reading.status, row["shape"], row["rate"]) == ("ok", "RR", 38989.67)
    assert (row["seconds"], row["latency_mean_us"]) == (1.0, 25.6)
    assert row["position"] == 6


# Four lines of headings and one of values, a blank line between two blocks: the form
# of print_omni_human in nettest_omni.c.
BLOCKS = """\
OMNI Send|Recv TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 10.0.0.2 () port 0 AF_INET
Throughput Throughput  Elapsed Command
           Units       Time    Line
                       (sec)

38989.67   Trans/s     10.00   "netperf -t omni -- -d rr -O x"

Request Response Mean         99th
Size    Size     Latency      Percentile
Bytes   Bytes    Microseconds Latency
                              Microseconds
128     8192     25.60        31
"""


def test_columns_in_blocks(read):
    reading = read(BLOCKS)
    row = row_of(reading)
    assert (reading.status, row["rate"], row["seconds"]) == ("ok", 38989.67, 10.0)
    assert (row["request_bytes"], row["response_bytes"]) == (128, 8192)
    assert (row["latency_mean_us"], row["latency_p99_us"]) == (25.6, 31.0)
    assert reading.details["command"] == "netperf -t omni -- -d rr -O x"


@pytest.mark.parametrize(
    ("old", "new"),
    [("38989.67", "        "), ("Trans/s", "       "), ("38989.67   Trans/s ", "")],
)
def test_columns_that_lack_a_value_fail(read, old, new):
    reading = read(BLOCKS.replace(old, new))
    assert reading.status == "failed"
    assert not any(row["rate"] for row in reading.results)


def test_csv_without_throughput(read):
    """``-o transaction_rate,mean_latency,p99_latency`` of an RR test."""
    head = "Transaction Rate Tran/s,Mean Latency Microseconds,"
    text = head + "99th Percentile Latency Microseconds\n38989.67,25.60,31\n"
    assert netperf_omni.recognise(text.encode())
    banner = "TCP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to 10.0.0.2 ()\n"
    row = row_of(read(banner + text))
    assert (row["rate"], row["shape"]) == (38989.67, "RR")
    assert (row["latency_mean_us"], row["latency_p99_us"]) == (25.6, 31.0)


def test_csv_without_any_rate_says_what_to_name(read):
    reading = read("Mean Latency Microseconds,Elapsed Time (sec)\n25.60,10.00\n")
    assert reading.status == "failed"
    assert "THROUGHPUT is missing, or zero; name it in" in reading.reason


@pytest.mark.parametrize("name", ["stream.keyval", "udp.keyval"])
def test_a_stream_has_no_transactions(read, name):
    """TRANSACTION_RATE=1.000 is what netperf begins with, and no result."""
    text = (LOGS / name).read_text()
    assert "TRANSACTION_RATE=1.000" in text
    damaged = text.replace("\nTHROUGHPUT=", "\n,HROUGHPUT=")
    without = damaged.partition("\n")[2]
    for told in (damaged, damaged.replace("DIRECTION=", "D,RECTION="), without):
        reading = read(told)
        assert (reading.status, row_of(reading)["rate"]) == ("failed", None)
        assert "THROUGHPUT is missing" in reading.reason


@pytest.mark.parametrize(
    ("direction", "shape"),
    [("Send|Recv", "RR"), ("Connect|Send|Recv", "CRR"), ("Connection", None)],
)
def test_the_direction_tells_transactions(read, direction, shape):
    told = f"TRANSACTION_RATE=38989.67\nDIRECTION={direction}\n"
    row = row_of(read(told))
    assert (row["rate"], row["shape"]) == (38989.67, shape)
    in_bits = f"THROUGHPUT=9.98\nTHROUGHPUT_UNITS=10^6bits/s\nDIRECTION={direction}\n"
    assert row_of(read(in_bits))["bytes_per_second"] is None


def test_interim_keys_are_not_the_result_but_its_intervals():
    reading = netperf_omni.read(LOGS / "interim.keyval")
    assert row_of(reading)["rate"] == 48445.4
    rows = reading.tables["interval"]
    assert rows["rate"].to_list() == [50041.78, 49652.03, 52359.07, 34167.18]
    assert rows["start_s"].to_list() == pytest.approx([0, 0.72, 1.224, 1.737])


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        ("THROUGHPUT=133713.74", "THROUGHPUT=133713,74", "failed", "'133713,74'"),
        ("THROUGHPUT=133713.74", "THROUGHPUT=0.00", "failed", "missing, or zero"),
        ("THROUGHPUT_UNITS=Trans/s\n", "", "failed", "THROUGHPUT_UNITS is missing"),
        ("Trans/s", "10^6bits/s", "failed", "without -f"),
        ("MEAN_LATENCY=7.44", "MEAN_LATENCY=3.72", "degraded", "is 0.497, not 1"),
        ("MEAN_LATENCY=7.44", "MEAN_LATENCY=59.5", "degraded", "is 7.96, not 1"),
        ("LOCAL_SD=14.957", "LOCAL_SD=18.7", "degraded", "service demand does not fit"),
        ("THROUGHPUT_CONFID=-1.000", "THROUGHPUT_CONFID=11.837", "ok", ""),
    ],
)
def test_a_log_that_cannot_be_right_says_why(read, old, new, status, reason):
    text = (LOGS / "rr-all.keyval").read_text()
    assert old in text
    reading = read(text.replace(old, new, 1))
    assert reading.status == status
    assert reason in reading.reason


def test_confidence_width_that_omni_output_keeps_silent_about(read):
    text = (LOGS / "rr-all.keyval").read_text()
    text = text.replace("THROUGHPUT_CONFID=-1.000", "THROUGHPUT_CONFID=11.837")
    reading = read(text.replace("INTERVAL=-1.000000", "INTERVAL=5.000000"))
    assert reading.reason == "the confidence interval is 11.837% wide, more than 5%"


def test_a_decimal_comma_changes_the_number_of_cells(read):
    text = (LOGS / "csv-head.csv").read_text().replace("37652.52", "37652,52")
    assert "run the tool with LC_ALL=C" in read(text).reason


def test_names_that_moved_against_their_values_are_noticed(read):
    text = (LOGS / "csv-head.csv").read_text()
    reading = read(text.replace("Units,E", "Units,,E").replace("ds,50", "ds 50"))
    assert reading.status == "failed"
    assert "RESPONSE_SIZE is '26.50', no count" in reading.reason


@pytest.mark.parametrize("first", ["stream.keyval", "columns.txt", "csv-head.csv"])
@pytest.mark.parametrize("second", ["stream.keyval", "columns.txt", "nameless.csv"])
def test_of_several_forms_in_one_file_none_is_passed_over(read, first, second):
    if first == second:
        return
    texts = [(LOGS / name).read_text() for name in (first, second)]
    reading = read("".join(texts))
    told = "values in several forms" in reading.reason
    same = {first[-4:], second[-4:]} == {".csv"}
    assert (reading.status == "failed" and told) or same
    assert told is not same
