"""iperf3's text: binary and decimal units, both sides, sessions broken off."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import iperf3_text
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of, rows_of

LOGS = GOLDEN / "iperf3_text"


@pytest.fixture
def read(tmp_path):
    return reader(iperf3_text, tmp_path)


@pytest.mark.parametrize(
    ("name", "clients", "seconds", "rate"),
    [
        ("tcp.txt", 1, 2, 13.2e9 / 8),
        ("reverse-verbose.txt", 1, 2, 20.5e9 / 8),
        ("streams-omit.txt", 3, 2, 17.8e9 / 8),  # the sum, without omitted seconds
        ("bidir.txt", 1, 2.01, (6.44e9 + 7.37e9) / 8),
        ("udp.txt", 1, 2, 100e6 / 8),
        ("udp-streams-reverse.txt", 2, 2, 40.1e6 / 8),
        ("timestamps.txt", 1, 2, 22.4e9 / 8),
        ("megabytes.txt", 1, 2, 2682 * 2**20),  # -f M is binary
        ("server.txt", 1, 2, 13.2e9 / 8),
        ("server-udp.txt", 1, 2, 100e6 / 8),
    ],
)
def test_the_receiver_tells_the_rate(name, clients, seconds, rate):
    reading = iperf3_text.read(LOGS / name)
    row = row_of(reading)
    assert (reading.status, row["shape"], row["clients"]) == ("ok", "STR", clients)
    assert row["seconds"] == pytest.approx(seconds)
    assert row["bytes_per_second"] == pytest.approx(rate)


def test_transfer_is_binary_and_bitrate_decimal(read):
    """3.07 GBytes in 2 s are 13.2 Gbit/s only with 2**30 bytes; else it is refused."""
    text = (LOGS / "tcp.txt").read_text()
    bits_per_second = 3.07 * 2**30 * 8 / 2
    assert bits_per_second == pytest.approx(13.2e9, rel=0.002)
    wrong = text.replace("13.2 Gbits/sec                  rec", "12.3 Gbits/sec  rec")
    assert wrong != text
    assert "do not fit together" in read(wrong).reason


def test_server_of_a_reverse_test_has_the_senders_count():
    reading = iperf3_text.read(LOGS / "server-reverse.txt")
    assert reading.status == "ok"
    assert "the sender's count" in reading.problems[0].message


def test_a_total_over_the_wrong_time_is_found_out():
    """35.0 Gbit/s are printed after the client was killed; its intervals say 23.6."""
    reading = iperf3_text.read(LOGS / "server-five-tests.txt")
    rates = [row["bytes_per_second"] for row in rows_of(reading)]
    assert [rate for rate in rates if rate] == [25.2e9 / 8, 22.4e9 / 8, 22.2e9 / 8]
    assert reading.status == "failed"
    broken = [p for p in reading.problems if "was broken off" in p.message]
    assert [problem.line for problem in broken] == [47, 60]


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("refused.txt", "failed", "error - unable to connect to server"),
        ("busy.txt", "failed", "error - the server is busy running a test"),
        ("interrupted.txt", "failed", "interrupt - the client has terminated"),
        ("killed.txt", "truncated", "the session has no end"),
        ("server-killed.txt", "failed", "error - control socket has closed"),
        ("server-lost-client.txt", "failed", "the client has unexpectedly closed"),
    ],
)
def test_runs_that_did_not_end(name, status, reason):
    reading = iperf3_text.read(LOGS / name)
    assert reading.status == status
    assert reading.reason.startswith(reason)


@pytest.mark.parametrize(
    ("old", "new"),
    [("3.07 GBytes", "3,07 GBytes"), ("13.2 Gbits", "13,2 Gbits"), ("0.00-", "0,00-")],
)
def test_a_decimal_comma_is_refused(read, old, new):
    reading = read((LOGS / "tcp.txt").read_text().replace(old, new))
    assert (reading.status, "LC_ALL=C" in reading.reason) == ("failed", True)


def test_json_is_not_text():
    assert not iperf3_text.recognise((GOLDEN / "iperf3" / "tcp.json").read_bytes())


def test_datagrams_before_3_2_have_one_total_without_a_word():
    reading = iperf3_text.read(LOGS / "udp-3.1.txt")
    (row,) = rows_of(reading)
    assert (reading.status, row["seconds"]) == ("ok", 10)
    assert row["bytes_per_second"] == pytest.approx(10e6 / 8 * (1 - 15 / 1520))
    assert reading.details["sender_bytes_per_second"] == 10e6 / 8


def test_a_server_that_counts_no_bytes_is_refused_for_that(read):
    text = (LOGS / "server-udp.txt").read_text().replace("  receiver", "")
    reading = read(text.replace("23.8 MBytes   100 Mbits", "0.00 Bytes  0.00 bits"))
    assert "counts datagrams but no bytes" in reading.reason


def test_a_misspelt_unit_is_read():
    (row,) = rows_of(iperf3_text.read(LOGS / "misspelt-unit.txt"))
    assert row["bytes_per_second"] == pytest.approx(147641e3 / 8)


def test_another_unit_is_not_blamed_on_the_locale(read):
    reading = read((LOGS / "misspelt-unit.txt").read_text().replace("Kbis", "Kbats"))
    assert reading.status == "failed"
    assert "is not understood" in reading.reason


def test_a_client_without_some_of_its_intervals_says_so_and_has_its_total(read):
    lines = (LOGS / "tcp.txt").read_text().splitlines(keepends=True)
    (first,) = (line for line in lines if " 0.00-1.00 " in line)
    whole, reading = read("".join(lines)), read("".join(x for x in lines if x != first))
    assert rows_of(reading) == rows_of(whole)
    assert (reading.status, "1 of 2 s" in reading.reason) == ("degraded", True)


@pytest.mark.parametrize("side", ["sender", "receiver"])
def test_totals_that_the_intervals_deny_are_refused(read, side):
    text = (LOGS / "tcp.txt").read_text()
    tenfold = ("3.07 GBytes  13.2", "30.7 GBytes   132")
    both = text.replace(*tenfold)
    one = "".join(
        line.replace(*tenfold) if side in line else line
        for line in text.splitlines(keepends=True)
    )
    for changed in (both, one if side == "receiver" else both):
        assert changed != text
        reading = read(changed)
        assert (reading.status, "contradict" in reading.reason) == ("failed", True)


def test_datagrams_that_were_lost_do_not_deny_the_senders_intervals(read):
    text = (LOGS / "udp.txt").read_text()
    (line,) = (x for x in text.splitlines() if x.endswith("receiver"))
    half = line.replace("23.8 MBytes   100 M", "11.9 MBytes  50.0 M")
    assert half != line
    assert read(text.replace(line, half)).status == "ok"


def test_datagrams_out_of_order_are_counted_and_no_damage(read):
    text = (LOGS / "udp.txt").read_text()
    late = "[  5] 0.00-2.00  sec  4 datagrams received out-of-order\n\niperf Done."
    reading = read(text.replace("\niperf Done.", late))
    row = row_of(reading)
    assert reading.status == "ok"
    counts = (row["late_datagrams"], row["lost_datagrams"], row["datagrams"])
    assert (*counts, row["jitter_us"]) == (4, 0, 763, 8)


def test_segments_sent_again_are_those_of_all_ways():
    lines = (LOGS / "bidir.txt").read_text().splitlines()
    senders = [line.split() for line in lines if line.endswith("sender")]
    assert len(senders) == 2
    again = row_of(iperf3_text.read(LOGS / "bidir.txt"))["retransmits"]
    assert again == sum(int(words[-2]) for words in senders)


def test_intervals_are_kept_and_those_omitted_are_marked():
    rows = iperf3_text.read(LOGS / "streams-omit.txt").tables["interval"]
    assert rows["omitted"].to_list() == [1, 0, 0]
    assert rows["start_s"].to_list() == [-1, 0, 1]
    assert rows["seconds"].to_list() == [1, 1, 1]
    kept = rows.filter(omitted=0)["bytes_per_second"]
    assert kept.mean() == pytest.approx(17.8e9 / 8, rel=0.01)
