"""Raw files: regular ones only, and packed ones as if they were not."""

from __future__ import annotations

import bz2
import datetime as dt
import gzip
import io
import json
import lzma
import os
import socket
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest

from analysis.errors import UserError
from analysis.files import limits
from analysis.files.hashes import hash_file
from analysis.ingest.campaign.check import is_labelled
from analysis.ingest.compressed import packed
from analysis.ingest.detect import format_of, read_file
from analysis.ingest.inspect_file import is_usable, placed
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import RawFile
from synthetic.emitters.rmf_xml import document
from synthetic.smf.dump import unblocked
from tests.ingest.benchmark_logs import GOLDEN
from tests.ingest.compressed.made_lzw import compressed
from tests.ingest.rmf.ddsml_more import channels
from tests.ingest.smf.made_other import client_transfer

LOG = GOLDEN / "wrk" / "latency.txt"


def in_zip(data: bytes, *more: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runs/", b"")
        archive.writestr("runs/client.txt", data)
        archive.writestr("__MACOSX/runs/._client.txt", b"x")
        for name in more:
            archive.writestr(name, data)
    return file.getvalue()


def in_tar(data: bytes, *more: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name in ("runs/client.txt", *more):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


def in_zstd(data: bytes) -> bytes:
    return bytes(pyarrow.compress(data, "zstd", asbytes=True))


PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "Zstandard": in_zstd,
    "ZIP": in_zip,
    "tar": in_tar,
    "compress": compressed,
}
EACH = pytest.mark.parametrize("name", PACKS)


@pytest.fixture
def put(tmp_path):
    def write(data: bytes) -> Path:
        path = tmp_path / "client.txt"
        path.write_bytes(data)
        return path

    return write


def test_every_packing_is_tried():
    packings = (*packed.PACKINGS, packed.TAR)
    assert set(PACKS) == {packing.name for packing in packings}


@EACH
def test_a_packed_log_reads_as_it_is(put, name):
    plain, path = read_file(LOG), put(PACKS[name](LOG.read_bytes()))
    reading = read_file(path)
    assert reading.results == plain.results
    assert (reading.format, reading.status) == (plain.format, plain.status)
    size = LOG.stat().st_size
    assert reading.details["packed"] == f"{name}, {size:,} bytes unpacked"
    assert format_of(path) == "wrk"


@EACH
def test_a_packed_rmf_report_reads_as_it_is(put, name):
    report = document(channels()).encode()
    plain = read_file(put(report), "UTC")
    reading = read_file(put(PACKS[name](report)), "UTC")
    assert reading.records == plain.records
    assert plain.tables
    for table, rows in plain.tables.items():
        assert reading.tables[table].equals(rows)


@EACH
def test_a_packed_dump_reads_as_it_is(put, name):
    start = dt.datetime(2026, 1, 12, 9)
    made = (client_transfer(start, size, "DATA") for size in range(1, 400))
    dump = unblocked(list(made))
    plain = read_file(put(dump), "UTC").tables["ftp_transfer"]
    packed_dump = read_file(put(PACKS[name](dump)), "UTC")
    assert packed_dump.tables["ftp_transfer"].equals(plain)
    assert plain.height == 399


@EACH
def test_the_hash_is_that_of_the_packed_file(put, name):
    first = put(PACKS[name](LOG.read_bytes()))
    assert hash_file(first) != hash_file(LOG)


@EACH
def test_a_packed_file_may_be_labelled_synthetic(put, name):
    assert is_labelled(put(PACKS[name](b"# SYNTHETIC\n")))


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "Zstandard"])
def test_archives_one_after_the_other_are_one(put, name):
    data = LOG.read_bytes()
    path = put(PACKS[name](data[:300]) + PACKS[name](data[300:]))
    with RawFile(path) as raw:
        assert raw.read_bytes() == data


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "Zstandard"])
def test_an_archive_that_is_cut_off(put, name):
    data = os.urandom(400_000)
    path = put(PACKS[name](data)[:-9])
    with RawFile(path) as raw:
        assert raw.unpacked is not None
        assert raw.unpacked.status == "truncated"
        got = raw.read_bytes()
        assert data.startswith(got)
    reading = read_file(path)
    told = f"{name} is cut off after {len(got):,} unpacked bytes"
    assert any(told in problem.message for problem in reading.problems)
    assert [p.offset for p in reading.problems] == [len(got)]


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "Zstandard"])
@pytest.mark.parametrize("behind", ["damaged", "other"])
def test_what_is_behind_an_archive_is_not_passed_over(put, name, behind):
    whole = PACKS[name](LOG.read_bytes())
    more = b"\1" + whole[1:] if behind == "damaged" else b"other bytes" * 9
    reading = read_file(put(whole + more))
    assert reading.status == "failed"
    assert f"{name} is damaged" in reading.problems[0].message


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_zeros_behind_an_archive_fill_its_last_block(put, name):
    data = PACKS[name](LOG.read_bytes())
    with RawFile(put(data + bytes(2**18) + data + bytes(4))) as raw:
        assert raw.unpacked is not None
        assert raw.unpacked.status == "ok"
        assert raw.read_bytes() == LOG.read_bytes() * 2


def test_a_zstandard_file_that_begins_with_a_frame_to_skip(put):
    """As pzstd writes it."""
    skipped = (0x184D2A50).to_bytes(4, "little") + (4).to_bytes(4, "little") + b"size"
    reading = read_file(put(skipped + PACKS["Zstandard"](LOG.read_bytes())))
    assert (reading.format, reading.status) == ("wrk", "ok")
    assert reading.results == read_file(LOG).results


def test_an_archive_that_takes_much_memory(put):
    """As ``xz --lzma2=dict=1536MiB`` makes one, whose header alone says so."""
    data = bytearray(lzma.compress(LOG.read_bytes()))
    data[16] = 37  # of 3 × 2^29 bytes
    data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
    path = put(bytes(data))
    with pytest.raises(UserError, match=r"128 MiB \(UNPACKING_BYTES\)") as caught:
        read_file(path)
    assert caught.value.issues[0].mend


def test_a_log_in_an_archive_that_is_cut_off_is_not_used(put):
    path = put(gzip.compress(LOG.read_bytes())[:-4])  # its length is missing
    reading = read_file(path)
    assert (reading.format, reading.status) == ("wrk", "truncated")
    assert "gzip is cut off after" in reading.reason
    assert not is_usable(reading)


def test_a_damaged_archive_fails_whatever_could_be_read(put):
    data = bytearray(gzip.compress(LOG.read_bytes()))
    data[-8] ^= 1  # of the checksum
    reading = read_file(put(bytes(data)))
    assert (reading.format, reading.status) == ("wrk", "failed")
    assert "gzip is damaged (CRC check failed" in reading.reason
    assert not is_usable(reading)
    assert placed(put(bytes(data)), reading)[0].offset == LOG.stat().st_size


def test_a_zip_archive_without_its_end(put):
    reading = read_file(put(in_zip(LOG.read_bytes())[:-30]))
    assert (reading.format, reading.status) == ("unknown", "failed")
    assert "ZIP is damaged (File is not a zip file)" in reading.reason


def test_a_zip_archive_of_an_impossible_version(put):
    data = bytearray(in_zip(LOG.read_bytes()))
    data[data.find(b"PK\x01\x02") + 6] = 200
    reading = read_file(put(bytes(data)))
    assert (reading.status, "ZIP is damaged" in reading.reason) == ("failed", True)


@pytest.mark.parametrize("name", PACKS)
def test_what_is_packed_twice_is_refused(put, name):
    with pytest.raises(UserError, match=f"gzip within {name}"):
        read_file(put(PACKS[name](gzip.compress(b"x" * 99))))


def test_of_several_files_in_a_tar_archive_none_is_read(put):
    for pack in (bytes, gzip.compress):
        with pytest.raises(UserError, match=r"2 files are in it.*client.txt.*b.txt"):
            read_file(put(pack(in_tar(LOG.read_bytes(), "b.txt"))))


def test_a_tar_archive_in_gzip_that_is_cut_off_is_not_used(put):
    reading = read_file(put(gzip.compress(in_tar(LOG.read_bytes()))[:-4]))
    assert (reading.format, reading.status) == ("wrk", "truncated")
    assert "gzip is cut off after" in reading.reason


def test_a_tar_archive_that_is_cut_off_is_not_used(put):
    reading = read_file(put(in_tar(LOG.read_bytes())[:800]))
    assert reading.status == "failed" and "tar is damaged" in reading.reason


def test_links_and_devices_of_a_tar_archive_are_no_files(put):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        link = tarfile.TarInfo("client.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(UserError, match="tar: 0 files are in it"):
        read_file(put(file.getvalue()))


def test_two_files_of_one_name_are_two(put):
    with pytest.warns(UserWarning, match="Duplicate"):
        data = in_zip(LOG.read_bytes(), "runs/client.txt")
    with pytest.raises(UserError, match="2 files are in it"):
        read_file(put(data))


def test_of_several_files_in_an_archive_none_is_read(put):
    with pytest.raises(UserError, match=r"2 files are in it.*client.txt.*b.txt"):
        read_file(put(in_zip(b"x", "b.txt")))


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "C:\\x", "a/../../x", "..\\x"])
def test_a_file_that_leads_out_of_its_archive_is_refused(put, name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"x")
    with pytest.raises(UserError, match="leads out of the archive"):
        read_file(put(file.getvalue()))


def test_an_archive_without_files(put):
    with pytest.raises(UserError, match="0 files are in it"):
        read_file(put(b"PK\x05\x06" + bytes(18)))


def test_an_archive_with_a_password(put):
    data = bytearray(in_zip(LOG.read_bytes()))
    for at in (data.find(b"PK\x01\x02"),):
        while at >= 0:
            data[at + 8] |= 1  # the flag of each entry of its directory
            at = data.find(b"PK\x01\x02", at + 1)
    with pytest.raises(UserError, match="it wants a password"):
        read_file(put(bytes(data)))


@EACH
def test_a_small_file_that_unpacks_to_much(put, name, monkeypatch):
    monkeypatch.setattr(packed, "UNPACKED_BYTES", limits.MIB // 8)
    path = put(PACKS[name](os.urandom(limits.MIB // 4)))
    with pytest.raises(UserError, match="UNPACKED_BYTES") as caught:
        read_file(path)
    assert caught.value.issues[0].mend


@pytest.mark.parametrize("name", ["bzip2", "xz", "Zstandard"])
def test_a_file_that_unpacks_to_a_thousand_times_its_size_is_refused(put, name):
    path = put(PACKS[name](bytes(30 * limits.MIB)))
    with pytest.raises(UserError, match=r"1,000 times its size \(UNPACKED_RATIO\)"):
        read_file(path)


def test_a_log_that_is_too_large_to_be_one(put, monkeypatch):
    monkeypatch.setattr("analysis.ingest.raw_file.LOG_BYTES", 100_000)
    with pytest.raises(UserError, match="LOG_BYTES"):
        read_file(put(LOG.read_bytes() + b"\n" * 100_000))


def test_a_line_that_no_tool_prints(put):
    long = b"x" * (limits.LOG_LINE_CHARACTERS + 1)
    with pytest.raises(UserError, match=r"line \d+ has more .*LOG_LINE_CHARACTERS"):
        read_file(put(LOG.read_bytes() + long + b"\n"))


def test_pipes_sockets_devices_and_folders_are_not_opened(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    found = {
        fifo: r"a named pipe",
        tmp_path / "socket": "a socket",
        Path(os.devnull): "a device",
        tmp_path: "a folder",
    }
    for path, what in found.items():
        for look in (read_file, is_labelled, format_of):
            with pytest.raises(UserError, match=what) as caught:
                look(path)
            assert caught.value.issues[0].mend


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_names_that_no_file_can_have(name):
    with pytest.raises(UserError, match="cannot be read"):
        read_file(Path(name))


def test_links_that_go_round(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(UserError, match="cannot be read"):
        read_file(tmp_path / "a")


def test_a_name_that_is_not_utf_8(tmp_path):
    path = tmp_path / os.fsdecode(b"gr\xfcn.txt")
    path.write_bytes(LOG.read_bytes())
    for form in ([], ["--json"], ["--rows"]):
        command = [
            sys.executable,
            "-m",
            "analysis",
            "inspect",
            *form,
            os.fsencode(path),
        ]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


def test_lines_that_end_in_a_carriage_return(put):
    text = LOG.read_bytes().replace(b"\r\n", b"\n")
    reading = read_file(put(text.replace(b"\n", b"\r")))
    assert reading.results == read_file(put(text)).results


def test_a_byte_order_mark(put):
    reading = read_file(put(b"\xef\xbb\xbf" + LOG.read_bytes()))
    assert (reading.format, reading.status) == ("wrk", "ok")


def test_utf_16_is_named(put):
    text = LOG.read_text(encoding="utf-8").encode("utf-16")
    assert "UTF-16 text, as of PowerShell" in read_file(put(text)).reason


@pytest.mark.parametrize(
    ("escape", "name"),
    [
        (r"\ud800", "\ufffd"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\\ud800", r"\ud800"),
        (r"\uDFFF!", "\ufffd!"),
    ],
)
def test_half_a_character_in_json_is_replaced(escape, name):
    assert json.loads(decode(f'"{escape}"'.encode())) == name
