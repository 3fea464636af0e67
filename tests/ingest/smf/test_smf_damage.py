"""Damaged dumps: no crash, no hang, and no record is lost in silence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.ingest.reading import Reading
from analysis.ingest.smf import read
from analysis.ingest.tables.catalog import TABLES
from synthetic.smf.counters import counter_record as counters
from synthetic.smf.dump import blocked, dump_header, local, unblocked
from synthetic.smf.rmf import (
    Activity,
    Core,
    Cpu,
    Device,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
    devices,
)
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection, interfaces, statistics
from tests.ingest.smf import made_ports, made_shared, made_storage
from tests.ingest.smf.made_cics import Task, dictionary, performance
from tests.ingest.smf.made_mq import (
    calls,
    channel,
    channel_accounting,
    mq,
    pool,
    queue,
    task,
)
from tests.ingest.smf.made_other import (
    client_transfer,
    ports,
    server_transfer,
    terminal_session,
    terminal_session_begin,
)
from tests.ingest.smf.made_rmf import (
    Channel,
    Function,
    broken_activity,
    channels,
    functions,
)
from tests.ingest.smf.made_services import (
    connect_1,
    connect_2,
    crypto_times,
    first_request,
    second_request,
)
from tests.ingest.smf.made_tcpip import (
    GLOBAL,
    IPV4,
    Socket,
    ipv4,
    profile,
    socket,
    stack,
)

INTERVAL = Interval()
END = local(INTERVAL.end)
ACTIVITY = Activity(
    [Lpar("PROD", 3, [Cpu(n, 10**7, 10**7) for n in range(4)])],
    [Cpu(n) for n in range(8)],
    [Core(n, 2 * n, 2, 1000) for n in range(4)],
)
RECORDS = [
    dump_header(END),
    cpu_activity(INTERVAL, ACTIVITY),
    *broken_activity(Interval(INTERVAL.end), ACTIVITY, 3),
    class_activity(INTERVAL, "STC", [Period(1, cpu=5.0), Period(2)], report=True),
    channels(INTERVAL, [Channel(1, 1, 2), Channel(2, 3, 4)]),
    devices(INTERVAL, [Device(1, 1, 2, 3, 4)]),
    functions(INTERVAL, [Function(1, 0, (1, 2)), Function(2, 1, (3, 4))]),
    address_space(Space()),
    address_space(Space(subtype=5)),
    counters(1, 20, 30, 0, (1, 2, 3, 4), "2964", [5] * 60),
    mq(2, INTERVAL.end, 900, [calls(*range(1, 17))]),
    mq(215, INTERVAL.end, 900, [pool(1, 3, 2)]),
    task(INTERVAL.start, 60, [queue("A", (1,) * 7, (1, 1))]),
    channel_accounting(INTERVAL.end, 60, [channel("A", 1, 1, 1, 1, 1, 1)]),
    *(connection(Connection(), nth) for nth in range(5)),
    statistics(END, [1, 2, 3, 4, 5], (6, 7)),
    interfaces(END, ports(["OSD1"])),
    profile(END, {IPV4: [ipv4(0)], GLOBAL: [stack(0)]}),
    socket(Socket()),
    *made_ports.each_record(),
    *made_shared.each_record(INTERVAL),
    *made_storage.each_record(INTERVAL),
    crypto_times(),
    dictionary(),
    performance([Task(), Task("PAYM")]),
    connect_1(first_request()),
    connect_2([second_request()]),
    client_transfer(END, 1, "A"),
    server_transfer(END, 1, ("CLIENT.EXAMPLE", "A", "")),
    terminal_session_begin(END),
    terminal_session(END, (1, 2, 3)),
    dump_header(END, 3),
]
DUMPS = {
    "unblocked": unblocked(RECORDS),
    "spanned": unblocked(RECORDS, 333),
    "blocked": blocked(RECORDS, 1000),
}
# Each reads a dump of all types of records.
few = settings(max_examples=settings().max_examples // 5)
CHUNKS = st.sampled_from([2_500, 1 << 20])


def read_back(data: bytes, chunk: int) -> Reading:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.smf"
        path.write_bytes(data)
        return read(path, chunk=chunk)


def is_boundary(kind: str, cut: int) -> bool:
    """Whether nothing shows that a file was cut there."""
    data, at = DUMPS[kind], 0
    while at < cut:
        at += int.from_bytes(data[at : at + 2], "big")
    return at == cut and (kind != "spanned" or data[at + 2] in (0, 1))


def assert_nothing_is_lost(reading: Reading) -> None:
    """Nothing is lost without a word, and tables keep their columns."""
    counted = sum(reading.records.values())
    assert counted >= len(RECORDS) or reading.problems
    assert reading.status != "ok" or counted >= len(RECORDS)
    for name, table in reading.tables.items():
        assert table.schema == TABLES[name]
        assert table["position"].null_count() == 0


@pytest.mark.parametrize("kind", DUMPS)
def test_undamaged_dumps_are_sound(kind):
    reading = read_back(DUMPS[kind], 1 << 20)
    assert (reading.status, reading.problems) == ("ok", [])
    assert sum(reading.records.values()) == len(RECORDS)


@few
@given(kind=st.sampled_from(sorted(DUMPS)), chunk=CHUNKS, draw=st.data())
def test_overwritten_bytes_lose_nothing_unnamed(kind, chunk, draw):
    data = bytearray(DUMPS[kind])
    places = st.lists(
        st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255)), max_size=6
    )
    for at, value in draw.draw(places):
        data[at] = value
    assert_nothing_is_lost(read_back(bytes(data), chunk))


@few
@given(kind=st.sampled_from(sorted(DUMPS)), chunk=CHUNKS, draw=st.data())
def test_overwritten_stretches_lose_nothing_unnamed(kind, chunk, draw):
    data = bytearray(DUMPS[kind])
    at = draw.draw(st.integers(0, len(data) - 1))
    junk = draw.draw(st.binary(min_size=1, max_size=400))
    data[at : at + len(junk)] = junk
    assert_nothing_is_lost(read_back(bytes(data), chunk))


@few
@given(kind=st.sampled_from(sorted(DUMPS)), chunk=CHUNKS, draw=st.data())
def test_bytes_that_are_missing_or_too_many(kind, chunk, draw):
    data = DUMPS[kind]
    at = draw.draw(st.integers(0, len(data) - 1))
    gone = draw.draw(st.integers(0, 900))
    more = draw.draw(st.binary(max_size=40))
    assert_nothing_is_lost(read_back(data[:at] + more + data[at + gone :], chunk))


@few
@given(kind=st.sampled_from(sorted(DUMPS)), chunk=CHUNKS, draw=st.data())
def test_truncation_keeps_what_was_before(kind, chunk, draw):
    data = DUMPS[kind]
    cut = draw.draw(st.integers(0, len(data)))
    assume(cut == len(data) or not is_boundary(kind, cut))
    reading = read_back(data[:cut], chunk)
    assert_nothing_is_lost(reading)
    whole = read_back(data, 1 << 20)
    for name, table in reading.tables.items():
        if name in ("tcp_connection", "class_interval", "address_space_interval"):
            assert whole.tables[name].head(table.height).equals(table)


@given(st.binary(max_size=3000), CHUNKS)
def test_any_bytes_at_all(data, chunk):
    reading = read_back(data, chunk)
    assert reading.status in ("failed", "empty", "degraded", "truncated", "ok")


@given(st.binary(max_size=800), st.integers(0, 255), CHUNKS)
def test_any_record_at_all(body, kind, chunk):
    when = connection(Connection())
    record = bytearray(when[:24] + body)
    record[:2] = len(record).to_bytes(2, "big")
    record[5] = kind
    reading = read_back(when + bytes(record) + when, chunk)
    assert sum(reading.records.values()) == 3


@pytest.mark.parametrize("into", [0, 2, 7])
def test_a_triplet_that_points_into_itself_is_no_place_of_a_section(
    tmp_path: Path, into: int
) -> None:
    """A record that tells nowhere how many triplets it has: 115-2, at 36."""
    record = bytearray(mq(2, INTERVAL.end, 900, [calls(*range(1, 17))]))
    record[36:40] = (36 + into).to_bytes(4, "big")
    path = tmp_path / "one.smf"
    path.write_bytes(unblocked([bytes(record)]))
    found = read(path, "UTC")
    told = [problem.message for problem in found.problems]
    assert any("in front of the sections" in words for words in told), told
    assert not any(rows.height for rows in found.tables.values())
