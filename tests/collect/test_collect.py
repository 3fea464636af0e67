"""Fetching files: from servers that answer as documented, and from those that fail."""

from __future__ import annotations

import datetime as dt
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from analysis.cli import main
from analysis.collect.dds import ReportTime, time_of_day
from analysis.collect.zosmf import RecordSink
from analysis.declared.collect import read_collect
from analysis.files.checksums import read_checksums
from analysis.files.hashes import hash_file
from analysis.ingest.campaign.checksums import run as record
from analysis.ingest.detect import read_file
from synthetic.smf.dump import dump_header, unblocked
from tests.collect.servers import (
    CERTIFICATES,
    NAME,
    PASSWORD,
    USER,
    Host,
    ftp_server,
    http_server,
)
from tests.conftest import ROOT

AUTHORITY = str(CERTIFICATES / "authority.pem")
DUMP = [dump_header(dt.datetime(2026, 1, 12, 9, n), 2 + n % 2) for n in range(5)]
RECORDS = tuple(one[4:] for one in DUMP)  # without descriptor words


def declare(folder: Path, host: Host, *files: dict, **server: object) -> None:
    kind = server.setdefault("kind", "dds")
    named = {} if kind in ("ssh", "sftp") else {"user": USER}
    about = {**named, "address": host.address, **server}
    wanted = [{"from": "host", **file} for file in files]
    data = {"zone": "America/New_York", "servers": {"host": about}, "files": wanted}
    (folder / "collect.yaml").write_text(yaml.safe_dump(data))


def left(folder: Path) -> set[str]:
    """All files but the two that are written by hand, drafts too."""
    found = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    return found - {"runs.csv", "collect.yaml"}


CPU = {"reports": ["CPU", "WLMGL(SCPER)"], "to": "rmf/{day}.xml"}


def test_reports_are_asked_for_by_day_and_run(folder, capsys):
    host = Host()
    with http_server(host, "sound.pem"):
        of_run = {"report": "CPC", "system": "SYSA", "to": "m3/{run}.xml"}
        declare(folder, host, CPU, of_run, authority=AUTHORITY)
        assert main(["collect", str(folder)]) == 0
        # 14:00:30Z is 09:00:30 there, and the second run goes over midnight
        assert host.asked == [
            "/gpm/rmfpp.xml?reports=CPU,WLMGL(SCPER)"
            "&date=20260112,20260112&timeofday=0845,2400",
            "/gpm/rmfpp.xml?reports=CPU,WLMGL(SCPER)"
            "&date=20260113,20260113&timeofday=0000,0025",
            "/gpm/rmfm3.xml?report=CPC&resource=,SYSA,MVS_IMAGE"
            "&range=20260112084530,20260112091700",
            "/gpm/rmfm3.xml?report=CPC&resource=,SYSA,MVS_IMAGE"
            "&range=20260112233500,20260113002500",
        ]
        out = capsys.readouterr().out
        assert "rmf/2026-01-12.xml: " in out
        assert out.count("rmf_xml") == 4
        assert main(["collect", str(folder)]) == 0
        assert len(host.asked) == 4  # what is there is not fetched again
    files = {"rmf/2026-01-12.xml", "rmf/2026-01-13.xml", "m3/a-1.xml", "m3/a-2.xml"}
    assert left(folder) == {*files, "collected.csv", "SHA256SUMS"}
    sums = read_checksums(folder).files
    assert sums == {name: hash_file(folder / name) for name in files}
    notes = (folder / "collected.csv").read_text()
    assert f"dds {host.address},/gpm/rmfm3.xml?report=CPC" in notes.replace('"', "")
    assert PASSWORD not in notes + (folder / "collect.yaml").read_text() + out


def test_the_notes_are_no_evidence(folder):
    host = Host()
    with http_server(host):
        declare(folder, host, CPU | {"each": "day"})
        assert main(["collect", str(folder)]) == 0
    before = (folder / "SHA256SUMS").read_text()
    (folder / "campaign.yaml").write_text("title: x\n")
    record(type("Args", (), {"folder": folder})())
    assert (folder / "SHA256SUMS").read_text() == before


def test_a_window_and_nobody_who_asks(folder):
    window = {"start": "2026-01-12T09:00", "end": "2026-01-12T10:00"}
    file = {"reports": ["CPU"], "system": "SYSA", "to": "day.xml", "window": window}
    host = Host(who=False)
    with http_server(host):
        declare(folder, host, file, user="")
        assert main(["collect", str(folder)]) == 0
    assert host.asked[0].endswith("timeofday=0900,1000&sysid=SYSA")
    assert "Authorization" not in host.headers[0]


def test_whole_minutes_hold_the_window():
    span = ReportTime(
        dt.datetime(2026, 1, 12, 9, 0, 30), dt.datetime(2026, 1, 12, 9, 59, 1)
    )
    assert time_of_day(span) == ("0900", "1000")


def test_records_keep_their_lengths(folder, tmp_path):
    host = Host(RECORDS)
    with http_server(host, "sound.pem"):
        of = {"data_set": NAME, "to": "day.smf"}
        declare(folder, host, of, kind="zosmf", authority=AUTHORITY)
        assert main(["collect", str(folder)]) == 0
    assert (folder / "day.smf").read_bytes() == unblocked(DUMP)
    assert read_file(folder / "day.smf").records == {"2": 3, "3": 2}


@pytest.mark.parametrize("size", [1, 3, 5, 1000])
def test_records_come_in_pieces(tmp_path, size):
    data = b"".join(len(r).to_bytes(4, "big") + r for r in RECORDS)
    with (tmp_path / "day.smf").open("wb") as file:
        sink = RecordSink(file, "x")
        for at in range(0, len(data), size):
            sink.write(data[at : at + size])
        sink.finish()
    assert (tmp_path / "day.smf").read_bytes() == unblocked(DUMP)


def test_output_of_a_job(folder):
    host = Host()
    with http_server(host):
        each = {"job": "RMFPP/JOB01234", "to": "job/{dd}.txt"}
        declare(folder, host, each, each | {"to": "all.txt"}, kind="zosmf")
        assert main(["collect", str(folder)]) == 0
    assert (folder / "job/MFR1.txt").read_text() == "output 101\n"
    assert (folder / "all.txt").read_text() == "output 2\noutput 101\n"


@pytest.mark.parametrize("encrypted", [True, False])
def test_ftp_with_the_site_commands(folder, encrypted, capsys):
    host = Host(RECORDS)
    with ftp_server(host):
        dump = {"data_set": NAME, "to": "day.smf"}
        job = {"job": "RMFPP/JOB01234", "to": "job.txt"}
        about = {"kind": "ftp", "encrypted": encrypted, "authority": AUTHORITY}
        declare(folder, host, dump, job, **about)
        assert main(["collect", str(folder)]) == 0
    assert (folder / "day.smf").read_bytes() == unblocked(DUMP)
    assert (folder / "job.txt").read_text() == "output of\nthe job\n"
    site = host.asked.index("SITE FILETYPE=SEQ RDW")
    assert host.asked.index("TYPE I") > site
    assert ("PROT P" in host.asked) == encrypted
    assert ("not encrypted" in capsys.readouterr().err) != encrypted


SMF = {"data_set": NAME, "to": "day.smf"}
ZOSMF, FTP = {"kind": "zosmf"}, {"kind": "ftp", "encrypted": False}


@pytest.mark.parametrize(
    ("server", "fault", "file", "said"),
    [
        ({"user": "NOBODY"}, "", CPU, "refuses the user 'NOBODY'"),
        ({"seconds": 0.3}, "silence", CPU, "does not answer; waited 0.3 s"),
        ({}, "half", CPU, "the answer broke off after"),
        ({}, "", CPU | {"reports": ["NONE"]}, "GPM0745E No reportable data found"),
        (ZOSMF, "half", SMF, "the answer broke off after"),
        (ZOSMF, "half a record", SMF, "ends within record 5; nothing was kept"),
        (ZOSMF, "", SMF | {"data_set": "NO.SUCH"}, "404 Not Found: data set not found"),
        (FTP, "half", SMF, "the answer broke off"),
        (FTP, "no RDW", SMF, "no record descriptor word at byte"),
        (FTP, "", SMF | {"data_set": "NO.SUCH"}, "550 not found"),
    ],
)
def test_nothing_is_left_of_what_failed(folder, capsys, server, fault, file, said):
    host = Host(RECORDS, fault)
    of_ftp = server.get("kind") == "ftp"
    with ftp_server(host) if of_ftp else http_server(host):
        declare(folder, host, file, **server)
        assert main(["collect", str(folder)]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "mend: " in told.err
    assert PASSWORD not in told.err + told.out
    assert left(folder) == set()


@pytest.mark.parametrize(
    ("certificate", "about", "said"),
    [
        ("expired.pem", {"authority": AUTHORITY}, "certificate has expired"),
        ("sound.pem", {}, "its certificate is not accepted"),
        ("", {}, "cannot be reached: connection refused"),
    ],
)
def test_servers_that_are_not_trusted_or_not_there(
    folder, capsys, certificate, about, said
):
    host = Host(address="http://127.0.0.1:1")
    with http_server(host, certificate) if certificate else nullcontext():
        declare(folder, host, CPU, CPU | {"to": "again/{day}.xml"}, **about)
        assert main(["collect", str(folder)]) == 2
    assert capsys.readouterr().err.count(said) == 1  # once, not for each file
    assert left(folder) == set()


def test_a_certificate_stands_for_a_password(folder, monkeypatch):
    monkeypatch.delenv("COLLECT_HOST_PASSWORD")
    host, own = Host(who=False), str(CERTIFICATES / "client.pem")
    with http_server(host, "sound.pem", client=True):
        declare(folder, host, CPU, authority=AUTHORITY, certificate=own)
        assert main(["collect", str(folder)]) == 0
    assert "Authorization" not in host.headers[0]


def test_a_password_that_nobody_can_be_asked_for(folder, monkeypatch, capsys):
    monkeypatch.delenv("COLLECT_HOST_PASSWORD")
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    declare(folder, Host(address="https://127.0.0.1:1"), CPU)
    assert main(["collect", str(folder)]) == 2
    assert "COLLECT_HOST_PASSWORD" in capsys.readouterr().err


def test_a_prompt_asks_once_for_a_server(folder, monkeypatch):
    monkeypatch.delenv("COLLECT_HOST_PASSWORD")
    asked = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda of: asked.append(of) or PASSWORD)
    host = Host()
    with http_server(host):
        declare(folder, host, CPU, CPU | {"to": "again/{day}.xml"})
        assert main(["collect", str(folder)]) == 0
    assert asked == [f"Password of {USER} on {host.address}: "]


SSH = """#!/bin/sh
while [ $# -gt 2 ]; do shift; done
case "$1" in *down) echo 'no route to host' >&2; exit 255 ;; esac
exec sh -c "$2"
"""
SFTP = """#!/bin/sh
read -r line
eval "set -- $line"
exec cp "$2" "$3"
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Stand-ins for ssh and sftp that work on this machine."""
    for name, text in (("ssh", SSH), ("sftp", SFTP)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/local/bin:/usr/bin:/bin")


@pytest.mark.parametrize("kind", ["ssh", "sftp"])
def test_a_log_arrives_byte_for_byte_and_a_missing_one_leaves_no_file(
    folder, tmp_path, programs, kind, capsys
):
    log = tmp_path / "sar of today.bin"
    log.write_bytes(b"\0\1\n\r\xff" * 1000)
    declare(folder, Host(address="lab1"), {"path": str(log), "to": "l/sar"}, kind=kind)
    assert main(["collect", str(folder)]) == 0
    assert (folder / "l/sar").read_bytes() == log.read_bytes()
    gone = {"path": "/no/such", "to": "none"}
    declare(folder, Host(address="lab1"), gone, kind=kind)
    assert main(["collect", str(folder)]) == 2
    assert "/no/such" in capsys.readouterr().err
    assert not (folder / "none").exists()


def test_a_host_without_a_route(folder, programs, capsys):
    host = Host(address="down")
    declare(folder, host, {"path": "/x", "to": "x"}, kind="ssh")
    assert main(["collect", str(folder)]) == 2
    assert "down: cannot be reached: no route to host" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "about", "said"),
    [
        (CPU | {"from": "hots"}, {}, ":2: there is no server 'hots'"),
        ({"path": "/x", "to": "x"}, {}, "path of a server of the kind dds"),
        ({"report": "CPC", "to": "x"}, {}, "of which system the report is"),
        (CPU, {"address": "me:pw@h:1"}, "without a user or a password"),
        (CPU, {"address": "-oProxyCommand=x"}, "a host with its port"),
        (CPU, {"password": "x"}, "password"),
        (CPU | {"to": "../{day}.xml"}, {}, "leads out of the campaign's folder"),
        (CPU | {"to": "one.xml"}, {}, "write {day} in 'to'"),
    ],
)
def test_declarations_that_will_not_do(folder, capsys, file, about, said):
    declare(folder, Host(address="http://127.0.0.1:1"), file, **about)
    assert main(["collect", str(folder)]) == 2
    assert said in capsys.readouterr().err
    assert left(folder) == set()


def test_runs_without_times_are_refused(folder, capsys):
    runs = folder / "runs.csv"
    header = runs.read_text().splitlines()[0]
    runs.write_text(f"{header}\na,a,RR1(1B),1,,,C,S,a\n")
    declare(folder, Host(address="http://127.0.0.1:1"), CPU)
    assert main(["collect", str(folder)]) == 2
    assert "no run tells when it was" in capsys.readouterr().err


def test_the_example_of_the_page_is_sound(tmp_path):
    page = (ROOT / "docs/how-to/collect.md").read_text()
    text = page.split("```yaml\n")[1].split("```")[0]
    (tmp_path / "collect.yaml").write_text(text)
    collect = read_collect(tmp_path / "collect.yaml")
    assert {server.kind for server in collect.servers.values()} >= {"dds", "zosmf"}
    assert len(collect.files) == text.count("from:")


DROPS = """#!/bin/sh
printf '1000\\n'; head -c 400 /dev/zero
echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255
"""
HANGS = """#!/bin/sh
printf '1000\\n'; exec sleep 60
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [(DROPS, "/x: the answer broke off; nothing was kept"), (HANGS, "does not answer")],
)
def test_half_a_file_of_a_host_is_not_kept(folder, tmp_path, programs, capsys,
                                           program, said):  # fmt: skip
    (tmp_path / "ssh").write_text(program)
    file = {"path": "/x", "to": "x"}
    declare(folder, Host(address="lab1"), file, kind="ssh", seconds=0.1)
    assert main(["collect", str(folder)]) == 2
    assert said in capsys.readouterr().err
    assert left(folder) == set()
