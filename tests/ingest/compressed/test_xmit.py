"""Files of TRANSMIT, laid out by hand: records come out, of damaged ones none."""

from __future__ import annotations

import struct

import pytest

from analysis.ingest.compressed.xmit import DamagedXmitError, transmitted, unpack
from analysis.ingest.detect import read_file
from synthetic.smf.dump import START, dump_header, local, unblocked
from synthetic.smf.tcpip import Connection, connection

VARIABLE, FIXED = 0x4000, 0x9000
DUMP = [
    dump_header(local(START)),
    *(connection(Connection(bytes_in=nth), nth) for nth in range(9)),
]


def segments(record: bytes, control: bool = False) -> bytes:
    parts = [record[at : at + 253] for at in range(0, len(record), 253)] or [b""]
    made = b""
    for nth, part in enumerate(parts):
        flags = 0x80 * (nth == 0) | 0x40 * (nth == len(parts) - 1) | 0x20 * control
        made += bytes([len(part) + 2, flags]) + part
    return made


def unit(key: int, *values: bytes) -> bytes:
    texts = b"".join(struct.pack(">H", len(value)) + value for value in values)
    return struct.pack(">HH", key, len(values)) + texts


def control(name: str, *units: bytes, number: bytes = b"") -> bytes:
    return segments(name.encode("cp037") + number + b"".join(units), control=True)


def about(utility: str = "INMCOPY", form: int = VARIABLE) -> bytes:
    return control(
        "INMR02",
        unit(0x1028, utility.encode("cp037")),
        unit(0x0002, b"PERF1".decode().encode("cp037"), b"\xe2\xd4\xc6"),
        unit(0x0049, struct.pack(">H", form)),
        number=bytes(3) + b"\1",
    )


def sent(records: list[bytes], *descriptions: bytes, end: bool = True) -> bytes:
    head = control("INMR01", unit(0x1011, b"\xe2\xe8\xe2\xc1"))
    body = b"".join(map(segments, records))
    last = control("INMR06") if end else b""
    whole = head + b"".join(descriptions or [about()]) + control("INMR03") + body + last
    return whole + bytes(-len(whole) % 80)  # fills the last of the card images


def test_a_dump_is_read_as_if_it_had_not_been_transmitted(tmp_path):
    (tmp_path / "a.smf").write_bytes(unblocked(DUMP))
    data = sent([record[4:] for record in DUMP])
    assert transmitted(data)
    (tmp_path / "a.xmi").write_bytes(data)
    plain, packed = (read_file(tmp_path / name) for name in ("a.smf", "a.xmi"))
    assert packed.tables["tcp_connection"].equals(plain.tables["tcp_connection"])
    assert packed.details["packed"].startswith("TRANSMIT, ")


def test_records_of_one_length_come_out_as_they_are():
    cards = [bytes([n]) * 80 for n in range(7)]
    assert unpack(sent(cards, about(form=FIXED))) == b"".join(cards)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (sent([b"a" * 600], end=False).rstrip(b"\0"), "INMR06, is not there"),
        (sent([b"a" * 600])[:400], "has no end"),
        (sent([b"a"], about("IEBCOPY"), about()), "unloaded by 'IEBCOPY'"),
        (sent([b"a"], about(), about()), "unloaded by 'INMCOPY'"),
        (control("INMR01") + b"\x05\x40abc", "byte offset 8 begins no record"),
        (control("INMR01") + b"\x05\x80abc" * 2, "offset 13 begins a record within"),
    ],
)
def test_what_is_damaged_or_no_sequential_data_set_is_told(tmp_path, data, said):
    with pytest.raises(DamagedXmitError, match=said):
        unpack(data)
    (tmp_path / "a.xmi").write_bytes(data)
    reading = read_file(tmp_path / "a.xmi")
    assert (reading.format, reading.status) == ("unknown", "failed")
    assert said in reading.reason and "RECEIVE it on z/OS" in reading.reason


def test_a_value_that_is_cut_off_is_no_error_of_the_program():
    short = control("INMR02", struct.pack(">HHH", 0x1028, 9, 5), number=bytes(4))
    with pytest.raises(DamagedXmitError, match="unloaded by ''"):
        unpack(control("INMR01") + short)
