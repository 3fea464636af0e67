"""What ``inspect`` says of dumps, sound and bad, and with which exit code."""

from __future__ import annotations

import hashlib
import json

import pytest

from analysis.cli import main
from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import START, bare, dump_header, local, record, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.test_smf_damage import RECORDS

WHEN = local(START)
DATA = [connection(Connection(), nth) for nth in range(3)]
WHOLE = unblocked(DATA)
LENGTH = len(DATA[0])


def with_length(value: int) -> bytes:
    """The dump with another length in its second descriptor word."""
    return WHOLE[:LENGTH] + number(value, 2) + WHOLE[LENGTH + 2 :]


BAD_TRIPLET = DATA[0][:36] + number(9999, 4) + DATA[0][40:]
BAD = {
    "cut": (WHOLE[:-5], 0, "truncated", f"byte offset {2 * LENGTH}"),
    "no length": (with_length(0), 0, "degraded", f"{LENGTH} has the length 0"),
    "past the end": (with_length(60_000), 0, "degraded", "runs past the end"),
    "triplet": (WHOLE + BAD_TRIPLET, 0, "degraded", "points past its record"),
    "twice": (WHOLE + WHOLE, 0, "ok", "3 duplicate records were dropped"),
    "zeros": (WHOLE + bytes(90), 0, "ok", "ends with 90 zeros"),
    "empty": (b"", 2, "empty", "the file is empty"),
    "bare": (bare(DATA), 2, "failed", "QUOTE SITE RDW"),
    "tersed": (b"\x07\x89\x69\xa5" + bytes(range(200)), 2, "failed", "AMATERSE"),
    "headers": (unblocked([dump_header(WHEN)]), 2, "empty", "no record but"),
    "others": (record(99, 6, WHEN, {28: [b"x"]}), 2, "degraded", "99-6 (1)"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_its_own_message_and_exit_code(tmp_path, capsys, name):
    data, code, status, told = BAD[name]
    path = tmp_path / "dump.smf"
    path.write_bytes(data)
    assert main(["inspect", str(path), "--json"]) == code
    about = json.loads(capsys.readouterr().out)
    assert about["status"] == status
    said = about["reason"] + json.dumps(about["problems"])
    assert told in said
    assert bool(about["rows"]) == (code == 0)


def test_text_in_a_file_called_smf_is_no_dump(tmp_path, capsys):
    path = tmp_path / "dump.smf"
    path.write_bytes("IFASMFDP  DATE 26.061  ".encode("cp037") * 40)
    assert main(["inspect", str(path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["status"] == "failed"


def test_rows_are_those_of_the_tables(tmp_path, capsys):
    path = tmp_path / "dump.smf"
    path.write_bytes(unblocked(RECORDS))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert main(["inspect", str(path), "--rows"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    seen = {line["table"] for line in lines}
    assert seen >= {"cpu_interval", "class_interval", "tcp_connection", "ftp_transfer"}
    for line in lines:
        assert list(line) == ["table", *TABLES[line["table"]]]
        assert line["source"] == digest
        assert 0 <= line["position"] < path.stat().st_size


def test_what_is_not_decoded_is_said(tmp_path, capsys):
    path = tmp_path / "dump.smf"
    kinds = ((119, 41), (119, 44), (111, 1), (30, 1), (113, 2))
    others = [record(kind, sub, WHEN, {28: [bytes(40)]}) for kind, sub in kinds]
    path.write_bytes(unblocked([*DATA, *others]))
    assert main(["inspect", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for kind, sub in kinds:
        assert f"1 records {kind}-{sub} are counted, not decoded" in said
    assert "no named public source that could be had" in said
