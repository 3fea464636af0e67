"""Records made from drawn values give these values back; real averages are met."""

from __future__ import annotations

import ast
import datetime as dt
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from lxml import etree

from analysis.ingest.smf import read
from synthetic.smf.dump import START, blocked, unblocked
from synthetic.smf.rmf import (
    Activity,
    Cpu,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
)
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection

HERE = Path(__file__).parent
BY_HAND = sorted(HERE.glob("made_*.py"))
REPORT = HERE.parents[3] / "shared" / "samples" / "rmf" / "postprocessor-cpu.xml"
# Examples of records are large: to shrink one would take minutes.
FEW = settings(max_examples=4, deadline=5000, phases=[Phase.generate])
NAME = st.from_regex(r"[A-Z][A-Z0-9]{0,7}", fullmatch=True)
COUNT4, COUNT8 = st.integers(0, 2**32 - 1), st.integers(0, 2**63 - 1)
MOMENT = st.integers(0, 10**9).map(lambda n: START + dt.timedelta(seconds=n / 100))


def read_back(*records: bytes, in_blocks: bool = False) -> dict[str, list[dict]]:
    data = blocked(records, 2000) if in_blocks else unblocked(records, 1500)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.smf"
        path.write_bytes(data)
        tables = read(path).tables
    return {name: table.to_dicts() for name, table in tables.items()}


def utc(moment: dt.datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# An IPv4 address in the clothes of IPv6 is told as IPv4.
ADDRESS = st.ip_addresses().filter(lambda ip: not getattr(ip, "ipv4_mapped", None))
CONNECTIONS = st.builds(
    Connection,
    start=MOMENT,
    seconds=st.integers(0, 10**6),
    job=NAME,
    remote=ADDRESS.map(str),
    own=ADDRESS.map(str),
    ports=st.tuples(st.integers(0, 65535), st.integers(0, 65535)),
    bytes_in=COUNT8,
    bytes_out=COUNT8,
    segments=st.tuples(COUNT8, COUNT8),
    retransmits=st.integers(0, 65535),
    active=st.booleans(),
)


@FEW
@given(st.lists(CONNECTIONS, min_size=1, max_size=30), st.booleans())
def test_connections_are_read_as_they_were_made(made, in_blocks):
    records = [connection(it, nth) for nth, it in enumerate(made)]
    found = read_back(*records, in_blocks=in_blocks)["tcp_connection"]
    for nth, (it, row) in enumerate(zip(made, found, strict=True)):
        assert (row["connection"], row["job"]) == (nth, it.job)
        assert row["start_utc"] == utc(it.start)
        assert row["end_utc"] == utc(it.start + dt.timedelta(seconds=it.seconds))
        assert (row["remote_ip"], row["local_ip"]) == (it.remote, it.own)
        assert (row["remote_port"], row["local_port"]) == it.ports
        assert (row["bytes_in"], row["bytes_out"]) == (it.bytes_in, it.bytes_out)
        assert (row["segments_in"], row["segments_out"]) == it.segments
        assert row["retransmits"] == it.retransmits
        assert row["role"] == ("client" if it.active else "server")


SPACES = st.builds(
    Space, job=NAME, start=MOMENT, cpt=COUNT4, cps=COUNT4, rct=COUNT4, ziip=COUNT4
)


@FEW
@given(st.lists(SPACES, min_size=1, max_size=20))
def test_address_spaces_are_read_as_they_were_made(made):
    found = read_back(*map(address_space, made))["address_space_interval"]
    for it, row in zip(made, found, strict=True):
        assert (row["job"], row["start_utc"]) == (it.job, utc(it.start))
        assert row["cp_seconds"] == pytest.approx((it.cpt + it.cps + it.rct) / 100)
        assert row["ziip_seconds"] == pytest.approx(it.ziip / 100)


UNITS = st.integers(0, 10**15).map(float)
PERIODS = st.builds(Period, cpu=UNITS, srb=UNITS, ended=COUNT4)


@FEW
@given(NAME, st.lists(PERIODS, min_size=1, max_size=8), st.integers(1, 10**5))
def test_periods_of_a_class_are_read_with_their_adjustment(name, periods, adjust):
    record = class_activity(Interval(), name, periods, adjust=adjust)
    found = read_back(record)["class_interval"]
    for it, row in zip(periods, found, strict=True):
        seconds = (it.cpu + it.srb) * adjust / 16e6
        assert (row["class"], row["transactions"]) == (name, it.ended)
        assert row["cp_seconds"] == pytest.approx(seconds, rel=1e-9, abs=1e-9)


def as_printed(cpus: list[tuple[float, float, float]]) -> tuple[float, float]:
    """LPAR busy and MVS busy of CPUs with these, and the share they were parked."""
    made = []
    for nth, (lpar, mvs, parked) in enumerate(cpus):
        whole, idle = 900_000_000, round(9_000_000 * parked)
        wait = round((whole - idle) * (1 - mvs / 100))
        used = round(lpar * 9_000_000)
        made.append(Cpu(nth, used, used, wait=wait, parked=idle))
    activity = Activity([Lpar("PROD", 3, made)], hiperdispatch=True)
    (row,) = read_back(cpu_activity(Interval(), activity))["cpu_interval"]
    return row["busy_pct"], row["mvs_busy_pct"]


def test_averages_of_a_real_interval_are_met():
    busy, mvs = as_printed([(1.36, 1.33, 0), (0.42, 0.42, 0)])
    assert (busy, mvs) == (pytest.approx(0.89), pytest.approx(0.88, abs=0.0051))


@pytest.mark.skipif(not REPORT.is_file(), reason="needs ../shared/samples")
def test_averages_of_a_real_report_are_met():
    table = etree.parse(str(REPORT)).find(".//table")
    rows = [[c.text or "" for c in row.iter("col")] for row in table.iter("row")]
    cpus = [
        (float(row[3]), float(row[4]), float(row[5] or 0))
        for row in rows
        if row[0].isalnum()
    ]
    total = next(row for row in rows if row[0] == "TOTAL/AVERAGE" and row[1] == "CP")
    busy, mvs = as_printed(cpus)
    printed = [float(text) for text in total[2:] if text]
    assert busy == pytest.approx(printed[0], abs=0.0051)
    assert mvs == pytest.approx(printed[1], abs=0.0051)


@pytest.mark.parametrize("path", BY_HAND, ids=lambda path: path.stem)
def test_records_by_hand_know_nothing_of_the_decoder(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    used = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    used += [
        a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names
    ]
    assert "__future__" in used
    assert not [name for name in used if name.startswith("analysis")]
