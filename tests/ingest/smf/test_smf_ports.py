"""Server ports (119-7) and zERT (119-11, 119-12): the one source's layout, read."""

from __future__ import annotations

import pytest

from analysis.ingest.tables.catalog import TABLES
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_ports import (
    IPSEC,
    SSH,
    TLS,
    protected,
    server_ports,
    session,
    tcp_port,
    tls_of_connection,
    tls_of_session,
    udp_port,
    zert_detail,
    zert_summary,
)

ZONE = "America/New_York"
BEGIN = "2026-03-02T14:00:00.000000Z"


def test_each_reserved_port_is_a_row(read_records):
    made = server_ports([tcp_port(), tcp_port(1415, "CSQ2CHIN", "10.1.2.4")], [])
    first, second = rows(read_records(made, zone=ZONE), "server_port_interval")
    assert set(first) == set(TABLES["server_port_interval"])
    assert (first["transport"], first["local_port"]) == ("TCP", 1414)
    assert (first["job"], first["stack"]) == ("CSQ1CHIN", "TCPIP")
    assert (first["start_utc"], first["seconds"]) == (BEGIN, 900)
    names = (
        "connections_accepted", "binds", "rejected_busy", "rejected_syn_attack",
        "most_connections", "active_connections",
    )  # fmt: skip
    assert [first[name] for name in names] == [11, 2, 3, 4, 5, 6]
    assert (first["local_ip"], second["local_ip"]) == (None, "10.1.2.4")
    assert (first["datagrams_in"], first["bytes_in"]) == (None, None)


def test_a_port_of_udp_has_other_counts(read_records):
    (row,) = rows(read_records(server_ports([], [udp_port()])), "server_port_interval")
    names = ("datagrams_in", "datagrams_out", "bytes_in", "bytes_out")
    assert [row[name] for name in names] == [7, 8, 5_000_000_000, 9]
    assert (row["transport"], row["connections_accepted"]) == ("UDP", None)


def test_an_older_section_of_a_port_lacks_its_last_counts(read_records):
    made = server_ports([tcp_port(size=52)], [])
    (row,) = rows(read_records(made), "server_port_interval")
    assert (row["rejected_syn_attack"], row["most_connections"]) == (4, None)


@pytest.mark.parametrize(
    ("port", "told"),
    [(tcp_port(name="\x01\x02"), "has a name or an interval that is none"),
     (bytes(8) + tcp_port()[8:], "has a name or an interval that is none"),
     (b"\x7f" + tcp_port()[1:], "has a name or an interval that is none"),
     (tcp_port(size=51), "is shorter than 52 bytes")],
    ids=["no letter", "no interval", "too long", "too short"],
)  # fmt: skip
def test_a_port_that_can_be_none_gives_no_row(read_records, port, told):
    sound = server_ports([tcp_port()], [])
    reading = read_records(sound, server_ports([port], []), zone=ZONE)
    assert len(rows(reading, "server_port_interval")) == 1
    assert told in messages(reading)
    assert [problem.offset for problem in reading.problems] == [len(sound)]


def test_an_event_of_a_protected_connection(read_records):
    made = zert_detail(protected(), tls_of_connection())
    (row,) = rows(read_records(made), "zert_connection")
    assert set(row) == set(TABLES["zert_connection"])
    assert (row["event"], row["transport"], row["protection"]) == ("end", "TCP", "TLS")
    assert (row["tls_version"], row["cipher"]) == ("TLSv1.3", "1302")
    assert (row["job"], row["user"]) == ("CSQ1CHIN", "MQUSER")
    assert (row["start_utc"], row["end_utc"]) == (BEGIN, "2026-03-02T14:00:30.000000Z")
    assert (row["local_ip"], row["local_port"]) == ("10.1.2.4", 1414)
    assert (row["remote_ip"], row["remote_port"]) == ("10.1.2.3", 40_001)
    assert (row["bytes_in"], row["bytes_out"]) == (1_000, 2_000)
    assert (row["packets_in"], row["packets_out"], row["connection"]) == (30, 40, 77)


@pytest.mark.parametrize(
    ("bits", "word"),
    [(0, "none"), (SSH, "SSH"), (IPSEC, "IPSec"), (TLS | IPSEC, "TLS and IPSec")],
)
def test_what_protects_a_connection(read_records, bits, word):
    made = zert_detail(protected(event=1, protocols=bits), ssh=b"\2" + bytes(63))
    (row,) = rows(read_records(made), "zert_connection")
    assert (row["protection"], row["ssh_version"]) == (word, 2)
    assert (row["event"], row["end_utc"], row["tls_version"]) == ("begin", None, None)


def test_addresses_of_ipv6_have_sixteen_bytes(read_records):
    made = zert_detail(protected(remote="2001:db8::7", own="2001:db8::8"))
    (row,) = rows(read_records(made), "zert_connection")
    assert (row["remote_ip"], row["local_ip"]) == ("2001:db8::7", "2001:db8::8")


@pytest.mark.parametrize("event", [5, 6])
def test_that_zert_was_started_gives_no_row(read_records, event):
    first = zert_detail(protected())
    reading = read_records(first, zert_detail(protected(event)))
    assert len(rows(reading, "zert_connection")) == 1
    assert reading.problems[0].offset == len(first)
    told = f"the 119-11 record at byte offset {len(first)} says that zERT was started"
    assert messages(reading).startswith(told)


@pytest.mark.parametrize(
    "odd",
    [protected(protocols=0x0F), protected(transport=99), protected(job="\x01"),
     protected()[:36] + bytes(4) + protected()[40:]],
    ids=["protocol", "transport", "name", "date"],
)  # fmt: skip
def test_a_connection_that_can_be_none_gives_no_row(read_records, odd):
    reading = read_records(zert_detail(odd))
    assert (reading.status, reading.tables) == ("degraded", {})
    assert "has a protocol, a name or a time that is none" in messages(reading)


def test_counts_of_an_interval_are_those_since_it_began(read_records):
    made = zert_summary(session(), tls_of_session())
    (row,) = rows(read_records(made, zone=ZONE), "zert_interval")
    assert set(row) == set(TABLES["zert_interval"])
    assert (row["session"], row["role"]) == ("T-0123456789ABCDEF", "server")
    assert (row["tls_version"], row["cipher"]) == ("TLSv1.2", "C02F")
    assert (row["start_utc"], row["seconds"]) == (BEGIN, 900)
    assert (row["server_ip"], row["client_ip"]) == ("10.1.2.4", "10.1.2.3")
    assert (row["server_port"], row["last_server_port"]) == (1414, 1415)
    names = ("connections", "partial_connections", "short_connections")
    assert [row[name] for name in names] == [5, 0, 2]
    assert (row["active_connections"], row["bytes_in"], row["bytes_out"]) == (
        8, 1_000, 2_000,
    )  # fmt: skip
    assert (row["packets_in"], row["packets_out"]) == (60, 60)


def test_a_client_of_a_session(read_records):
    (row,) = rows(read_records(zert_summary(session(flags=0x20))), "zert_interval")
    assert (row["role"], row["tls_version"]) == ("client", None)


@pytest.mark.parametrize(
    "odd",
    [
        session(protocols=0x11),
        session(job="\x01\x02"),
        session(ended=(15, 1, 4, 1_100, 199, 90, 100)),
    ],
    ids=["protocol", "name", "bytes"],
)
def test_a_session_that_can_be_none_gives_no_row(read_records, odd):
    reading = read_records(zert_summary(odd))
    assert (reading.status, reading.tables) == ("degraded", {})
    assert "119-12 record at byte offset 0" in messages(reading)
