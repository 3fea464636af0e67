"""iperf 2: text and CSV, streams and ways, and logs that have no end mark."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import iperf2
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of, rows_of

LOGS = GOLDEN / "iperf2"


@pytest.fixture
def read(tmp_path):
    return reader(iperf2, tmp_path)


@pytest.mark.parametrize(
    ("name", "clients", "rate"),
    [
        ("tcp.txt", 1, 21.8e9 / 8),
        ("tcp-enhanced.txt", 1, 26.4e9 / 8),
        ("server.txt", 1, 22.0e9 / 8),
        ("reverse.txt", 1, 5.81e9 / 8),
        ("streams-enhanced.txt", 2, 27.2e9 / 8),
        ("full-duplex.txt", 1, 18.0e9 / 8),
        ("dual.txt", 2, (20.6e9 + 20.1e9) / 8),
        ("bytes.txt", 1, 753 * 2**20),  # -f M is binary
        ("udp.txt", 1, 52.4e6 / 8),
        ("tcp.csv", 1, 19299002447 / 8),
        ("streams.csv", 3, (16373767287 + 21392837809 + 14471476455) / 8),
        ("server.csv", 1, 6713410642 / 8),
    ],
)
def test_throughput_and_clients_are_read(name, clients, rate):
    reading = iperf2.read(LOGS / name)
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "STR", clients)
    assert row["bytes_per_second"] == pytest.approx(rate)


def test_one_way_after_the_other_are_two_logs():
    rows = rows_of(iperf2.read(LOGS / "tradeoff.txt"))
    assert [row["bytes_per_second"] for row in rows] == [21.3e9 / 8, 22.3e9 / 8]
    assert [row["test"] for row in rows] == ["way out", "way back"]


def test_bounceback_is_request_response_with_pauses():
    row = row_of(iperf2.read(LOGS / "bounceback.txt"))
    assert (row["shape"], row["transactions"], row["request_bytes"]) == ("RR", 20, 100)
    assert row["latency_mean_us"] == 45.0
    assert row["rate"] == pytest.approx(20 / 2.0148)  # not "22198 rps"
    assert row["clients"] is None


def test_times_of_a_csv_are_local_and_of_its_end():
    reading = iperf2.read(LOGS / "tcp.csv", "Europe/Berlin")
    assert row_of(reading)["start_utc"] == "2026-11-21T09:39:44.000000Z"
    reading = iperf2.read(LOGS / "tcp.csv")
    assert row_of(reading)["start_utc"] is None
    assert reading.circumstances.local_start == "2026-11-21 10:39:44"


def test_a_csv_of_1970_has_no_time():
    assert row_of(iperf2.read(LOGS / "streams.csv", "UTC"))["start_utc"] is None


def test_a_time_that_does_not_exist(read):
    reading = read((LOGS / "tcp.csv").read_text().replace("20261121", "20261399"))
    assert row_of(reading)["start_utc"] is None
    assert reading.problems[0].message == "there is no such time"


def test_time_with_its_zone():
    row = row_of(iperf2.read(LOGS / "tcp-enhanced.txt"))
    assert row["start_utc"] == "2026-11-21T10:40:13.000000Z"


def test_datagrams_without_the_servers_report():
    reading = iperf2.read(LOGS / "udp.csv")
    assert (reading.status, "what was sent" in reading.reason) == ("degraded", True)
    assert iperf2.read(LOGS / "server-udp.txt").details["packets"] == 8920


def test_lost_datagrams_of_all_streams_are_added_up(read):
    line = (
        "2026112110394{},127.0.0.1,26003,127.0.0.1,5548{},{},0.0-2.0,13112400,52449600,"
        "0.010,{},8920,0.100,0\n"
    )
    csv = read(line.format(4, 0, 1, 7) + line.format(5, 1, 2, 30))
    assert (csv.details["lost_packets"], csv.details["packets"]) == (37, 17840)
    assert csv.circumstances.local_start == "2026-11-21 10:39:42", "of the first stream"
    sent = line.format(5, 1, 2, 30).replace("8920", "-1")
    half = read(line.format(4, 0, 1, 7) + sent)
    assert (half.status, half.details.get("packets")) == ("degraded", None)


def test_lost_datagrams_of_both_ways_are_added_up(read):
    head = "[  {}] local 127.0.0.1 port 500{} connected with 127.0.0.1 port 600{}\n"
    line = (
        "[  {}] 0.0000-2.0003 sec  12.5 MBytes  52.4 Mbits/sec  0.010 ms {}/8920 (1%)\n"
    )
    text = "Server listening on UDP port 5001\nClient connecting to a, UDP port 5001\n"
    text += "".join(head.format(n, n, n) for n in (1, 2))
    both = read(text + line.format(1, 7) + line.format(2, 30))
    assert (both.details["lost_packets"], both.details["packets"]) == (37, 17840)


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("refused.txt", "failed", "tcp connect failed: Connection refused"),
        ("refused.csv", "failed", "tcp connect failed: Connection refused"),
        ("killed.txt", "truncated", "the totals are missing"),
    ],
)
def test_runs_that_did_not_end(name, status, reason):
    reading = iperf2.read(LOGS / name)
    assert (reading.status, reading.reason) == (status, reason)


@pytest.mark.parametrize(
    ("name", "lines", "status", "reason"),
    [
        ("killed.txt", 7, "degraded", "total or an interval"),
        ("tcp.csv", 1, "degraded", "total or an interval"),
        ("tcp.csv", 2, "truncated", "the totals are missing"),
        ("streams.csv", 1, "degraded", "nothing tells stream 3"),
        ("streams.csv", 2, "truncated", "the totals are missing"),
        ("tradeoff.txt", 11, "truncated", "one of the two ways"),
    ],
)
def test_logs_cut_between_lines(read, name, lines, status, reason):
    text = "".join((LOGS / name).read_text().splitlines(keepends=True)[:lines])
    reading = read(text)
    assert reading.status == status
    assert reason in reading.reason


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tcp.txt", "5.12 GBytes", "5,12 GBytes"),
        ("tcp.txt", "5.12 GBytes", "5.12 MBytes"),
        ("tcp.txt", "21.8 Gbits", "21.8 GBytes"),  # eight times too much
        ("tcp.csv", "4864475196", "4.864.475.196"),
    ],
)
def test_what_is_refused(read, name, old, new):
    text = (LOGS / name).read_text()
    assert old in text
    assert read(text.replace(old, new)).status == "failed"


def test_a_line_that_lost_its_bracket_or_its_end_fails(read):
    text = (LOGS / "bounceback.txt").read_text(encoding="utf-8")
    before, _, last = text.rpartition("\n[  1] 0.0000-2.")
    hurt = f"{before},[  1] 0.0000-2.{last}".replace("\n[  1] 1.", "\n,  1] 1.")
    assert read(hurt).status == "failed"


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("streams-enhanced.txt", "6.34 GBytes  27.2 G", "63.4 GBytes   272 G",
         "by its intervals"),
        ("streams-enhanced.txt", "[SUM] 1.0000-2.0000 sec  3.81", "", "1 of 2"),
    ],
)  # fmt: skip
def test_intervals_that_deny_the_total(read, name, old, new, reason):
    text = (LOGS / name).read_text()
    lines = [line for line in text.splitlines(keepends=True) if old in line]
    assert len(lines) == 1
    other = lines[0].replace(old, new) if "GBytes" in new else ""
    reading = read(text.replace(lines[0], other))
    assert reading.status == ("failed" if other else "degraded")
    assert reason in reading.reason


def test_datagrams_out_of_order_are_counted_and_no_damage(read):
    text = (LOGS / "server-udp.txt").read_text()
    late = "[  1] 0.0000-2.0005 sec  7 datagrams received out-of-order\n"
    reading = read(text + late)
    row = row_of(reading)
    assert reading.status == "ok"
    assert (row["late_datagrams"], row["lost_datagrams"], row["datagrams"]) == (
        7, 0, 8920,
    )  # fmt: skip
    assert row["jitter_us"] == 2


def test_segments_sent_again_are_those_of_an_enhanced_client():
    assert row_of(iperf2.read(LOGS / "tcp-enhanced.txt"))["retransmits"] == 1
    assert row_of(iperf2.read(LOGS / "tcp.txt"))["retransmits"] is None
