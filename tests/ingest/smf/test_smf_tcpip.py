"""Type 119: closed UDP sockets, profiles of a stack, names of transferred files."""

from __future__ import annotations

import pytest

from synthetic.smf.bytes_of import number, text
from synthetic.smf.dump import START, local, record
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection, identification
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_other import client_transfer, server_transfer
from tests.ingest.smf.made_tcpip import (
    GLOBAL,
    IPV4,
    TCP,
    UDP,
    Socket,
    ipv4,
    profile,
    socket,
    stack,
    udp,
)

WHEN = local(START)
KNOWN = address_space(Space())  # tells the offset from UTC
SETTINGS = {IPV4: [ipv4(0x4100_0000)], UDP: [udp(0xC0)], GLOBAL: [stack(0x4180)]}
# Written by hand from the documented offsets: header, two triplets, sections.
BY_HAND = bytes.fromhex(
    "00d4000052770038 9a60 0126061f e2e8e2c1 40404040 000a 0002 0000"
    "0000002c 0040 0001 0000006c 0068 0001"
    "e2e8e2c140404040 4040404040404040 e3c3d7c9d7404040" + "00" * 36 + "08000000"
    "c4d5e2e2d9e54040 0000004d 00000000 00389278 0126061f 00389660 0126061f"
    "00000000000000000000ffff 0a010203 20010db8000000000000000000000001"
    "9c41 0035 02 01 0000"
    "0000000000000003 000000012a05f200 0000000000000099 0000001cbe991a14"
)

# The same of a connection: 216 bytes of its section behind the one of the stack.
ENDED_BY_HAND = bytes.fromhex(
    "0144000052770038 9a60 0126061f e2e8e2c1 40404040 0002 0002 0000"
    "0000002c 0040 0001 0000006c 00d8 0001"
    "e2e8e2c140404040 4040404040404040 e3c3d7c9d7404040" + "00" * 36 + "08000000"
    "c4d5e2e2d9e54040 0000004e 03 05 52 01 00000000"
    "00389278 0126061f 00389660 0126061f"
    "00000000000000000000ffff 0a010203 00000000000000000000ffff 0a010204"
    "9c41 1389 000000000000000a 000000000000000b"
    "0000fa00 0000ff00 0000ea60 000005a0 00000003 00000002 01 00 0007"
    + "40" * 64
    + "0000000000000063 0000000000000064 0000000000000000 0000000000000000 00000009"
)


def test_a_connection_written_by_hand(read_records):
    (row,) = rows(read_records(ENDED_BY_HAND, zone="UTC"), "tcp_connection")
    assert (row["job"], row["connection"], row["role"]) == ("DNSSRV", 78, "client")
    assert (row["cause"], row["tls"]) == ("closed by the application", "secure")
    assert (row["smc_status"], row["segment_bytes"]) == (1, 1_440)
    windows = ("send_window_bytes", "most_send_window_bytes", "congestion_window_bytes")
    assert [row[name] for name in windows] == [64_000, 65_280, 60_000]
    assert (row["rtt_ms"], row["rtt_deviation_ms"]) == (3, 2)
    assert (row["retransmits"], row["duplicate_acks_in"]) == (7, 9)
    assert (row["segments_in"], row["segments_out"]) == (99, 100)


def test_a_cause_that_is_not_known_is_its_code(read_records):
    code = ENDED_BY_HAND.index(bytes.fromhex("030552")) + 2
    made = [
        ENDED_BY_HAND[:code] + bytes([end]) + ENDED_BY_HAND[code + 1 :]
        for end in (0, 0x41, 0x61)
    ]
    read = rows(read_records(*made, zone="UTC"), "tcp_connection")
    assert [row["cause"] for row in read] == [None, "dropped by an operator", "X'61'"]


def test_a_connection_of_an_older_release_has_no_false_zeros(read_records):
    made = connection(Connection(), size=212)
    (row,) = rows(read_records(made), "tcp_connection")
    assert (row["segment_bytes"], row["duplicate_acks_in"]) == (0, None)
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"


def test_a_socket_written_by_hand(read_records):
    (row,) = rows(read_records(BY_HAND, zone="UTC"), "udp_socket")
    assert row["start_utc"] == "2026-03-02T10:17:55.120000Z"
    assert row["end_utc"] == "2026-03-02T10:18:05.120000Z"
    assert (row["system"], row["stack"], row["job"]) == ("SYSA", "TCPIP", "DNSSRV")
    assert (row["connection"], row["position"]) == (77, 0)
    assert (row["remote_ip"], row["remote_port"]) == ("10.1.2.3", 40_001)
    assert (row["local_ip"], row["local_port"]) == ("2001:db8::1", 53)
    assert (row["datagrams_in"], row["datagrams_out"]) == (3, 5_000_000_000)
    assert (row["bytes_in"], row["bytes_out"]) == (153, 123_456_789_012)
    assert (row["kind"], row["closed"]) == ("enterprise extender", "normal")


def test_times_of_a_socket_are_local(read_records):
    record = socket(Socket(reason=2))
    (row,) = rows(read_records(KNOWN, record), "udp_socket")
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert row["end_utc"] == "2026-03-02T14:00:12.500000Z"
    assert (row["kind"], row["closed"]) == ("standard", "abnormal")
    reading = read_records(record)
    assert rows(reading, "udp_socket")[0]["start_utc"] is None
    assert reading.status == "degraded"


def test_a_socket_that_heard_nothing_has_no_partner(read_records):
    silent = Socket(remote="::", ports=(0, 53), datagrams=(0, 1), octets=(0, 9))
    (row,) = rows(read_records(KNOWN, socket(silent)), "udp_socket")
    assert (row["remote_ip"], row["remote_port"]) == (None, None)
    assert (row["datagrams_in"], row["bytes_in"], row["bytes_out"]) == (0, 0, 9)


def test_a_short_socket_section_has_no_false_zeros(read_records):
    (row,) = rows(read_records(KNOWN, socket(Socket(), size=88)), "udp_socket")
    assert (row["datagrams_out"], row["bytes_in"]) == (5_000_000_000, None)


def test_values_that_are_not_documented_are_null(read_records):
    record = socket(Socket(kind=9, reason=0, octets=(0, 2**63 - 1)))
    (row,) = rows(read_records(KNOWN, record), "udp_socket")
    assert (row["kind"], row["closed"]) == (None, None)
    assert (row["bytes_in"], row["bytes_out"]) == (0, 2**63 - 1)


def test_settings_of_a_profile(read_records):
    reading = read_records(KNOWN, profile(WHEN, SETTINGS))
    found = rows(reading, "tcpip_profile")
    on = {row["parameter"] for row in found if row["value"] == 1 and not row["unit"]}
    assert on == {
        "DATAGRAMFWD",
        "IPSECURITY",
        "RESTRICTLOWPORTS",
        "UDPCHKSUM",
        "IQDMULTIWRITE",
        "SMCR",
        "SMCD",
    }
    values = {
        (row["statement"], row["parameter"]): (row["value"], row["unit"])
        for row in found
        if row["unit"]
    }
    assert values == {
        ("IPCONFIG", "ARPTO"): (1200, "s"),
        ("IPCONFIG", "DEVRETRYDURATION"): (15, "s"),
        ("UDPCONFIG", "UDPRCVBUFRSIZE"): (65_535, "byte"),
        ("UDPCONFIG", "UDPSENDBFRSIZE"): (65_535, "byte"),
        ("GLOBALCONFIG", "SYSPLEXWLMPOLL"): (60, "s"),
    }
    assert {row["start_utc"] for row in found} == {"2026-03-02T14:00:00.000000Z"}
    assert {row["stack"] for row in found} == {"TCPIP"}
    assert reading.status == "ok"


@pytest.mark.parametrize(
    ("flag", "parameter"),
    [
        (0x8000, "EXPLICITBINDPORTRANGE"),
        (0x4000, "IQDMULTIWRITE"),
        (0x0800, "TCPIPSTATISTICS"),
        (0x0400, "ZIIP"),
        (0x0200, "WLMPRIORITYQ"),
        (0x0100, "SMCR"),
        (0x0080, "SMCD"),
        (0x0040, "ZERT"),
        (0x203F, None),  # bits that are reserved or not read
    ],
)
def test_each_switch_has_its_bit(read_records, flag, parameter):
    reading = read_records(KNOWN, profile(WHEN, {GLOBAL: [stack(flag)]}))
    on = [
        row["parameter"] for row in rows(reading, "tcpip_profile") if row["value"] == 1
    ]
    assert on == ([parameter] if parameter else [])


def test_a_change_gives_the_settings_of_its_sections_only(read_records):
    reading = read_records(KNOWN, profile(WHEN, {UDP: [udp(0)]}))
    found = rows(reading, "tcpip_profile")
    assert {row["statement"] for row in found} == {"UDPCONFIG"}


def test_a_short_profile_section_lacks_what_lies_behind_it(read_records):
    reading = read_records(KNOWN, profile(WHEN, {GLOBAL: [stack(0x80, size=10)]}))
    found = {row["parameter"]: row["value"] for row in rows(reading, "tcpip_profile")}
    assert (found["SMCD"], found["SMCR"]) == (1, 0)
    assert "SYSPLEXWLMPOLL" not in found


def test_a_profile_of_other_parts_says_so(read_records):
    reading = read_records(KNOWN, profile(WHEN, {TCP: [text("TCCF", 60)]}))
    assert "tcpip_profile" not in reading.tables
    assert "1 records 119-4 are of other parts of the profile" in messages(reading)
    assert reading.problems[0].offset == len(KNOWN)


def test_triplets_that_a_record_does_not_have_are_not_read(read_records):
    sections = {IPV4: [ipv4(0)], GLOBAL: [stack(0x0180)]}
    record = bytearray(profile(WHEN, sections))
    record[24:26] = number(5, 2)  # up to the IPv4 configuration
    found = rows(read_records(KNOWN, bytes(record)), "tcpip_profile")
    assert {row["statement"] for row in found} == {"IPCONFIG"}


def test_a_section_of_another_kind_is_not_read(read_records):
    strange = profile(WHEN, {UDP: [udp(0)], GLOBAL: [text("TCCF", 172)]})
    reading = read_records(KNOWN, strange)
    found = rows(reading, "tcpip_profile")
    assert {row["statement"] for row in found} == {"UDPCONFIG"}
    assert "begins with 'TCCF', not with 'GBCF'; it was not read" in messages(reading)
    assert reading.status == "degraded"


def test_a_server_names_its_file_and_not_its_host(read_records):
    reading = read_records(KNOWN, server_transfer(WHEN, 7))
    (row,) = rows(reading, "ftp_transfer")
    assert (row["role"], row["file"]) == ("server", "USER.DATA.SET")


def test_a_server_names_its_file_where_its_host_is_not_known(read_records):
    names = ("", "/u/user/old name.txt", "/u/user/new.txt")
    reading = read_records(KNOWN, server_transfer(WHEN, 7, names))
    assert rows(reading, "ftp_transfer")[0]["file"] == "/u/user/old name.txt"


def test_a_server_that_names_no_file_has_none(read_records):
    reading = read_records(KNOWN, server_transfer(WHEN, 7, ("HOST",)))
    assert rows(reading, "ftp_transfer")[0]["file"] is None


@pytest.mark.parametrize(
    ("name", "kind", "member", "file"),
    [
        ("USER.JCL", "P", "COPY", "USER.JCL(COPY)"),
        ("USER.JCL(COPY)", "P", "COPY", "USER.JCL(COPY)"),
        ("USER.JCL", "P", "", "USER.JCL"),
        ("USER.DATA", "S", "COPY", "USER.DATA"),
        ("/u/user/a", "H", "", "/u/user/a"),
    ],
)
def test_a_member_is_part_of_the_name(read_records, name, kind, member, file):
    reading = read_records(
        KNOWN,
        client_transfer(WHEN, 1, name, kind, member),
        server_transfer(WHEN, 1, ("", name), kind, member),
    )
    assert [row["file"] for row in rows(reading, "ftp_transfer")] == [file, file]


@pytest.mark.parametrize("subtype", [3, 70])
def test_more_load_modules_of_a_transfer_are_no_transfer(read_records, subtype):
    whole = {3: client_transfer(WHEN, 1, "A"), 70: server_transfer(WHEN, 1)}[subtype]
    sections = {28: [identification()], 76: [text("MODULE1", 8), text("MODULE2", 8)]}
    reading = read_records(KNOWN, whole, record(119, subtype, WHEN, sections))
    assert len(rows(reading, "ftp_transfer")) == 1
    assert (reading.status, reading.problems) == ("ok", [])


def test_a_transfer_without_its_section_is_told_of(read_records):
    sections = {28: [identification()], 76: []}
    reading = read_records(KNOWN, record(119, 70, WHEN, sections))
    assert "no row could be made of it" in messages(reading)


def test_a_profile_of_other_parts_is_no_damage(read_records):
    reading = read_records(KNOWN, profile(WHEN, {TCP: [text("TCCF", 60)]}))
    assert reading.status == "ok"
