"""FTP clients of other systems: seconds cut to whole ones, three kinds of units."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows


@pytest.fixture
def read(tmp_path):
    return reader("ftp_clients", tmp_path)


def test_tnftp_tells_time_by_its_rate():
    transfers = rows(golden("ftp_clients/tnftp.txt"), "ftp_transfer")
    assert [t["command"] for t in transfers] == ["RETR", "RETR", "STOR", "STOR"]
    assert transfers[0]["seconds"] == pytest.approx(20971520 / (1.50 * 2**30))
    assert transfers[2]["seconds"] == pytest.approx(20971520 / (877.19 * 2**20))


def test_inetutils_tells_seconds():
    transfers = rows(golden("ftp_clients/inetutils.txt"), "ftp_transfer")
    assert [t["seconds"] for t in transfers] == [0.0182, 0.0293]


def test_windows_counts_1000_bytes(read):
    text = (
        "220 ready\nftp> get a\n226 Transfer complete.\n"
        "ftp: 20971520 bytes received in 2.00Seconds 10485.76Kbytes/sec.\n221 bye\n"
    )
    reading = read(text)
    assert (reading.status, row(reading)["seconds"]) == ("ok", 2.0)


def test_failed_transfers():
    reading = golden("ftp_clients/tnftp-failed.txt")
    assert (reading.status, reading.reason) == ("failed", "2 of 3 transfers failed")
    assert "553 Could not create file." in reading.problems[0].message


def test_a_failure_of_an_unknown_direction_fails_both():
    reading = golden("ftp_clients/tnftp-failed.txt")
    assert {reading.verdict(test)[0] for test in ("", "RETR", "STOR")} == {"failed"}


def test_a_transfer_cut_off_costs_both_directions(read):
    text = (
        "220 ready\nlocal: a remote: a\n226 Transfer complete.\n"
        "2097152 bytes received in 00:00 (1.50 GiB/s)\n"
    )
    whole, cut = read(f"{text}221 bye\n"), read(f"{text}local: b remote: b\n")
    assert (whole.verdict(), whole.verdict("RETR")) == (("ok", ""), ("ok", ""))
    assert cut.verdict("RETR") == ("truncated", "ends within a transfer")


def test_server_log():
    reading = golden("ftp_clients/vsftpd.txt")
    assert (reading.status, reading.tool) == ("degraded", "vsftpd")
    first, *_ = rows(reading, "ftp_transfer")
    assert (first["role"], first["command"]) == ("server", "RETR")
    assert first["seconds"] == pytest.approx(20971520 / (1916167.66 * 1024))
    assert reading.results == []


def test_the_client_and_the_server_agree():
    """Both logs tell of the same transfers: kilobytes of 1024 bytes on both sides."""
    server = rows(golden("ftp_clients/vsftpd.txt"), "ftp_transfer")
    inetutils = rows(golden("ftp_clients/inetutils.txt"), "ftp_transfer")
    assert server[-1]["seconds"] == pytest.approx(inetutils[-1]["seconds"], rel=0.1)


@pytest.mark.parametrize(("rate", "status"), [("10", "ok"), ("80", "failed")])
def test_rate_that_contradicts_its_seconds(read, rate, status):
    line = f"20971520 bytes received in 2.00 seconds ({rate} Mbytes/s)\n221 bye\n"
    assert read("220 x\n226 ok\n" + line).status == status
