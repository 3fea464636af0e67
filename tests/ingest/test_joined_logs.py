"""Logs and reports behind one another in one file, and texts that Windows wrote."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.reading import Reading

GOLDEN = Path(__file__).parents[1] / "golden"
# A second one of these has another beginning, or other times: none of it is used.
ALONE = (
    "cgroup/cpu.stat", "cgroup/cpuacct.stat", "openssl_speed/doing.txt",
    "perf_stat/command.txt", "perf_stat/command.csv", "pidstat/intervals.txt",
    "procstat/before.txt", "sar_text/sar-u.txt", "sar_text/mpstat.txt",
    "sockperf/pp-full-rtt.txt", "sockperf/pp-oneway.txt", "sockperf/tp.txt",
    "sockperf/full-log.csv", "sockperf/refused.txt", "time_v/verbose.txt",
    "time_v/default.txt", "time_v/posix.txt", "vmstat/timed.txt",
)  # fmt: skip
TEXTS = sorted(
    path
    for name in FORMATS
    for path in (GOLDEN / name).glob("*")
    if not path.name.endswith((".expected.json", ".gz"))
)


@pytest.fixture
def read(tmp_path):
    def write(data: bytes) -> Reading:
        path = tmp_path / "log"
        path.write_bytes(data)
        return read_file(path, "UTC")

    return write


def said(reading: Reading) -> tuple:
    """All but the positions, which a byte more may move."""
    tables = {n: t.drop("position").to_dicts() for n, t in reading.tables.items()}
    return reading.format, reading.status, reading.reason, reading.results, tables


@pytest.mark.parametrize("name", ALONE)
def test_two_in_one_file_are_refused(read, name):
    reading = read((GOLDEN / name).read_bytes() * 2)
    assert (reading.format, reading.status) == (name.split("/")[0], "failed")
    assert not any(table.height for table in reading.tables.values())
    assert all(row["rate"] is None for row in reading.results)
    assert reading.problems[0].line


def test_the_middle_of_two_sockperf_logs_is_not_mixed(read):
    """A log that was cut, and another one behind it: figures of both."""
    text = (GOLDEN / "sockperf" / "pp-full-rtt.txt").read_bytes()
    first = text[: text.index(b"sockperf: [Valid Duration]")]
    reading = read(first + text)
    assert (reading.status, reading.results[0]["rate"]) == ("failed", None)
    assert "2 logs in one file" in reading.reason


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("openssl_s_time/new-30.txt", "openssl_s_time/new.txt"),
        ("wrk/plain.txt", "wrk/wrk2.txt"),
        ("h2load/timed.txt", "h2load/https.txt"),
        ("siege/text.txt", "siege/text.txt"),
        ("netperf/crr.txt", "netperf/rr.txt"),
        ("netperf/rr.txt", "netperf/stream.txt"),
    ],
)
def test_the_beginning_of_a_log_before_another_is_refused(read, first, second):
    """As of a run that was killed: the other one's line begins where it stopped."""
    begun, whole = ((GOLDEN / name).read_bytes() for name in (first, second))
    for share in (0.3, 0.5, 0.7):
        assert read(begun[: int(share * len(begun))] + whole).status == "failed"


def test_a_time_that_was_planned_for_another_log(read):
    """Connections are divided by the time that was planned: here, by 30 s of 2 s."""
    new = (GOLDEN / "openssl_s_time" / "new-30.txt").read_bytes()
    reuse = (GOLDEN / "openssl_s_time" / "reuse-www.txt").read_bytes()
    reading = read(new + reuse)
    assert (reading.status, reading.results[1]["rate"]) == ("failed", None)
    assert "it took 3 of 30 s" in reading.reason


@pytest.mark.parametrize("ports", [(b"51272", b"51272"), (b"51272", b"51290")])
def test_a_csv_of_iperf2_with_another_port_is_another_run(read, ports):
    text = (GOLDEN / "iperf2" / "tcp.csv").read_bytes()
    reading = read(text + text.replace(*ports))
    same = ports[0] == ports[1]
    assert reading.status == ("ok" if same else "failed")
    assert same or "several runs in one file" in reading.reason


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_texts_that_windows_wrote_say_the_same(read, path):
    data = path.read_bytes().replace(b"\r\n", b"\n")
    windows = codecs.BOM_UTF8 + data.replace(b"\n", b"\r\n")
    assert said(read(windows)) == said(read(data))


@pytest.mark.parametrize("name", ["wrk/latency.txt", "h2load/https.txt"])
def test_blanks_at_the_ends_of_lines_change_nothing(read, name):
    data = (GOLDEN / name).read_bytes()
    assert said(read(data.replace(b"\n", b"  \n"))) == said(read(data))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ftp_clients/tnftp.txt", "ftp_clients/vsftpd.txt"),
        ("ftp_clients/vsftpd.txt", "ftp_clients/lftp.txt"),
        ("hey/http.txt", "hey/requests.csv"),
        ("ctg_statistics/interval.txt", "ctg_statistics/intervals.csv"),
    ],
)
def test_two_kinds_of_log_of_one_format_in_one_file(read, first, second):
    """Of one of them no row would be made."""
    reading = read(b"".join((GOLDEN / name).read_bytes() for name in (first, second)))
    assert reading.status == "failed"
    assert not any(table.height for table in reading.tables.values())


def test_two_forms_of_perf_stat_in_one_file(read):
    texts = [(GOLDEN / "perf_stat" / f"command.{form}") for form in ("txt", "csv")]
    reading = read(b"".join(path.read_bytes() for path in texts))
    assert (reading.status, reading.problems[0].line) == ("failed", 19)
    assert "run_cpu" not in reading.tables


def test_utf_16_is_named(read):
    reading = read((GOLDEN / "wrk" / "plain.txt").read_text().encode("utf-16"))
    assert reading.status == "failed"
    assert "UTF-16" in reading.reason
    assert "save it as UTF-8" in reading.reason
