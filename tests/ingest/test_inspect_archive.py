"""Archives of several files: each member is told, none is read, and how to unpack."""

from __future__ import annotations

import gzip
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.errors import UserError
from analysis.ingest import inspect_archive
from analysis.ingest.compressed import packed
from analysis.ingest.detect import read_file
from tests.ingest.benchmark_logs import GOLDEN

LOG = (GOLDEN / "uperf/rr-raw.txt").read_bytes()


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def tarred(members: dict[str, bytes | str]) -> bytes:
    """A text instead of bytes is what a link leads to."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            if isinstance(data, str):
                member.type, member.linkname, data = tarfile.SYMTYPE, data, b""
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


@pytest.fixture
def inspect(tmp_path, capsys):
    """The lines about an archive by member, and what is wrong."""

    def run(name: str, data: bytes) -> tuple[dict[str, str], str]:
        (tmp_path / name).write_bytes(data)
        assert main(["inspect", str(tmp_path / name)]) == 2
        out, wrong = capsys.readouterr()
        return dict(line.split(": ", 1) for line in out.splitlines()), wrong

    return run


def typed(wrong: str, home: Path) -> int:
    """The exit code of the command that a message tells."""
    command = ["sh", "-c", wrong.partition("move it away: ")[2]]
    return subprocess.run(command, env={"HOME": str(home)}, check=False).returncode


MEMBERS = {"osd/a.txt": LOG, "osd/b.txt": LOG, "c.bin": b"\0\1\2"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("lab.zip", zipped(MEMBERS)),
        ("lab.tar", tarred({**MEMBERS})),
        ("lab.tgz", gzip.compress(tarred({**MEMBERS}))),
    ],
)
def test_each_member_is_told_and_the_command_unpacks_it(inspect, tmp_path, name, data):
    members, wrong = inspect(name, data)
    assert members[f"{name}!osd/a.txt"] == "uperf benchmark log, ok"
    assert members[f"{name}!c.bin"].startswith("unknown format, failed: looks like")
    assert "3 files are in it, such as 'osd/a.txt'" in wrong
    home = tmp_path / "home"
    home.mkdir()
    assert typed(wrong, home) == 0
    assert read_file(tmp_path / "lab/osd/b.txt").status == "ok"
    assert (home / name).exists() and not (tmp_path / name).exists()


def test_a_name_with_blanks_and_quotes_is_unpacked(inspect, tmp_path):
    _, wrong = inspect("it's a lab; true.zip", zipped(MEMBERS))
    assert typed(wrong, tmp_path.parent) == 0
    assert (tmp_path / "it's a lab; true/osd/a.txt").read_bytes() == LOG


def test_what_leads_out_and_links_are_not_read(inspect, tmp_path):
    members, wrong = inspect(
        "x.tar", tarred({"../a": b"a", "/etc/b": b"b", "l": "/etc/passwd", "c": LOG})
    )
    assert members["x.tar!../a"] == "not read: it leads out of the archive"
    assert members["x.tar!/etc/b"] == "not read: it leads out of the archive"
    assert members["x.tar!l"] == "not read: it is a link to '/etc/passwd'"
    assert members["x.tar!c"] == "uperf benchmark log, ok"
    assert "3 files are in it" in wrong
    assert typed(wrong, tmp_path.parent) and (tmp_path / "x.tar").exists()
    assert not (tmp_path / "a").exists()


def test_links_and_passwords_of_a_zip_archive(inspect):
    link = zipfile.ZipInfo("l")
    link.external_attr = 0o120777 << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for each in (link, zipfile.ZipInfo("secret"), zipfile.ZipInfo("a.txt")):
            archive.writestr(each, LOG)
    data = bytearray(file.getvalue())
    data[data.index(b"PK\1\2", data.index(b"PK\1\2") + 1) + 8] |= 1
    members, _ = inspect("x.zip", bytes(data))
    assert members["x.zip!l"] == "not read: it is a link"
    assert members["x.zip!secret"] == "not read: it wants a password"
    assert members["x.zip!a.txt"] == "uperf benchmark log, ok"


def test_what_is_damaged_is_told_and_the_rest_read(inspect):
    data = bytearray(zipped(MEMBERS))
    data[60:70] = bytes(10)
    members, _ = inspect("x.zip", bytes(data))
    assert "this file is damaged" in members["x.zip!osd/a.txt"]
    assert members["x.zip!osd/b.txt"] == "uperf benchmark log, ok"


def test_an_archive_that_is_cut_off_between_members(inspect):
    data = gzip.compress(tarred({"a.txt": LOG, "b.txt": LOG})[:-1024])[:-4]
    members, _ = inspect("x.tgz", data)
    assert members["x.tgz!b.txt"] == "uperf benchmark log, ok"
    assert members["x.tgz"].startswith("gzip is cut off after")


def test_a_bomb_is_not_unpacked(inspect, monkeypatch):
    monkeypatch.setattr(packed, "UNPACKED_RATIO", 100)
    bomb = zipped({"a.txt": LOG, "b": bytes(2**22), "c": b"c"})
    members, _ = inspect("x.zip", bomb)
    assert "100 times its size" in members["x.zip!b"]
    monkeypatch.setattr(inspect_archive, "UNPACKED_BYTES", len(LOG))
    members, _ = inspect("x.zip", zipped({"a": LOG, "b": LOG, "c": LOG}))
    assert "x.zip!b" in members and "x.zip!c" not in members
    assert "the rest is not looked at" in members["x.zip"]


def test_a_name_cannot_write_on_the_terminal(inspect):
    members, _ = inspect("x.tar", tarred({"\x1b[2J": LOG, "b": LOG}))
    assert "'x.tar!\\x1b[2J'" in members


def test_what_is_packed_again_says_so(inspect):
    members, _ = inspect("x.zip", zipped({"a.gz": gzip.compress(LOG), "b.txt": LOG}))
    assert members["x.zip!a.gz"] == "gzip within this file"


def test_rows_of_an_archive_are_refused(tmp_path):
    (tmp_path / "x.zip").write_bytes(zipped(MEMBERS))
    with pytest.raises(UserError, match="3 files are in it"):
        read_file(tmp_path / "x.zip")
    assert main(["inspect", str(tmp_path / "x.zip"), "--rows"]) == 2
