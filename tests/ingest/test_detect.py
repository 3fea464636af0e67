"""Content, not the name, tells the format; what is unknown is described."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from analysis.ingest.detect import (
    FORMATS,
    read_file,
    timed,
)
from synthetic.emitters.rmf_xml import document
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(p for p in GOLDEN.rglob("*") if p.is_file() and p.parent.name in FORMATS)


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "client.txt"
    write_fresh(path, data)
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_every_file_has_one_format(tmp_path, path):
    if path.name.endswith(".expected.json"):
        return
    misnamed = write(tmp_path, path.read_bytes())
    assert read_file(misnamed, "UTC").format == path.parent.name


ROWS = {
    "netperf": "16384  131072 100      100     2.00     54550.29   \n16384  131072\n",
    "iperf2": "19700101000000,127.0.0.1,35164,127.0.0.1,26002,3,0.0-2.0,410936940,9\n",
}


@pytest.mark.parametrize(
    ("above", "tool"),
    [
        *((above, tool) for above in ("\n", "\n\n", "\ufeff\n") for tool in ROWS),
        ("+ netperf -P 0 -t TCP_RR\n", "netperf"),
    ],
)
def test_rows_alone_are_known_below_blank_lines_and_the_command(tmp_path, above, tool):
    """As scripts that print what they start write them."""
    reading = read_file(write(tmp_path, (above + ROWS[tool]).encode()), "UTC")
    alone = read_file(write(tmp_path, ROWS[tool].encode()), "UTC")
    assert (reading.format, reading.status) == (alone.format, alone.status)
    assert alone.format == tool and len(reading.results) == len(alone.results) > 0


@pytest.mark.parametrize("name", FORMATS)
def test_modules_keep_to_the_seam(name):
    module = FORMATS[name]
    assert name == module.FORMAT
    assert module.TITLE
    assert not module.recognise(b"")


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b"", "empty", "the file is empty"),
        (b" \n\r\n", "empty", "the file is empty"),
        (b"\x1f\x8b\x08\x00", "failed", "gzip"),
        (b"\x04\x22\x4d\x18d", "failed", "LZ4"),
        (b"Rar!\x1a\x07\x00", "failed", "RAR"),
        (b"\x50\xe0" + "INMR01".encode("cp037"), "failed", "RECEIVE it on z/OS"),
        (b"PK\x03\x04", "failed", "ZIP"),
        (b"7z\xbc\xaf\x27\x1c", "failed", "7z"),
        (b"%PDF-1.7", "failed", "PDF"),
        (b"\x07\x89\x69\xa5abc", "failed", "AMATERSE"),
        (b"\x00\x12\x00\x00\x1e\x02" + bytes(12), "failed", "a damaged SMF dump; "),
        (b"\x1e\x02" + bytes(40), "failed", "QUOTE SITE RDW"),
        (b"<!DOCTYPE html><html>404</html>", "failed", "HTML page"),
        (b"<?xml version='1.0'?><a/>", "failed", "XML of a kind"),
        (b'{"a": 1}', "failed", "JSON of a kind"),
        ("1 RMF CPU ACTIVITY\n".encode("cp037") * 9, "failed", "EBCDIC text"),
        (b"\x00\x01\x02\x03\x04\x05\x06" * 9, "failed", "binary data"),
        (b"Hello world\n", "failed", "text of a kind"),
        ("Größe der Übertragung\n".encode(), "failed", "text of a kind"),
    ],
)
def test_what_is_unknown_is_described(tmp_path, data, status, reason):
    reading = read_file(write(tmp_path, data))
    assert (reading.format, reading.status) == ("unknown", status)
    assert reason in reading.reason
    assert reading.tables == {}


def test_two_formats_in_one_file(tmp_path):
    log = (GOLDEN / "uperf" / "rr-raw.txt").read_bytes()
    reading = read_file(write(tmp_path, log + document().encode()))
    assert (reading.format, reading.status) == ("unknown", "failed")
    assert reading.reason == "looks like rmf_xml and uperf; put each in its own file"


def test_words_about_a_format_are_not_the_format(tmp_path):
    words = b"Then uperf prints: running profile:rr and name:Txn1 lines.\n"
    assert read_file(write(tmp_path, words)).format == "unknown"


@pytest.mark.parametrize(
    ("path", "zone", "what"),
    [
        ("absent.txt", None, "there is no such file"),
        (".", None, "this is a folder"),
        ("client.txt", "Mars/Base", "is not a time zone"),
        ("client.txt", "../etc", "is not a time zone"),
    ],
)
def test_paths_and_zones_that_are_wrong(tmp_path, path, zone, what):
    write(tmp_path, b"x")
    with pytest.raises(UserError, match=re.escape(what)) as caught:
        read_file(tmp_path / path, zone)
    assert caught.value.issues[0].mend


@given(st.binary(max_size=300))
def test_any_bytes_are_described(tmp_path, data):
    assert read_file(write(tmp_path, data)).reason


def test_to_tell_formats_apart_loads_no_decoder_of_records():
    """The arrays of SMF take half a second and 40 MB that logs need not spend."""
    code = (
        "import sys, analysis.ingest.verb\n"
        "from analysis.ingest.detect import recognised\n"
        "recognised(b'any text')\n"
        "print(*{m.split('.')[0] for m in sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = set(run.stdout.split())
    assert "polars" in loaded
    assert not loaded & {"numpy", "pyarrow", "duckdb", "scipy"}


def test_what_gives_rates_says_over_which_time_they_are():
    """It is the card's and the reference page's word on each of them."""
    untimed = {
        path.parent.name
        for path in GOLDEN.glob("*/*")
        if path.parent.name in FORMATS and not path.name.endswith(".expected.json")
        for row in read_file(path, "UTC").results
        if (row["rate"] or row["bytes_per_second"]) and not timed(path.parent.name)
    }
    assert untimed == set()
