"""Types 30, 73, 74, 113 and 119: fields, units and their edges."""

from __future__ import annotations

import datetime as dt

import pytest

from synthetic.smf.counters import counter_record as counters
from synthetic.smf.dump import START, local
from synthetic.smf.rmf import Device, Interval, devices
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection, interfaces, statistics
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_other import (
    client_transfer,
    ports,
    server_transfer,
    terminal_session,
    terminal_session_begin,
)
from tests.ingest.smf.made_rmf import Channel, Function, channels, functions

INTERVAL = Interval()
END = local(INTERVAL.end)
JOB_STARTED = 56  # behind the name: time and date at which it was selected
KNOWN = address_space(Space())  # tells the offset from UTC


def test_classes_and_blocks_of_an_address_space(read_records):
    """More blocks than four bytes count are those of the longer field."""
    space = Space(classes=("STCHIGH", "RNET"), blocks=2**32 + 7)
    (row,) = rows(read_records(address_space(space)), "address_space_interval")
    assert (row["service_class"], row["report_class"]) == ("STCHIGH", "RNET")
    assert row["blocks"] == 2**32 + 7
    (row,) = rows(read_records(address_space(Space())), "address_space_interval")
    assert (row["service_class"], row["blocks"]) == ("", None)


def test_address_space_time_is_the_sum_of_its_parts(read_records):
    space = Space(
        cpt=1000, cps=500, icu=1, isb=2, iip=30, rct=4, hpt=5, ziip=70, ziip_on_cp=80
    )
    (row,) = rows(read_records(address_space(space)), "address_space_interval")
    assert row["cp_seconds"] == pytest.approx(15.42)
    assert row["ziip_seconds"] == pytest.approx(0.7)
    assert row["ziip_on_cp_seconds"] == pytest.approx(0.8)
    assert row["normalisation"] == 1.25
    assert (row["job"], row["seconds"], row["asid"]) == ("TCPIP", 900, 77)
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"


@pytest.mark.parametrize(
    ("subtype", "table", "kind"),
    [
        (2, "address_space_interval", "interval"),
        (3, "address_space_interval", "last interval"),
        (4, "address_space_total", "step total"),
        (5, "address_space_total", "job end"),
        (6, "address_space_total", "since start"),
    ],
)
def test_totals_are_apart_from_intervals(read_records, subtype, table, kind):
    reading = read_records(KNOWN, address_space(Space(subtype=subtype, job="X")))
    (row,) = (row for row in rows(reading, table) if row["job"] == "X")
    assert (row["kind"], row["seconds"]) == (kind, 900)
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"


def test_an_old_processor_section_has_no_ziip_time(read_records):
    record = address_space(Space(cpt=1000, ziip=5), processor=100)
    (row,) = rows(read_records(record), "address_space_interval")
    assert (row["cp_seconds"], row["ziip_seconds"]) == (10, None)


def test_system_spaces_have_totals_that_grow(read_records):
    spaces = (Space(job="XCFAS", subtype=6, cpt=cpt) for cpt in (100, 250))
    found = rows(read_records(*map(address_space, spaces)), "address_space_total")
    assert [row["cp_seconds"] for row in found] == [1.0, 2.5]


def test_a_system_space_that_does_not_say_when_it_began(read_records):
    record = bytearray(address_space(Space(job="XCFAS", subtype=6, cpt=100)))
    at = record.index("XCFAS".encode("cp037")) + JOB_STARTED
    record[at : at + 8] = bytes(8)
    reading = read_records(KNOWN, bytes(record))
    (row,) = rows(reading, "address_space_total")
    assert (row["start_utc"], row["seconds"], row["cp_seconds"]) == (None, None, 1.0)
    assert reading.status == "ok"


def test_starts_are_counted_only(read_records):
    reading = read_records(KNOWN, address_space(Space(subtype=1)))
    assert reading.records["30-1"] == 1
    assert "30-1 are counted, not decoded" in messages(reading)


def test_channels_have_their_kind_and_share(read_records):
    record = channels(INTERVAL, [Channel(0x1C, 500, 1000), Channel(0xF0, 0, 0, "IQD")])
    found = rows(read_records(record), "channel_interval")
    assert [(row["channel"], row["kind"]) for row in found] == [
        ("1C", "OSD"),
        ("F0", "IQD"),
    ]
    assert [row["partition_busy_pct"] for row in found] == [50, None]


def test_devices_have_the_mean_times_of_their_requests(read_records):
    record = devices(INTERVAL, [Device(0x0A01, 100, 1000, 500, 250)])
    (row,) = rows(read_records(record), "device_interval")
    assert (row["device"], row["volume"], row["requests"]) == ("0A01", "VOL001", 100)
    assert row["connect_ms"] == pytest.approx(10 * 0.128)
    assert row["pending_ms"] == pytest.approx(5 * 0.128)
    assert row["disconnect_ms"] == pytest.approx(2.5 * 0.128)


def test_bytes_of_a_function_without_valid_data_for_a_while_are_null(read_records):
    record = bytearray(functions(INTERVAL, [Function(0x21, 0, (111, 222))]))
    at = int.from_bytes(record[36:40], "big") + 8
    record[at : at + 4] = (2500).to_bytes(4, "big")
    reading = read_records(bytes(record))
    (row,) = rows(reading, "pcie_interval")
    assert (row["bytes_in"], row["bytes_out"], row["counts"]) == (None, None, "dma")
    assert "no valid data of function 00000021 for 2.5 s" in messages(reading)
    assert reading.status == "degraded"


def test_flags_of_timers_that_are_used_hide_no_time(read_records):
    record = address_space(Space(cpt=151, cps=4, flags=0x8000))
    reading = read_records(record)
    (row,) = rows(reading, "address_space_interval")
    assert (row["cp_seconds"], reading.status) == (1.55, "ok")


def test_an_invalid_timer_is_told_of_with_its_name(read_records):
    reading = read_records(KNOWN, address_space(Space(job="X", cpt=9, flags=0xA000)))
    (row,) = (r for r in rows(reading, "address_space_interval") if r["job"] == "X")
    assert row["cp_seconds"] is None
    (problem,) = reading.problems
    assert problem.offset == len(KNOWN)
    assert problem.message == (
        f"the record at byte offset {len(KNOWN)} says that SMF30CPS is invalid "
        "(SMF30TFL bit 2): cp_seconds null"
    )


@pytest.mark.parametrize(
    ("bits", "boost", "of"),
    [
        (0x81, "zIIP boost", "IPL"), (0x43, "speed boost", "recovery process"),
        (0xC2, "speed and zIIP boost", "shutdown"), (0x80, "zIIP boost", None),
        (0x01, None, None),
    ],
)  # fmt: skip
def test_a_boost_of_an_address_space_is_told(read_records, bits, boost, of):
    reading = read_records(address_space(Space(boost=bits)))
    (row,) = rows(reading, "address_space_interval")
    assert (row["boost"], row["boost_class"]) == (boost, of)


def test_pcie_functions_find_their_counts(read_records):
    each = [(0x21, 0, (111, 222)), (0x22, 1, (333, 444)), (5, 9, (1, 2))]
    record = functions(INTERVAL, [Function(*it) for it in each])
    found = rows(read_records(record), "pcie_interval")
    assert [row["function"] for row in found] == ["00000021", "00000022", "00000005"]
    assert [row["counts"] for row in found] == ["dma", "ethernet", None]
    assert [row["bytes_in"] for row in found] == [111, 333, None]
    assert [row["packets_out"] for row in found] == [None, 9, None]


def test_counters_are_taken_from_the_basic_set(read_records):
    reading = read_records(counters(3, 5 * 10**12, 2 * 10**12), counters(4, 7, 8))
    found = rows(reading, "counter_interval")
    assert [row["cpu"] for row in found] == [3, 4]
    assert [row["cycles"] for row in found] == [5 * 10**12, 7]
    assert [row["instructions"] for row in found] == [2 * 10**12, 8]
    assert (found[0]["seconds"], found[0]["cycles_per_us"]) == (900, 5200)


def extended(numbers: dict[int, int], last: int = 287) -> list[int]:
    return [numbers.get(number, 0) for number in range(128, last + 1)]


Z13 = {133: 500, 162: 100, 146: 40, 157: 20, 175: 10, 179: 30, 140: 9_999}
"""L1D from L2; L1I from L3; on node; off drawer, twice; memory; no cache at all."""


def test_extended_counters_tell_where_misses_were_served(read_records):
    record = counters(
        3, 30_000, 10_000, 0, (300, 7_000, 500, 2_000), "2964", extended(Z13)
    )
    reading = read_records(record)
    (row,) = rows(reading, "counter_interval")
    assert not reading.problems
    assert (row["l1_misses"], row["l1_penalty_cycles"]) == (800, 9_000)
    assert (row["cycles_per_instruction"], row["l1_miss_pct"]) == (3, 8)
    shares = [
        row[f"{level}_pct"] for level in ("l2", "l3", "l4_local", "l4_remote", "memory")
    ]
    assert shares == [62.5, 12.5, 5, 3.75, 3.75]
    nest = 2.6 * (0.4 * 12.5 + 1.6 * 5 + 3.5 * 3.75 + 7.5 * 3.75) / 100
    assert row["nest_intensity"] == pytest.approx(nest)


@pytest.mark.parametrize(
    ("machine", "number", "level"),
    [
        ("3906", 145, "memory"), ("3907", 158, "l4_local"), ("8561", 175, "l4_remote"),
        ("3931", 183, "memory"), ("3931", 165, "l4_local"), ("9175", 179, "l4_remote"),
        ("9175", 170, "l2"), ("9176", 147, "l3"),
    ],
)  # fmt: skip
def test_each_machine_has_counters_of_its_own(read_records, machine, number, level):
    counts = extended({number: 5})
    record = counters(3, 90, 30, 0, (6, 0, 4, 0), machine, counts)
    (row,) = rows(read_records(record), "counter_interval")
    others = {"l2", "l3", "l4_local", "l4_remote", "memory"} - {level}
    assert row[f"{level}_pct"] == 50 and not any(row[f"{o}_pct"] for o in others)
    assert row["nest_intensity"] is None


@pytest.mark.parametrize(
    ("machine", "counts"), [("9999", extended({})), ("9175", extended({}, 178))]
)
def test_unknown_or_missing_counters_give_no_share(read_records, machine, counts):
    record = counters(3, 90, 30, 0, (6, 0, 4, 0), machine, counts)
    reading = read_records(record, record[:92] + b"\1" + record[93:])
    row, _ = rows(reading, "counter_interval")
    assert (row["cycles_per_instruction"], row["l2_pct"], row["memory_pct"]) == (
        3, None, None,
    )  # fmt: skip
    assert reading.status == "ok"
    told = [p.message for p in reading.problems if "machine type" in p.message]
    assert [message[:10] for message in told] == ["2 counter "] * (machine == "9999")


def test_a_connection_has_ends_times_and_counts(read_records):
    (row,) = rows(read_records(connection(Connection(), 77)), "tcp_connection")
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert row["end_utc"] == "2026-03-02T14:00:12.500000Z"
    assert (row["local_ip"], row["local_port"]) == ("10.1.2.4", 5001)
    assert (row["remote_ip"], row["remote_port"]) == ("10.1.2.3", 40001)
    assert (row["bytes_in"], row["bytes_out"]) == (123_456_789_012, 9_876)
    assert (row["segments_in"], row["segments_out"]) == (85_000_000, 42_000_000)
    assert (row["retransmits"], row["role"], row["job"]) == (3, "server", "IPERFS")


def test_addresses_of_both_kinds(read_records):
    reading = read_records(
        connection(Connection(remote="2001:db8::1", active=True)),
        connection(Connection(remote="192.0.2.1")),
    )
    found = rows(reading, "tcp_connection")
    assert [row["remote_ip"] for row in found] == ["2001:db8::1", "192.0.2.1"]
    assert [row["role"] for row in found] == ["client", "server"]


def test_a_short_connection_section_takes_its_local_times(read_records):
    reading = read_records(KNOWN, connection(Connection(), size=180))
    (row,) = rows(reading, "tcp_connection")
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert (row["segments_in"], row["bytes_in"]) == (None, 123_456_789_012)


@pytest.mark.parametrize("reason", [0xC0, 0x60, 0x50, 0x48])
def test_more_records_follow_whatever_the_reason(read_records, reason):
    """Also of the last interval, as when recording stops or the stack is shut down."""
    reading = read_records(
        KNOWN,
        statistics(END, [1, 2, 3, 4, 5], reason=reason),
        statistics(END, [10, 20, 30, 40, 50], reason=reason & ~0x40),
    )
    (row,) = rows(reading, "tcpip_interval")
    assert (row["connections_opened"], row["segments_in"]) == (11, 33)


def test_statistics_that_lack_a_record_are_not_added_to_the_next_interval(
    read_records,
):
    reading = read_records(
        KNOWN,
        statistics(END, [1, 2, 3, 4, 5], reason=0xC0),
        statistics(END + dt.timedelta(seconds=900), [10, 20, 30, 40, 50]),
        statistics(END + dt.timedelta(seconds=1800), [6, 6, 6, 6, 6], reason=0xC0),
    )
    (row,) = rows(reading, "tcpip_interval")
    assert (row["segments_in"], row["start_utc"]) == (30, "2026-03-02T14:15:00.000000Z")
    told = [p.offset for p in reading.problems if "more of its interval" in p.message]
    assert len(told) == 2 and told[0] == len(KNOWN)
    assert reading.status == "degraded"


def test_statistics_of_several_records_are_one_interval(read_records):
    reading = read_records(
        KNOWN,
        statistics(END, [1, 2, 3, 4, 5], reason=0xC0),
        statistics(END, [10, 20, 30, 40, 50], udp=(7, 8)),
        statistics(END, [5, 5, 5, 5, 5], stack="TCPIP2"),
    )
    first, second = rows(reading, "tcpip_interval")
    assert first["start_utc"] == "2026-03-02T14:00:00.000000Z"
    assert (first["connections_opened"], first["connections_accepted"]) == (11, 22)
    assert (first["segments_in"], first["retransmits"]) == (33, 55)
    assert (first["datagrams_in"], first["datagrams_out"]) == (1002, 1004)
    assert (first["udp_in"], second["udp_in"]) == (7, None)
    assert (second["stack"], second["segments_out"]) == ("TCPIP2", 5)


@pytest.mark.parametrize(("fast", "speed"), [(True, 25_000), (False, 1_000)])
def test_interfaces_have_names_counts_and_speed(read_records, fast, speed):
    reading = read_records(KNOWN, interfaces(END, ports(["OSD1", "OSH1"], fast)))
    found = rows(reading, "interface_interval")
    assert [row["interface"] for row in found] == ["OSD1", "OSH1"]
    assert [row["bytes_in"] for row in found] == [10**12, 10**12 + 1]
    assert (found[0]["packets_in"], found[0]["packets_out"]) == (111, 222)
    assert (found[0]["speed_mbps"], found[0]["mtu"]) == (speed, 8992)
    assert found[0]["seconds"] == 900


def test_transfers_of_both_sides_have_their_role(read_records):
    begun = local(START)
    reading = read_records(
        KNOWN,
        client_transfer(begun, 12_345, "USER.DATA.SET"),
        server_transfer(begun, 7),
    )
    client, server = rows(reading, "ftp_transfer")
    assert (client["role"], client["command"], client["seconds"]) == (
        "client",
        "RETR",
        2.5,
    )
    assert (client["bytes"], client["file"]) == (12_345, "USER.DATA.SET")
    assert (server["role"], server["command"], server["bytes"]) == ("server", "STOR", 7)
    assert server["remote_ip"] == "2001:db8::7"
    assert client["start_utc"] == "2026-03-02T14:00:00.000000Z"


def test_terminal_sessions_part_network_from_host(read_records):
    reading = read_records(KNOWN, terminal_session(local(START), (500, 200, 10)))
    (row,) = rows(reading, "tn3270_session")
    assert (row["lu"], row["application"], row["seconds"]) == (
        "TCPLU001",
        "TSO0001",
        60,
    )
    assert (row["round_trips"], row["response_ms"]) == (10, 50)
    assert (row["network_ms"], row["host_ms"]) == (20, 30)
    assert row["end_utc"] == "2026-03-02T14:01:00.000000Z"


def test_a_session_without_round_trips_has_no_mean(read_records):
    reading = read_records(KNOWN, terminal_session(local(START), (0, 0, 0)))
    assert rows(reading, "tn3270_session")[0]["response_ms"] is None


def test_a_session_that_began_and_did_not_end_has_its_begin(read_records):
    begun = terminal_session_begin(local(START), "TCPLU009")
    (row,) = rows(read_records(KNOWN, begun), "tn3270_session")
    assert (row["lu"], row["application"]) == ("TCPLU009", "TSO0001")
    assert row["remote_ip"] == "198.51.100.9"
    assert row["start_utc"] == "2026-03-02T14:00:00.000000Z"
    ended = ("end_utc", "seconds", "bytes_in", "round_trips", "response_ms")
    assert [row[name] for name in ended] == [None] * 5


def test_a_session_that_ended_is_one_row(read_records):
    reading = read_records(
        KNOWN,
        terminal_session_begin(local(START)),
        terminal_session_begin(local(START), "TCPLU002"),
        terminal_session(local(START), (500, 200, 10)),
    )
    found = rows(reading, "tn3270_session")
    assert [(row["lu"], row["seconds"]) for row in found] == [
        ("TCPLU002", None),
        ("TCPLU001", 60),
    ]
