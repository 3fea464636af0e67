"""SMF records: what was measured is what is read of the dump, field by field."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.emitters.emitter import emit
from tests.synthetic.emitters.examples import EXAMPLES, OF_STACK, OF_SYSTEM, START
from tests.synthetic.emitters.reading import FEW, read_back, read_bytes, rows, utc

ZONE = "America/New_York"  # five hours behind UTC in January, as the records are
NAME = st.from_regex(r"[A-Z][A-Z0-9]{0,7}", fullmatch=True)
WORD, COUNT = st.integers(0, 2**32 - 1), st.integers(0, 2**63 - 1)
ADDRESS = st.ip_addresses().filter(lambda ip: not getattr(ip, "ipv4_mapped", None))
CENTISECONDS = st.integers(0, 6000).map(lambda n: n / 100)
MOMENT = st.integers(0, 10**8).map(lambda n: START + dt.timedelta(milliseconds=10 * n))


def mean(most: float) -> st.SearchStrategy[float]:
    return st.floats(0, most, allow_subnormal=False)


@FEW
@given(st.lists(st.tuples(st.sampled_from(["CP", "zAAP", "zIIP"]), mean(60)),
                min_size=1, max_size=60), st.booleans())  # fmt: skip
def test_busy_time_of_cpus(engines, dedicated):
    cpus = [
        {"kind": kind, "busy_seconds": busy, "dedicated": dedicated}
        for kind, busy in engines
    ]
    own = {"name": "SYNA", "number": 1, "engines": cpus}
    values = OF_SYSTEM | {"partitions": [own, own | {"number": 2, "name": "SYNB"}]}
    found = rows(read_back("smf_70", values), "cpu_interval")
    for row in found:
        times = [busy for kind, busy in engines if kind == row["cpu_type"]]
        assert row["system"] == "SYNA"
        assert (row["online_cpus"], row["start_utc"]) == (len(times), utc(START))
        assert row["busy_seconds"] == pytest.approx(sum(times), abs=1e-4)
    assert {row["cpu_type"] for row in found} == {kind for kind, _ in engines}


_TIMES = ("cp_seconds", "ziip_seconds", "ziip_on_cp_seconds",
          "zaap_seconds", "zaap_on_cp_seconds")  # fmt: skip


@st.composite
def periods(draw) -> dict[str, float]:
    cp = draw(st.floats(0.01, 1e4))
    return {
        "cp_seconds": cp,
        "tcb_share": draw(mean(1)),
        "ziip_seconds": draw(mean(1e4)),
        "ziip_on_cp_seconds": draw(mean(cp)),
        "zaap_seconds": draw(mean(1e4)),
        "zaap_on_cp_seconds": draw(mean(cp)),
        "ended": draw(WORD),
        "importance": draw(st.integers(0, 6)),
    }


@FEW
@given(st.lists(periods(), min_size=1, max_size=5), st.sampled_from([1.0, 1.5, 2.25]))
def test_classes(each, factor):
    values = {"name": "SYNSTC", "kind": "report", "workload": "NET"}
    values |= {"periods": each, "ziip_factor": factor, "zaap_factor": 1.25}
    found = rows(read_back("smf_72", OF_SYSTEM | values), "class_interval")
    for nth, (it, row) in enumerate(zip(each, found, strict=True), 1):
        assert (row["class"], row["class_kind"], row["period"]) == (
            "SYNSTC", "report", nth,
        )  # fmt: skip
        for name in it.keys() & set(_TIMES):
            assert row[name] == pytest.approx(it[name], rel=1e-9, abs=1e-6)
        assert (row["transactions"], row["importance"]) == (
            it["ended"], it["importance"],
        )  # fmt: skip
        assert (row["normalisation"], row["workload"]) == (factor, "NET")


@FEW
@given(NAME, MOMENT, CENTISECONDS, CENTISECONDS, CENTISECONDS, CENTISECONDS)
def test_address_spaces(job, start, on_cp, tcb, srb, ziip):
    tcb = round(tcb + on_cp, 2)
    values = {
        "job": job, "start": start, "tcb_seconds": tcb, "srb_seconds": srb,
        "ziip_seconds": ziip, "ziip_on_cp_seconds": on_cp,
        "zaap_seconds": srb, "zaap_on_cp_seconds": on_cp,
    }  # fmt: skip
    read = read_back("smf_30", EXAMPLES["smf_30"] | values)
    (row,) = rows(read, "address_space_interval")
    assert (row["job"], row["start_utc"], row["seconds"]) == (job, utc(start), 60)
    assert row["cp_seconds"] == pytest.approx(tcb + srb)
    assert (row["ziip_seconds"], row["ziip_on_cp_seconds"]) == (ziip, on_cp)
    assert (row["zaap_seconds"], row["zaap_on_cp_seconds"]) == (srb, on_cp)
    assert row["normalisation"] == 1.25


@FEW
@given(st.lists(st.tuples(mean(100), st.booleans()), min_size=1, max_size=200))
def test_channel_paths(paths):
    values = [
        {"chpid": f"{nth:02X}", "busy_pct": busy, "online": online}
        for nth, (busy, online) in enumerate(paths)
    ]
    found = rows(read_back("smf_73", OF_SYSTEM | {"paths": values}), "channel_interval")
    for it, row in zip(values, found, strict=True):
        assert (row["channel"], row["online"]) == (it["chpid"], it["online"])
        assert row["partition_busy_pct"] == pytest.approx(it["busy_pct"], abs=1e-3)


@FEW
@given(st.lists(st.tuples(st.integers(0, 10_000), mean(2), mean(900), mean(2)),
                min_size=1, max_size=30))  # fmt: skip
def test_devices(each):
    names = ("requests", "connect_ms", "pending_ms", "disconnect_ms")
    values = [
        {"device": f"{0xA00 + nth:04X}", "volume": f"SYN{nth:03d}"}
        | dict(zip(names, it, strict=True))
        for nth, it in enumerate(each)
    ]
    read = read_back("smf_74_1", OF_SYSTEM | {"devices": values})
    found = rows(read, "device_interval")
    for it, row in zip(values, found, strict=True):
        assert (row["device"], row["volume"]) == (it["device"], it["volume"])
        assert row["requests"] == it["requests"]
        for name in names[1:] if it["requests"] else ():
            half_a_tick = 0.064 / it["requests"] + 1e-9
            assert row[name] == pytest.approx(it[name], abs=half_a_tick)


@FEW
@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT, st.booleans()), min_size=1,
                max_size=9))  # fmt: skip
def test_pcie_functions(each):
    names = ("bytes_in", "bytes_out", "packets_in", "packets_out")
    values = [
        {"function": f"{nth:08X}", "channel": f"{nth:04X}", "job": "TCPCS"}
        | {"counts": "ethernet" if ethernet else "dma"}
        | dict(zip(names, it, strict=True))
        for nth, (*it, ethernet) in enumerate(each)
    ]
    read = read_back("smf_74_9", OF_SYSTEM | {"functions": values})
    for it, row in zip(values, rows(read, "pcie_interval"), strict=True):
        known = it if it["counts"] == "ethernet" else it | dict.fromkeys(names[2:])
        assert {name: row[name] for name in it} == known
        assert (row["allocated_seconds"], row["device"]) == (60, "25GbE RoCE Express3")


def test_aliases_make_room_for_requests_side_by_side():
    device = {"device": "0A01", "volume": "SYN001", "requests": 12_000}
    device |= {"connect_ms": 6.0, "exposures": 2}
    read = read_back("smf_74_1", OF_SYSTEM | {"devices": [device]})
    (row,) = rows(read, "device_interval")
    assert row["busy_seconds"] == pytest.approx(72)


@FEW
@given(ADDRESS, ADDRESS, COUNT, COUNT, COUNT, st.integers(0, 65_535), st.booleans())
def test_connections(remote, own, inward, outward, segments, port, active):
    values = EXAMPLES["smf_119_2"] | {
        "remote_ip": str(remote), "local_ip": str(own), "bytes_in": inward,
        "bytes_out": outward, "segments_in": segments, "local_port": port,
        "retransmits": port, "active": active,
    }  # fmt: skip
    (row,) = rows(read_back("smf_119_2", values), "tcp_connection")
    same = set(values) & set(row) - {"start", "seconds"}
    assert {name: row[name] for name in same} == {name: values[name] for name in same}
    assert row["role"] == ("client" if active else "server")
    assert row["start_utc"] == utc(START)
    assert row["end_utc"] == utc(START + dt.timedelta(seconds=59.4))


@FEW
@given(st.data())
def test_counts_of_a_stack(data):
    example = EXAMPLES["smf_119_5"]
    counts = {name: data.draw(WORD) for name in example.keys() - OF_STACK.keys()}
    (row,) = rows(read_back("smf_119_5", example | counts, ZONE), "tcpip_interval")
    assert {name: row[name] for name in counts} == counts
    assert (row["seconds"], row["stack"], row["retransmits"]) == (60, "TCPIP", 0)
    assert row["start_utc"] == utc(START - dt.timedelta(seconds=60))


@FEW
@given(st.lists(st.tuples(COUNT, COUNT, COUNT, COUNT), min_size=1, max_size=9))
def test_interfaces(each):
    names = ("bytes_in", "packets_in", "bytes_out", "packets_out")
    values = [
        {"name": f"SYNOSH{nth}", "mtu": 9000, "speed_mbps": 25_000}
        | dict(zip(names, it, strict=True))
        for nth, it in enumerate(each)
    ]
    read = read_back("smf_119_6", OF_STACK | {"interfaces": values}, ZONE)
    for it, row in zip(values, rows(read, "interface_interval"), strict=True):
        same = ("mtu", "speed_mbps", *names)
        assert row["interface"] == it["name"]
        assert {name: row[name] for name in same} == {name: it[name] for name in same}


@FEW
@given(st.sampled_from(["client", "server"]), st.sampled_from(["RETR", "STOR"]),
       MOMENT, CENTISECONDS, COUNT, ADDRESS)  # fmt: skip
def test_transfers_of_ftp(role, command, start, seconds, size, remote):
    values = EXAMPLES["smf_119_ftp"] | {
        "role": role, "command": command, "start": start, "seconds": seconds,
        "bytes": size, "remote_ip": str(remote),
    }  # fmt: skip
    (row,) = rows(read_back("smf_119_ftp", values, ZONE), "ftp_transfer")
    same = ("role", "command", "seconds", "bytes", "remote_ip", "file", "system")
    assert {name: row[name] for name in same} == {name: values[name] for name in same}
    assert row["start_utc"] == utc(start)


@FEW
@given(MOMENT, CENTISECONDS, st.integers(1, 10**6), mean(1000), mean(1))
def test_sessions_of_tn3270(start, seconds, trips, response, share):
    values = EXAMPLES["smf_119_tn3270"] | {
        "start": start, "seconds": seconds, "round_trips": trips,
        "response_ms": response, "network_ms": response * share,
    }  # fmt: skip
    (row,) = rows(read_back("smf_119_tn3270", values, ZONE), "tn3270_session")
    same = ("lu", "application", "remote_ip", "bytes_in", "bytes_out", "round_trips")
    assert {name: row[name] for name in same} == {name: values[name] for name in same}
    assert (row["start_utc"], row["seconds"]) == (utc(start), seconds)
    assert row["response_ms"] == pytest.approx(response, abs=0.5 / trips + 1e-9)
    assert row["network_ms"] == pytest.approx(response * share, abs=0.5 / trips + 1e-9)


def test_a_session_that_did_not_end_has_its_begin():
    values = EXAMPLES["smf_119_tn3270"] | {"seconds": None}
    (row,) = rows(read_back("smf_119_tn3270", values, ZONE), "tn3270_session")
    assert (row["lu"], row["end_utc"], row["bytes_in"]) == ("SYNLU001", None, None)


def test_records_one_behind_the_other_are_a_dump():
    whole = [id for id in EXAMPLES if id.startswith("smf_")]
    data = b"".join(emit(id, EXAMPLES[id]) for id in whole)
    reading = read_bytes(data, "smf", None)
    assert (reading.status, reading.problems) == ("ok", [])
    assert sum(reading.records.values()) == len(whole) == 11
    assert all(row["start_utc"] for row in rows(reading, "ftp_transfer"))
