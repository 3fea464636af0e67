"""How records lie in a dump: found from the bytes, whatever the container."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from analysis.ingest.detect import read_file
from analysis.ingest.smf import read, recognise
from analysis.ingest.smf.codepage import CodePage
from synthetic.smf.bytes_of import number
from synthetic.smf.dump import START, bare, blocked, dump_header, unblocked
from synthetic.smf.rmf import Activity, Cpu, Interval, Lpar, cpu_activity
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import messages, rows, starts

SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "smf"
WHEN = START.replace(tzinfo=None)
LARGE = cpu_activity(
    Interval(),
    Activity([Lpar("PROD", 3, [Cpu(n, 10**8, 10**8) for n in range(100)])]),
)
DATA = [connection(Connection(), nth) for nth in range(40)]
RECORDS = [dump_header(WHEN), LARGE, *DATA, dump_header(WHEN, 3)]

CONTAINERS = {
    "unblocked": unblocked(RECORDS),
    "spanned": unblocked(RECORDS, 900),
    "spanned finely": unblocked(RECORDS, 70),
    "blocked": blocked(RECORDS),
    "blocked and spanned": blocked(RECORDS, 1000),
    "extended blocks": blocked(RECORDS, 4096, extended=True),
}


@pytest.mark.parametrize("data", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.parametrize("chunk", [64 << 20, 30_011, 4_099])
def test_every_container_gives_the_same_records(read_bytes, data, chunk):
    reading = read_bytes(data, chunk=chunk)
    assert recognise(data)
    assert reading.records == {"2": 1, "3": 1, "70-1": 1, "119-2": 40}
    assert [row["connection"] for row in rows(reading, "tcp_connection")] == list(
        range(40)
    )
    assert rows(reading, "cpu_interval")[0]["online_cpus"] == 100
    assert (reading.status, reading.problems) == ("ok", [])


def test_position_is_the_byte_offset_of_the_record(read_records):
    reading = read_records(*RECORDS)
    found = [row["position"] for row in rows(reading, "tcp_connection")]
    assert found == starts(RECORDS)[2:-1]


def test_position_of_a_spanned_record_is_that_of_its_first_segment(read_bytes):
    reading = read_bytes(unblocked(RECORDS, 900))
    assert rows(reading, "cpu_interval")[0]["position"] == len(RECORDS[0])
    assert reading.details["spanned_records"] == 1


REST = len(RECORDS[0]) + len(RECORDS[1]) - 30  # behind what is left of the second


@pytest.mark.parametrize(
    ("data", "status", "reason"),
    [
        (b"", "empty", "the file is empty"),
        (bare(RECORDS), "failed", "QUOTE SITE RDW (LOCSITE RDW where z/OS sends it)"),
        (b"\x07\x89\x69\xa5" + bytes(range(200)), "failed", "AMATERSE"),
        (b"1  R M F   C P U  A C T I V I T Y\n" * 40, "failed", "text, not a binary"),
        ("SMF DUMP REPORT ".encode("cp037") * 40, "failed", "text, not a binary"),
        (bytes(range(256)), "failed", "no SMF record stands at byte offset 0"),
        (bytes(400), "failed", "no SMF record stands at byte offset 0"),
    ],
)
def test_what_is_no_dump_is_refused_with_advice(read_bytes, data, status, reason):
    reading = read_bytes(data)
    assert (reading.status, reading.tables) == (status, {})
    assert reason in reading.reason
    assert [problem.offset for problem in reading.problems] == [0]


def test_a_header_without_a_trailer_may_be_half_a_dump(read_bytes):
    assert (RECORDS[0][5], RECORDS[-1][5]) == (2, 3)
    reading = read_bytes(unblocked(RECORDS[:-1]))
    assert (reading.status, reading.cause.kind) == ("degraded", "no_trailer")
    assert read_bytes(unblocked(RECORDS[1:-1])).status == "ok"  # as after a sort


def test_the_second_half_of_a_dump_is_known_for_what_it_is(tmp_path):
    (tmp_path / "half").write_bytes(unblocked(RECORDS)[30:])
    reading = read_file(tmp_path / "half")
    assert (reading.format, reading.status) == ("unknown", "failed")
    told = f"an SMF dump whose begin is missing, with a record at byte offset {REST}"
    assert told in reading.reason


def lines(parts: Iterable[bytes], end: bytes = b"\r\n") -> bytes:
    return b"".join(part + end for part in parts)


def translated(data: bytes, page: str) -> str:
    return "".join(CodePage(page).table[byte] for byte in data)


WHOLE = unblocked(RECORDS)
SENT_AS_TEXT = {
    "CR LF": (lines(RECORDS), "each record is followed by a line end"),
    "LF": (lines(RECORDS, b"\n"), "each record is followed by a line end"),
    "one line": (lines(DATA[:1]), "each record is followed by a line end"),
    "blocks": (lines([blocked(DATA)] * 2), "each record is followed by a line end"),
    "newlines": (WHOLE.replace(b"\n", b"\r\n"), "each LF has become CR LF"),
    **{
        f"{name}, {page}": (make(translated(data, page)), "translated to ASCII")
        for page in ("1047", "037")
        for name, make, data in (
            ("ASCII", lambda text: text.encode("latin-1"), WHOLE),
            ("UTF-8", lambda text: text.encode("utf-8"), WHOLE),
            ("lines without lengths", lambda text: text.encode("latin-1"),
             lines(record[4:] for record in RECORDS)),
            ("blocks", lambda text: text.encode("latin-1"), blocked(RECORDS)),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", SENT_AS_TEXT)
def test_a_dump_that_was_sent_as_text_is_refused(tmp_path, name):
    """What is left of it cannot be trusted, even where the first records are whole."""
    data, what = SENT_AS_TEXT[name]
    path = tmp_path / "dump.smf"
    path.write_bytes(data)
    reading = read_file(path)
    assert (reading.format, reading.status, reading.tables) == ("smf", "failed", {})
    assert f"sent as text (byte offset 0): {what}" in reading.reason.replace(
        "EBCDIC was ", ""
    )
    assert "BINARY, QUOTE SITE RDW" in reading.reason


def test_line_ends_within_a_sound_dump_are_no_text(read_bytes):
    assert WHOLE.count(b"\n") >= 8  # else the test of newlines says nothing
    assert read_bytes(WHOLE).status == "ok"


def test_a_time_of_day_in_a_block_is_not_taken_for_a_date(read_bytes):
    # 09:28:43 is X'0034114C', which as a date were day 114 of 1934.
    record = connection(Connection(seconds=1723))
    reading = read_bytes(blocked([record]))
    assert reading.details["container"] == "blocked"
    assert rows(reading, "tcp_connection")[0]["position"] == 4


def test_other_formats_are_left_alone():
    assert not recognise(b"<?xml version='1.0'?><ddsml>")
    assert not recognise(b'{"sysstat": {}}')
    assert not recognise(b"")
    assert recognise(bare(RECORDS))


def test_the_format_is_detected(tmp_path):
    path = tmp_path / "any.name"
    path.write_bytes(CONTAINERS["blocked"])
    assert read_file(path).format == "smf"


def test_a_dump_of_headers_alone_is_empty(read_records):
    reading = read_records(dump_header(WHEN), dump_header(WHEN, 3))
    assert reading.status == "empty"
    assert reading.systems == []


@pytest.mark.parametrize("cut", [1, 3, 5, 17, 200])
def test_a_file_cut_inside_a_record_keeps_the_rows_before(read_bytes, cut):
    data = unblocked(DATA)
    at = starts(DATA)[30]
    reading = read_bytes(data[: at + cut])
    assert reading.status == "truncated"
    assert f"byte offset {at}" in reading.reason
    assert len(reading.tables["tcp_connection"]) == 30


def test_a_file_cut_inside_a_block_keeps_the_rows_before(read_bytes):
    data = blocked(DATA, 4000)
    reading = read_bytes(data[:6000])
    assert reading.status == "truncated"
    assert 10 < len(reading.tables["tcp_connection"]) < 20


def test_a_file_cut_between_the_records_of_a_block_is_cut(read_bytes):
    data = blocked(DATA, 4000)
    reading = read_bytes(data[: 4 + 3 * len(DATA[0])])
    assert reading.status == "truncated"
    assert "inside its block" in reading.reason
    assert len(reading.tables["tcp_connection"]) == 3


def test_a_file_cut_inside_a_spanned_record_keeps_the_rows_before(read_bytes):
    head = unblocked(DATA)
    reading = read_bytes((head + unblocked([LARGE], 900))[: len(head) + 4500])
    assert reading.status == "truncated"
    assert len(reading.tables["tcp_connection"]) == 40
    reading = read_bytes((head + unblocked([LARGE], 900))[: len(head) + 900])
    assert f"spanned record at byte offset {len(head)}" in reading.reason


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (0, "has the length 0"),
        (3, "has the length 3"),
        (60_000, "has the length 60000, which runs past the end of its file"),
        (500, "were skipped"),
    ],
)
def test_a_wrong_length_costs_one_record(read_bytes, length, told):
    data = bytearray(unblocked(DATA))
    at = starts(DATA)[20]
    data[at : at + 2] = number(length, 2)
    reading = read_bytes(bytes(data))
    found = [row["connection"] for row in rows(reading, "tcp_connection")]
    assert [n for n in range(40) if n not in found] in ([20], [20, 21], [21])
    assert reading.status == "degraded"
    assert told in messages(reading)
    assert "were skipped" in messages(reading)


def test_a_length_past_its_block_costs_the_rest_of_the_block(read_bytes):
    data = bytearray(blocked(DATA, 1200))
    data[4:6] = number(5_000, 2)
    data[4 + len(DATA[0]) : 6 + len(DATA[0])] = bytes(2)
    reading = read_bytes(bytes(data))
    assert reading.status in ("degraded", "failed")
    data = bytearray(blocked(DATA, 1200))
    at = 4 + len(DATA[0])
    data[at : at + 2] = number(5_000, 2)
    reading = read_bytes(bytes(data))
    assert f"byte offset {at} has the length 5000" in messages(reading)
    assert "end of its block" in messages(reading)
    assert len(reading.tables["tcp_connection"]) >= 38


def test_a_bad_block_word_ends_the_reading(read_bytes):
    data = bytearray(blocked(DATA, 1200))
    at = int.from_bytes(data[:2], "big")
    data[at + 2] = 0x77
    reading = read_bytes(bytes(data))
    assert reading.status == "truncated"
    assert f"at byte offset {at} is no block descriptor word" in reading.reason


def test_a_damaged_header_costs_one_record(read_bytes):
    data = bytearray(unblocked(DATA))
    at = starts(DATA)[20]
    data[at + 10] = 0xFF
    reading = read_bytes(bytes(data))
    assert f"no SMF record header stands at byte offset {at}" in messages(reading)
    assert len(reading.tables["tcp_connection"]) == 39


def test_zeros_at_the_end_are_told_of(read_bytes):
    for data in (unblocked(DATA), blocked(DATA)):
        reading = read_bytes(data + bytes(700))
        assert reading.status == "ok"
        assert f"{len(data)}" in str(reading.problems)
        assert "700 zeros" in messages(reading)


def test_a_later_segment_without_its_first_is_told_of(read_bytes):
    parts = unblocked([LARGE], 900)
    reading = read_bytes(unblocked(DATA[:3]) + parts[900:] + unblocked(DATA[3:]))
    assert "has no first one" in messages(reading)
    assert len(reading.tables["tcp_connection"]) == 40
    reading = read_bytes(unblocked(DATA[:3]) + parts[:900] + unblocked(DATA[3:]))
    assert "lacks its end" in messages(reading)
    assert len(reading.tables["tcp_connection"]) == 40


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared/samples")
@pytest.mark.parametrize(
    ("name", "records", "spanned", "system"),
    [("TESTCHL.dat", 319, 28, "MPX1"), ("TEST115.dat", 4, 0, "H019")],
)
def test_real_dumps_are_read_to_the_last_record(name, records, spanned, system):
    reading = read(SAMPLES / name)
    assert sum(reading.records.values()) == records
    assert reading.details["spanned_records"] == spanned
    assert reading.systems == [system]
    told = [problem.message for problem in reading.problems]
    assert all("are counted, not decoded: IBM MQ" in message for message in told)


@pytest.mark.parametrize("change", [b"", b"\r\n"], ids=["lost", "added"])
def test_a_record_with_bytes_lost_or_added_is_not_used(read_bytes, change):
    """As a transfer as text does it; its fields stand elsewhere from there on."""
    data = unblocked(DATA)
    at = starts(DATA)[20] + 100
    reading = read_bytes(data[:at] + change + data[at + 1 :])
    found = [row["connection"] for row in rows(reading, "tcp_connection")]
    assert [n for n in range(40) if n not in found] in ([20], [20, 21])
    assert reading.status == "degraded"
    told = f"no record follows the one at byte offset {starts(DATA)[20]}"
    assert any(told in problem.message for problem in reading.problems)
