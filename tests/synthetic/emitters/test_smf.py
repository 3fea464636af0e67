"""SMF records: what was measured is what is read of the dump, field by field."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.emitters.smf import (
    ClassTime,
    Engine,
    class_record,
    cpu_record,
    device_record,
    space_record,
)
from synthetic.smf.dump import local, unblocked
from synthetic.smf.tcpip import (
    Connection,
    Port,
    Transfer,
    connection,
    interfaces,
    server_transfer,
    statistics,
)
from tests.synthetic.emitters.examples import EXAMPLES, START, minute
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

ZONE = "America/New_York"  # five hours behind UTC in January, as the records are
INTERVAL = minute().interval
NAME = st.from_regex(r"[A-Z][A-Z0-9]{0,7}", fullmatch=True)
WORD, COUNT = st.integers(0, 2**32 - 1), st.integers(0, 2**63 - 1)
ADDRESS = st.ip_addresses().filter(lambda ip: not getattr(ip, "ipv4_mapped", None))
CENTISECONDS = st.integers(0, 6000).map(lambda n: n / 100)
MOMENT = st.integers(0, 10**8).map(lambda n: START + dt.timedelta(milliseconds=10 * n))


def read(table: str, record: bytes, zone: str | None = "UTC") -> list[dict]:
    return rows(read_back("smf", unblocked([record]), zone), table)


def mean(most: float) -> st.SearchStrategy[float]:
    return st.floats(0, most, allow_subnormal=False)


@FEW
@given(st.lists(st.builds(Engine, st.sampled_from(["CP", "zAAP", "zIIP"]), mean(60)),
                min_size=1, max_size=60))  # fmt: skip
def test_busy_time_of_cpus(engines):
    record = cpu_record(INTERVAL, {"SYNA": engines, "SYNB": engines}, "9175", "704")
    found = read("cpu_interval", record)
    for row in found:
        times = [e.busy_seconds for e in engines if e.kind == row["cpu_type"]]
        assert row["system"] == "SYNA"
        assert (row["online_cpus"], row["start_utc"]) == (len(times), utc(START))
        assert row["busy_seconds"] == pytest.approx(sum(times), abs=1e-4)
    assert {row["cpu_type"] for row in found} == {e.kind for e in engines}


@FEW
@given(st.floats(0.01, 1e4), mean(1), mean(1e4), mean(1e4), mean(1))
def test_a_service_class_is_read_as_it_was_made(cp, tcb, ziip, zaap, share):
    it = ClassTime("SYNSTC", cp, tcb, ziip, zaap, cp * share)
    (row,) = read("class_interval", class_record(INTERVAL, it))
    assert (row["class"], row["class_kind"], row["period"]) == ("SYNSTC", "service", 1)
    for name in ("cp_seconds", "ziip_seconds", "zaap_seconds", "zaap_on_cp_seconds"):
        assert row[name] == pytest.approx(getattr(it, name), rel=1e-9, abs=1e-6)
    assert (row["normalisation"], row["workload"]) == (1, "WORK")


@FEW
@given(NAME, MOMENT, CENTISECONDS, CENTISECONDS, CENTISECONDS, CENTISECONDS)
def test_an_address_space_is_read_as_it_was_made(job, start, on_cp, tcb, srb, ziip):
    tcb = round(tcb + on_cp, 2)
    record = space_record(
        "SYNA", -5, job, "EZBTCPIP", start, 60.0, tcb, srb, ziip, srb, on_cp
    )
    (row,) = read("address_space_interval", record)
    assert (row["job"], row["start_utc"], row["seconds"]) == (job, utc(start), 60)
    assert row["cp_seconds"] == pytest.approx(tcb + srb)
    assert row["ziip_seconds"] == ziip
    assert (row["zaap_seconds"], row["zaap_on_cp_seconds"]) == (srb, on_cp)
    assert row["normalisation"] == 1.25


@FEW
@given(st.integers(1, 10_000), mean(2))
def test_devices_are_read_as_they_were_made(requests, connect):
    record = device_record(INTERVAL, {0xA00: "SYN0", 0xA01: "SYN1"}, requests, connect)
    found = read("device_interval", record)
    assert [row["device"] for row in found] == ["0A00", "0A01"]
    assert [row["volume"] for row in found] == ["SYN0", "SYN1"]
    for row in found:
        assert row["requests"] == requests
        half_a_tick = 0.064 / requests + 1e-9
        assert row["connect_ms"] == pytest.approx(connect, abs=half_a_tick)


@FEW
@given(ADDRESS, ADDRESS, COUNT, COUNT, st.integers(0, 65_535), st.booleans())
def test_a_connection_is_read_as_it_was_made(
    remote, own, moved, segments, port, active
):
    it = Connection(
        START, 59.4, "SYNUPERF", str(remote), str(own), (20_000, port), moved, 7,
        (segments, 5), port, active,
    )  # fmt: skip
    (row,) = read("tcp_connection", connection(it))
    told = {
        "job": "SYNUPERF", "remote_ip": it.remote, "local_ip": it.own,
        "remote_port": 20_000, "local_port": port, "bytes_in": moved, "bytes_out": 7,
        "segments_in": segments, "segments_out": 5, "retransmits": port,
        "role": "client" if active else "server", "start_utc": utc(START),
        "end_utc": utc(START + dt.timedelta(seconds=59.4)),
    }  # fmt: skip
    assert {name: row[name] for name in told} == told


@FEW
@given(st.lists(WORD, min_size=7, max_size=7), COUNT, COUNT)
def test_counts_of_a_stack(counts, received, sent):
    record = statistics(
        local(START), counts[:5], (received, sent), seconds=60,
        datagrams=(counts[5], counts[6]),
    )  # fmt: skip
    (row,) = read("tcpip_interval", record, ZONE)
    names = ("connections_opened", "connections_accepted", "segments_in",
             "segments_out", "retransmits", "datagrams_in", "datagrams_out", "udp_in",
             "udp_out")  # fmt: skip
    assert [row[name] for name in names] == [*counts, received, sent]
    assert (row["seconds"], row["stack"]) == (60, "TCPIP")
    assert row["start_utc"] == utc(START - dt.timedelta(seconds=60))


@FEW
@given(st.lists(st.builds(Port, NAME, COUNT, COUNT, COUNT, COUNT), max_size=9,
                min_size=1))  # fmt: skip
def test_interfaces_are_read_as_they_were_made(ports):
    found = read("interface_interval", interfaces(local(START), ports), ZONE)
    names = ("bytes_in", "packets_in", "bytes_out", "packets_out", "mtu")
    for it, row in zip(ports, found, strict=True):
        assert (row["interface"], row["speed_mbps"]) == (it.name, it.speed)
        assert {n: row[n] for n in names} == {n: getattr(it, n) for n in names}


@FEW
@given(st.sampled_from(["RETR", "STOR"]), MOMENT, CENTISECONDS, COUNT, ADDRESS)
def test_a_transfer_of_ftp_is_read_as_it_was_made(
    command, start, seconds, size, remote
):
    it = Transfer(local(start), size, round(seconds * 100), command, str(remote))
    file = "SYN.FTP.DATA(M20)"
    record = server_transfer(it, ("", file))
    (row,) = read("ftp_transfer", record, ZONE)
    told = {
        "role": "server", "command": command, "seconds": seconds, "bytes": size,
        "remote_ip": str(remote), "file": file, "start_utc": utc(start),
    }  # fmt: skip
    assert {name: row[name] for name in told} == told


def test_a_dump_counts_its_records_by_type():
    reading = read_back("smf", EXAMPLES["smf"], None)
    assert sum(reading.records.values()) == 8
