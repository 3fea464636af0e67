"""nuttcp: totals and intervals, binary megabytes and decimal megabits."""

from __future__ import annotations

import pytest

from analysis.ingest.bench import nuttcp
from tests.ingest.benchmark_logs import GOLDEN, reader, row_of, rows_of

LOGS = GOLDEN / "nuttcp"


@pytest.fixture
def read(tmp_path):
    return reader(nuttcp, tmp_path)


@pytest.mark.parametrize(
    ("name", "mbps"),
    [
        ("transmit.txt", 13575.6671),
        ("receive.txt", 14722.8098),
        ("interval.txt", 15146.1673),  # the total, not an interval
        ("parse.txt", 24447.4630),
        ("verbose.txt", 23698.3199),  # the receiver's
        ("streams.txt", 21010.0527),
        ("udp-loss.txt", 1087.1826),
        ("fixed.txt", 25155.3594),
        ("brief.txt", 23156.9661),
    ],
)
def test_megabits_are_read_as_bytes(name, mbps):
    reading = nuttcp.read(LOGS / name)
    row = row_of(reading)
    assert (reading.status, row["shape"]) == ("ok", "STR")
    assert row["bytes_per_second"] == pytest.approx(mbps * 1e6 / 8)


def test_megabytes_are_binary_and_megabits_decimal():
    """3235.8125 × 2**20 × 8 ÷ 13575.6671e6 is the 2.00 s that are printed."""
    row = row_of(nuttcp.read(LOGS / "transmit.txt"))
    assert row["seconds"] == pytest.approx(3235.8125 * 2**20 * 8 / 13575.6671e6)
    assert row["seconds"] == pytest.approx(2.00, abs=0.005)


def test_the_receivers_bytes_of_datagrams():
    reading = nuttcp.read(LOGS / "udp-loss.txt")
    received = (332611 - 138635) * 1400 / 2**20
    assert received == pytest.approx(258.9859, abs=0.001)
    assert reading.details["lost_packets"] == 138635


def test_streams_of_the_verbose_form():
    assert row_of(nuttcp.read(LOGS / "verbose.txt"))["clients"] == 1


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("refused.txt", "failed", "connect: Connection refused"),
        ("killed.txt", "truncated", "ends before its total, after 3 intervals"),
    ],
)
def test_runs_that_did_not_end(name, status, reason):
    reading = nuttcp.read(LOGS / name)
    assert (reading.status, reading.reason) == (status, reason)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("transmit.txt", "13575.6671", "13575,6671"),
        ("transmit.txt", "3235.8125", "3,235.8125"),
        ("transmit.txt", "13575.6671", "1696.9584"),  # bytes for bits
        ("parse.txt", "rate_Mbps=24447.4630", "rate_Mbps=24447,4630"),
    ],
)
def test_what_is_refused(read, name, old, new):
    text = (LOGS / name).read_text()
    assert old in text
    assert read(text.replace(old, new)).status == "failed"


def test_streams_of_one_log_are_not_those_of_another(read):
    verbose, brief = (
        (LOGS / name).read_text() for name in ("verbose.txt", "brief.txt")
    )
    assert [row["clients"] for row in rows_of(read(verbose + brief))] == [None, None]


# By P_PERF_FMT_INTERVAL, P_PERF_FMT_BRIEF and P_PERF_FMT_OUT in nuttcp.c.
INTERVAL = "megabytes=2921.5000 real_sec=1.00 rate_Mbps=24507.2998\n"
BRIEF = (
    "megabytes=5843.0593 real_seconds=2.00 rate_Mbps=24447.4630 "
    "tx_cpu=34 rx_cpu=51 retrans=0\n"
)
VERBOSE = (
    "nuttcp-r: megabytes=5843.0593 real_seconds=2.00 rate_KBps=2984309.45 "
    "rate_Mbps=24447.4630\n"
)


def test_intervals_that_can_be_parsed(read):
    reading = read(INTERVAL * 2 + BRIEF)
    assert reading.status == "ok"
    assert row_of(reading)["bytes_per_second"] == 24447.4630e6 / 8


def test_intervals_without_a_total_are_cut_off(read):
    reading = read(INTERVAL * 2)
    assert (reading.status, row_of(reading)["bytes_per_second"]) == ("truncated", None)


def test_verbose_lines_that_can_be_parsed(read):
    sent = VERBOSE.replace("nuttcp-r", "nuttcp-t").replace("24447", "24999")
    reading = read("nuttcp-t: v8.2.2\n" + sent + VERBOSE)
    assert row_of(reading)["bytes_per_second"] == 24447.4630e6 / 8


def test_intervals_that_deny_the_total(read):
    text = (LOGS / "interval.txt").read_text()
    tenfold = text.replace(" 5416.8125 MB", "54168.1250 MB")
    reading = read(tenfold.replace("15146.1673 Mbps", "151461.6730 Mbps"))
    assert (reading.status, "by its intervals" in reading.reason) == ("failed", True)
    fewer = read("".join(text.splitlines(keepends=True)[1:]))
    assert (fewer.status, "2 of 3 s" in fewer.reason) == ("degraded", True)
