"""Logs of FTP, of TN3270 and of CICS TG: what was measured is what is read."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.synthetic.emitters.examples import EXAMPLES, START
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

MILLIS = st.integers(1, 10**6)
COUNT = st.integers(0, 10**12)
ZONE = "America/New_York"  # five hours behind UTC in January, as the log is


@st.composite
def moves(draw) -> dict:
    return {
        "command": draw(st.sampled_from(["RETR", "STOR"])),
        "file": f"'SYN.{draw(st.from_regex(r'[A-Z]{1,8}', fullmatch=True))}'",
        "bytes": draw(COUNT),
        "seconds": draw(MILLIS) / 1000,
    }


@FEW
@given(st.lists(moves(), min_size=1, max_size=20))
def test_transfers_of_ftp(transfers):
    values = EXAMPLES["ftp_zos"] | {"transfers": transfers}
    reading = read_back("ftp_zos", values)
    found = rows(reading, "ftp_transfer")
    for it, row in zip(transfers, found, strict=True):
        assert {name: row[name] for name in it} == it
        assert row["role"] == "client"
    for row in rows(reading):
        mine = [it for it in transfers if it["command"] == row["test"]]
        seconds = sum(it["seconds"] for it in mine)
        assert row["transactions"] == len(mine)
        assert row["seconds"] == pytest.approx(seconds)
        moved = sum(it["bytes"] for it in mine)
        assert row["bytes_per_second"] == pytest.approx(moved / seconds)
        assert row["latency_mean_us"] == pytest.approx(seconds / len(mine) * 1e6)


def test_a_transfer_that_was_refused_fails_its_direction():
    refused = {"command": "STOR", "file": "'SYN.FULL'", "refusal": "451 No space left."}
    good = EXAMPLES["ftp_zos"]["transfers"][0]
    reading = read_back("ftp_zos", EXAMPLES["ftp_zos"] | {"transfers": [good, refused]})
    assert reading.verdict("RETR").told == ("ok", "")
    assert reading.verdict("STOR").told == ("failed", "all 1 transfers failed (STOR)")
    assert reading.problems[0].message == "STOR failed: 'SYN.FULL': 451 No space left."


@FEW
@given(st.lists(st.lists(MILLIS, min_size=1, max_size=30), min_size=1, max_size=9))
def test_sessions_of_tn3270(each):
    sessions = [
        {"host": f"192.0.2.{nth}", "response_ms": [float(ms) for ms in times]}
        for nth, times in enumerate(each)
    ]
    reading = read_back("s3270", {"sessions": sessions})
    for it, row in zip(sessions, rows(reading, "tn3270_session"), strict=True):
        times = it["response_ms"]
        assert (row["remote_ip"], row["round_trips"]) == (it["host"], len(times))
        assert row["response_ms"] == pytest.approx(sum(times) / len(times))
    (row,) = rows(reading)
    every = sorted(ms for times in each for ms in times)
    assert (row["transactions"], row["errors"]) == (len(every), 0)
    assert row["latency_mean_us"] == pytest.approx(sum(every) / len(every) * 1000)
    assert row["latency_p50_us"] == pytest.approx(every[(len(every) - 1) // 2] * 1000)


def test_an_answer_that_did_not_come_is_an_error():
    one = {"host": "192.0.2.1", "response_ms": [5.0] * 99, "timeouts": 2}
    reading = read_back("s3270", {"sessions": [one]})
    (row,) = rows(reading)
    assert (row["transactions"], row["errors"]) == (99, 2)
    assert reading.status == "degraded"


@st.composite
def intervals(draw) -> dict:
    requests = draw(COUNT)
    response = draw(st.integers(0, 10**5)) if requests else 0
    return {"requests": requests, "response_ms": response}


@FEW
@given(st.lists(intervals(), min_size=1, max_size=20), st.integers(1, 3600))
def test_intervals_of_a_gateway(each, seconds):
    values = EXAMPLES["ctg_statistics"] | {"intervals": each, "seconds": seconds}
    found = rows(read_back("ctg_statistics", values), "gateway_interval")
    for nth, (it, row) in enumerate(zip(each, found, strict=True)):
        assert (row["gateway"], row["basis"]) == ("SYNCTG", "interval")
        assert row["transactions"] == it["requests"]
        assert row["response_ms"] == (it["response_ms"] if it["requests"] else None)
        begun = START + dt.timedelta(seconds=nth * seconds)
        assert (row["start_utc"], row["seconds"]) == (utc(begun), seconds)


def test_the_text_of_a_gateway_says_the_same():
    values = EXAMPLES["ctg_statistics"] | {"form": "text"}
    found = rows(read_back("ctg_statistics", values), "gateway_interval")
    assert [(row["transactions"], row["response_ms"]) for row in found] == [
        (30_000, 4),
        (0, None),
    ]


@st.composite
def areas(draw) -> dict:
    current, more = draw(st.integers(0, 10**6)), draw(st.integers(0, 10**6))
    limit = draw(st.none() | st.integers(current + more, 10**8))
    return {
        "area": draw(st.sampled_from(["ECSA", "PRIVATE", "SMC-R FIXEDMEMORY"])),
        "place": draw(st.sampled_from(["31-BIT", "64-BIT"])),
        "unit": draw(st.sampled_from(["K", "M"])),
        "current": current,
        "maximum": current + more,
        "limit": limit,
    }


def snapshots(**values: object) -> list[dict]:
    whole = {"system": "SYNA", "start": START, **values}
    found = rows(read_back("zos_storage", whole, ZONE), "storage_snapshot")
    assert {(row["system"], row["start_utc"]) for row in found} == {
        ("SYNA", utc(START))
    }
    return found


@FEW
@given(st.lists(areas(), min_size=1, max_size=9))
def test_storage_of_a_stack(each):
    each.sort(key=lambda it: it["place"])
    for it, row in zip(each, snapshots(areas=each, stack="TCPCS"), strict=True):
        power = {"K": 2**10, "M": 2**20}[it["unit"]]
        assert (row["job"], row["area"]) == ("TCPCS", it["area"])
        assert row["place"] == it["place"].lower()
        for name in ("current", "maximum", "limit"):
            size = None if it[name] is None else it[name] * power
            assert row[f"{name}_bytes"] == size


SIZE = st.integers(0, 10**6)
POOLS = st.tuples(st.sampled_from(["ECSA", "DATA SPACE 31", "DATA SPACE 64"]),
                  st.sampled_from([4, 16, 180]), SIZE, SIZE)  # fmt: skip


@FEW
@given(st.lists(POOLS, min_size=1, max_size=9))
def test_storage_of_csm(pools):
    names = ("source", "buffer", "in_use", "free")
    each = [dict(zip(names, pool, strict=True)) for pool in pools]
    found = {row["area"]: row for row in snapshots(pools=each)}
    assert set(found) == {"CSM ALL SOURCES", *(f"CSM {pool[0]}" for pool in pools)}
    for name, row in found.items():
        mine = [p for p in pools if name in ("CSM ALL SOURCES", f"CSM {p[0]}")]
        assert row["current_bytes"] == 1024 * sum(pool[2] for pool in mine)
        assert row["allocated_bytes"] == 1024 * sum(sum(pool[2:]) for pool in mine)


def test_storage_of_vtam_and_real_storage():
    vtam = EXAMPLES["zos_storage"]["vtam"]
    found = {row["area"]: row for row in snapshots(vtam=vtam, real_mb=16_384)}
    sizes = {n: (r["current_bytes"], r["maximum_bytes"]) for n, r in found.items()}
    assert sizes == {
        "VTAM CSA": (2384 * 1024, 2401 * 1024),
        "VTAM PRIVATE": (806 * 1024, 829 * 1024),
        "REAL STORAGE": (16 * 2**30, None),
    }
