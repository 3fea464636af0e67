"""NETSTAT of z/OS: connections, interfaces, capitals, and what is cut off."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows, text_of

CONNECTION, INTERFACE = "connection_snapshot", "interface_snapshot"


@pytest.fixture
def read(tmp_path):
    return reader("netstat_zos", tmp_path)


def test_a_connection_has_windows_round_trips_and_smc():
    tcp, udp = rows(golden("netstat_zos/all.txt"), CONNECTION)
    assert (tcp["stack"], tcp["job"], tcp["connection"]) == ("TCPCS", "FTPD1", 0x3B)
    assert (tcp["local_ip"], tcp["local_port"]) == ("9.42.104.161", 21)
    assert (tcp["remote_ip"], tcp["remote_port"]) == ("9.42.103.165", 1035)
    assert (tcp["bytes_in"], tcp["segments_out"]) == (122, 12)
    assert (tcp["send_window_bytes"], tcp["most_send_window_bytes"]) == (32768, 65536)
    assert (tcp["congestion_window_bytes"], tcp["segment_bytes"]) == (14600, 1460)
    assert (tcp["receive_window_bytes"], tcp["retransmits"]) == (32729, 3)
    assert (tcp["rtt_ms"], tcp["rtt_deviation_ms"]) == (153.0, 311.0)
    assert (tcp["smcr"], tcp["smcr_reason"], tcp["smcd"]) == (
        "Inactive", "00005301", "Active",
    )  # fmt: skip
    assert (udp["state"], udp["remote_ip"], udp["remote_port"]) == ("UDP", None, None)
    assert (udp["local_port"], udp["send_window_bytes"]) == (53, None)


def test_lists_of_connections_in_all_their_forms():
    listen, long, short = rows(golden("netstat_zos/conn.txt"), CONNECTION)
    assert (listen["local_ip"], listen["remote_port"]) == (None, None)
    assert (long["remote_ip"], long["remote_port"]) == ("2001:db8::2", 1035)
    assert (short["job"], short["connection"], short["state"]) == (
        "TN3270", 0x21, "Establsh",
    )  # fmt: skip
    assert (short["local_port"], short["remote_port"]) == (23, 40_001)


def test_the_hardcopy_log_has_displays_among_other_messages():
    reading = golden("netstat_zos/hardcopy.txt")
    plain = rows(golden("netstat_zos/conn.txt"), CONNECTION)[:2]
    logged = rows(reading, CONNECTION)
    assert (reading.status, reading.systems) == ("ok", ["SYSA"])
    assert [row["position"] for row in logged] == [5, 11]  # lines of the log
    other = ("system", "position")
    for one, two in zip(plain, logged, strict=True):
        assert {k: one[k] for k in one.keys() - other} == {
            k: two[k] for k in two.keys() - other
        }


def logged(text: str) -> str:
    """A display as the hardcopy log has it, with years of four digits."""
    first, *more = text.splitlines()
    stamp = "M 4000000 SYSB     2026012 17:40:36.14 STC00042 00000090  "
    follow = [f"D{'':43}071 00000090  {line}" for line in more]
    return "\n".join([f"{stamp}{first} 071", *follow, ""])


@pytest.mark.parametrize("name", ["all", "devlinks"])
def test_every_display_may_be_logged(read, name):
    plain = text_of(f"netstat_zos/{name}.txt")
    found = [read(plain).tables, read(logged("NETSTAT CS V2R5 TCPCS\n" + plain)).tables]
    (table,) = found[0]
    plainly, log = (one[table].drop("system", "position") for one in found)
    assert plainly.equals(log)
    assert set(found[1][table]["system"]) == {"SYSB"}


def test_interfaces_and_their_queues_and_counts():
    link, osa, card = rows(golden("netstat_zos/devlinks.txt"), INTERFACE)
    assert (link["interface"], link["mtu"], link["workload_queueing"]) == (
        "LOOPBACK", 65_535, None,
    )  # fmt: skip
    assert (osa["kind"], osa["chpid_type"], osa["mtu"]) == ("IPAQENET", "OSD", 8992)
    assert (osa["inbound"], osa["workload_queueing"]) == ("Dynamic", True)
    assert (osa["read_storage"], osa["speed_mbps"]) == ("GLOBAL (8064K)", 10_000)
    assert [osa[f"errors_{way}"] for way in ("in", "out")] == [1, 3]
    assert [osa[f"discards_{way}"] for way in ("in", "out")] == [2, 4]
    assert (osa["smcr"], osa["smcd"]) == ("Yes", "Yes")
    assert (card["operations_in"], card["operations_out"]) == (12, 14)
    # Of its links there are as many lines of the same names; they are no part of it.
    assert (card["bytes_in"], card["bytes_out"]) == (6400, 7400)


@pytest.mark.parametrize(
    ("name", "end", "table", "left"),
    [
        ("all", "    StartDate:          01/12/2026        StartTime:          09",
         CONNECTION, 1),
        ("devlinks", "    BytesOut                          = 7400", INTERFACE, 2),
        ("devlinks", "  Interface Statistics", INTERFACE, 1),
        ("conn", "  FOREIGN SOCKET: 2001", CONNECTION, 1),
    ],
)  # fmt: skip
def test_the_entry_that_is_cut_off_is_not_used(read, name, end, table, left):
    whole = text_of(f"netstat_zos/{name}.txt")
    reading = read(whole[: whole.index(end)])
    assert (reading.status, len(rows(reading, table))) == ("truncated", left)
    assert "its last entry was not used" in reading.problems[0].message


def test_a_display_that_leaves_connections_out_says_so(read):
    reading = read(text_of("netstat_zos/conn.txt").replace("2 OF 2", "2 OF 312"))
    assert (reading.status, reading.problems[0].line) == ("degraded", 9)
    assert "2 of 312 records are displayed" in reading.problems[0].message


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("SndWnd:             0000032768", "SndWnd:             32k", 13),
        ("Client Id: 0000003B", "Client Id: 0000003", 2),
        ("Local Socket: 0.0.0.0..53", "Local Socket: 53", 29),
        ("BytesIn:            00000000000000000153", "BytesIn:            " + "9" * 20,
         31),
    ],
)  # fmt: skip
def test_what_is_no_number_is_told_by_its_line(read, old, new, line):
    reading = read(text_of("netstat_zos/all.txt").replace(old, new))
    assert (reading.status, reading.problems[0].line) == ("failed", line)
    assert not rows(reading, CONNECTION)


def test_a_display_without_connections(read):
    reading = read("MVS TCP/IP NETSTAT CS V2R5  TCPIP Name: A  1:2:3\nClient Name:\n")
    assert reading.status == "failed"


def test_numbers_of_other_systems_are_not_taken_for_it(read):
    only = row(read("NETSTAT CS V2R5 X\nA 0000000F 1.2.3.4..5 h..6 TimeWait\n"),
               CONNECTION)  # fmt: skip
    assert (only["remote_ip"], only["remote_port"]) == ("h", 6)
