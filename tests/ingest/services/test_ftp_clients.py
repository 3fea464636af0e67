"""FTP clients of other systems: seconds cut to whole ones, three kinds of units."""

from __future__ import annotations

import pytest

from analysis.ingest.detect import read_file
from tests.ingest.logs import golden, reader, row, rows, text_of


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


def test_lftp_prints_over_its_progress():
    reading = golden("ftp_clients/lftp.txt")
    assert reading.status == "ok"
    get, put = rows(reading, "ftp_transfer")
    assert (get["command"], put["command"]) == ("RETR", "STOR")
    assert get["seconds"] == pytest.approx(20971520 / (18.08 * 2**20))


LFTP = "lftp host:~> {}\n{}\nlftp host:~> bye\n"
MOVED = "20971520 bytes transferred in 1 second (18.08 MiB/s)"


@pytest.mark.parametrize(
    ("command", "line", "status", "reason"),
    [
        ("get a", MOVED, "ok", ""),
        ("cd a", MOVED, "failed", "no command tells the direction"),
        ("get a", MOVED.replace("1 second", "9 seconds"), "failed", "contradicts"),
        ("get a", MOVED.replace("18.08", "18,08"), "failed", "LC_ALL=C"),
        ("get a", "100 bytes transferred", "degraded", "too short"),
        ("mget *", f"{MOVED}\nTotal 2 files transferred", "degraded", "2 files as one"),
        (
            "put a",
            "put: a: Access failed: 553 No.",
            "failed",
            "1 transfers failed (STOR)",
        ),
    ],
)
def test_lines_of_lftp(tmp_path, command, line, status, reason):
    path = tmp_path / "log"
    path.write_text(LFTP.format(command, line))
    reading = read_file(path, "UTC")
    assert (reading.format, reading.status) == ("ftp_clients", status)
    assert reason in reading.reason


def test_windows_counts_1000_bytes(read):
    text = (
        "220 ready\nftp> get a\n226 Transfer complete.\n"
        "ftp: 20971520 bytes received in 2.00Seconds 10485.76Kbytes/sec.\n221 bye\n"
    )
    reading = read(text)
    assert (reading.status, row(reading)["seconds"]) == ("ok", 2.0)


def test_failed_transfers_fail_their_test_and_are_named():
    reading = golden("ftp_clients/tnftp-failed.txt")
    told = "2 of 2 tests: 1 of 2 transfers failed (RETR)"
    assert (reading.status, reading.reason) == ("failed", told)
    assert "STOR failed: no.bin: 553 Could not create" in reading.problems[0].message
    assert reading.verdict("RETR").in_words == (
        "failed",
        "1 of 2 transfers failed (RETR)",
    )
    assert reading.verdict("STOR").in_words == (
        "failed",
        "all 1 transfers failed (STOR)",
    )


GOT = "226 Transfer complete.\n2097152 bytes received in 00:00 (1.50 GiB/s)\n"
PUT = "226 Transfer complete.\n2097152 bytes sent in 00:00 (1.50 GiB/s)\n"
BOTH = f"220 ready\n150 Ok\n{GOT}150 Ok\n{PUT}{{}}221 bye\n"
FAILURES = {
    "reply to STOR alone": ("553 Could not create file.\n", "STOR"),
    "file system full": ("452 No space left.\n", "STOR"),
    "reply to RETR of vsftpd": ("550 Failed to open file.\n", "RETR"),
    "prompt get": ("ftp> get x\n200 PORT ok.\n550 x: Permission denied\n", "RETR"),
    "prompt put": ("ftp> put x\n200 PORT ok.\n550 x: Permission denied\n", "STOR"),
    "debugging": ("---> STOR x\n550 x: Permission denied\n", "STOR"),
    "bytes to come": ("150 Opening x (20 bytes).\n426 Connection closed.\n", "RETR"),
    "ready to receive": ("150 Ok to send data.\n426 Failure reading.\n", "STOR"),
    "into nothing": ("local: /dev/null remote: x\n550 x: Denied\n", "RETR"),
    "no end": ("---> STOR x\n150 Ok.\nlocal: a remote: a\n150 Ok\n" + GOT, "STOR"),
}


@pytest.mark.parametrize(("more", "way"), FAILURES.values(), ids=FAILURES)
def test_a_failed_transfer_leaves_the_other_direction(read, more, way):
    reading = read(BOTH.format(more))
    other = {"RETR": "STOR", "STOR": "RETR"}[way]
    assert reading.verdict(other).in_words == ("ok", "")
    assert reading.verdict(way)[0] == reading.status == "failed"
    assert way in reading.reason
    errors = {r["test"]: (r["errors"], r["rate"] is None) for r in rows(reading)}
    assert errors == {way: (1, True), other: (0, False)}


def test_a_failure_of_an_unknown_direction_fails_both(read):
    reading = read(BOTH.format("local: a remote: b\n550 b: Permission denied\n"))
    assert {reading.verdict(test)[0] for test in ("", "RETR", "STOR")} == {"failed"}
    assert "of unknown direction" in reading.reason


@pytest.mark.parametrize(
    "line", ["502 EPSV not implemented.", "550 Create directory operation failed."]
)
def test_a_refused_command_is_no_failed_transfer(read, line):
    reading = read(BOTH.format(f"local: a remote: a\n{line}\n150 Ok\n{GOT}"))
    assert (reading.status, reading.problems[0].message) == ("ok", line)


def test_a_refused_login_is_named(read):
    reading = read("220 ready\n331 Password\n530 Login incorrect.\n221 bye\n")
    told = "no file was transferred: 530 Login incorrect."
    assert (reading.status, reading.reason) == ("failed", told)


@pytest.mark.parametrize(
    "before", ["ftp> dir\n150 Opening.\n", "150 Here comes the directory listing.\n"]
)
def test_a_listing_is_no_transfer(read, before):
    """Windows prints its bytes as those of a file."""
    line = "ftp: 80 bytes received in 0.00Seconds 80000.00Kbytes/sec.\n"
    reading = read(BOTH.format(f"{before}226 Directory send OK.\n{line}"))
    assert reading.status == "ok"
    assert [r["transactions"] for r in rows(reading)] == [1, 1]


def test_a_listing_at_the_end_does_not_cut_the_log(read):
    more = "150 Here comes the directory listing.\n226 Directory send OK.\n"
    assert read(BOTH.format(more)).status == "ok"


def test_a_transfer_cut_off_costs_its_direction(read):
    whole = BOTH.format("").replace("221 bye\n", "")
    cut = read(whole + "local: /dev/null remote: b\n")
    assert cut.verdict("RETR").in_words == ("truncated", "ends within a transfer")
    assert cut.verdict("STOR")[0] == "degraded"
    unknown = read(whole + "local: b remote: b\n")
    assert unknown.verdict("RETR") == unknown.verdict("STOR") == unknown.verdict()
    assert unknown.status == "truncated"


def test_a_log_of_a_server_has_transfers_and_no_results():
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


def test_a_transfer_of_the_server_that_is_longer_than_its_stamps_is_told(read):
    text = text_of("ftp_clients/vsftpd.txt").replace("161888.27", "161.89")
    reading = read(text)
    assert reading.status == "degraded"
    assert any("the time by the rate is 126" in p.message for p in reading.problems)
