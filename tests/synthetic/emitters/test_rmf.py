"""Reports of RMF: what was measured is what is read of XML and of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.emitters.rmf_xml_storage import printed
from tests.synthetic.emitters.examples import DEVICE, OF_SYSTEM, START
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

ZONE = "America/New_York"  # five hours behind UTC in January, as the reports are
BOTH = st.sampled_from(["rmf_xml", "rmf_text"])
SECONDS = st.integers(0, 60_000).map(lambda n: n / 1000)
CPUS = st.tuples(st.sampled_from(["CP", "zAAP", "zIIP"]), SECONDS, SECONDS)


def found(id: str, table: str, **values: object) -> list[dict]:
    return rows(read_back(id, {"intervals": [OF_SYSTEM | values]}, ZONE), table)


@FEW
@given(BOTH, st.lists(CPUS, min_size=1, max_size=40))
def test_busy_time_of_cpus(id, engines):
    engines.sort()
    cpus = [
        {"kind": kind, "busy_seconds": busy, "mvs_busy_seconds": mvs}
        for kind, busy, mvs in engines
    ]
    for row in found(id, "cpu_interval", cpus=cpus):
        mine = [(b, mvs) for kind, b, mvs in engines if kind == row["cpu_type"]]
        busy, mvs = (sum(each) for each in zip(*mine, strict=True))
        assert (row["system"], row["start_utc"]) == ("SYNA", utc(START))
        assert (row["seconds"], row["online_cpus"]) == (60, len(mine))
        assert row["busy_seconds"] == pytest.approx(busy, abs=0.001)
        share = 100 * mvs / 60 / len(mine)
        assert row["mvs_busy_pct"] == pytest.approx(share, abs=0.006)


@st.composite
def classes(draw) -> dict:
    cp = draw(SECONDS)
    return {
        "name": draw(st.from_regex(r"[A-Z][A-Z0-9]{0,7}", fullmatch=True)),
        "kind": draw(st.sampled_from(["service", "report"])),
        "importance": draw(st.integers(1, 5)),
        "cp_seconds": cp,
        "ziip_seconds": draw(st.none() | SECONDS),
        "ziip_on_cp_seconds": cp * draw(st.floats(0, 1)),
        "zaap_seconds": draw(st.none() | SECONDS),
        "zaap_on_cp_seconds": cp * draw(st.floats(0, 1)),
        "ended": draw(st.integers(0, 99_999)),
        "response_ms": float(draw(st.integers(1, 10**6))),
    }


@FEW
@given(BOTH, st.lists(classes(), min_size=1, max_size=9), st.sampled_from([1.0, 1.5]))
def test_classes(id, each, factor):
    factors = {"ziip_factor": factor, "zaap_factor": 1.25}
    got = found(id, "class_interval", classes=each, **factors)
    for it, row in zip(each, got, strict=True):
        same = ("importance", "ziip_seconds", "zaap_seconds")
        assert (row["class"], row["class_kind"]) == (it["name"], it["kind"])
        assert (row["system"], row["start_utc"]) == ("SYNA", utc(START))
        assert (row["transactions"], row["normalisation"]) == (it["ended"], factor)
        assert row["zaap_normalisation"] == 1.25
        assert {n: row[n] for n in same} == {n: it[n] for n in same}
        assert row["cp_seconds"] == pytest.approx(it["cp_seconds"], abs=0.002)
        assert row["response_ms"] == pytest.approx(it["response_ms"])
        for kind in ("ziip", "zaap") if it["zaap_seconds"] is not None else ("ziip",):
            on_cp = it[f"{kind}_on_cp_seconds"]
            assert row[f"{kind}_on_cp_seconds"] == pytest.approx(on_cp, abs=0.0031)


TIME = st.integers(0, 400) | st.sampled_from([1234, 99_999, 250_000])


@FEW
@given(BOTH, st.integers(0, 60), TIME, TIME, TIME, st.integers(1, 8))
def test_devices(id, requests, connect, pending, apart, exposures):
    times = {"connect_ms": connect, "pending_ms": pending, "disconnect_ms": apart}
    means = {name: time / 1000 for name, time in times.items()}
    device = DEVICE | means | {"requests": requests, "exposures": exposures, "lcu": 10}
    (row,) = found(id, "device_interval", devices=[device])
    assert (row["device"], row["volume"]) == ("00A01", "SYN001")
    assert (row["lcu"], row["kind"]) == ("000A", "33909")
    assert (row["system"], row["start_utc"]) == ("SYNA", utc(START))
    assert row["rate"] == pytest.approx(requests / 60, abs=0.0006)
    # RMF prints three digits of a time in text, and three decimals in XML.
    near = {"rel": 0.006, "abs": 0.0006}
    assert {name: row[name] for name in means} == pytest.approx(means, **near)
    assert row["iosq_ms"] == 0
    assert row["response_ms"] == pytest.approx(sum(means.values()), **near)
    share = requests / 600 / exposures
    connected, used = means["connect_ms"], means["connect_ms"] + means["disconnect_ms"]
    assert row["connect_pct"] == pytest.approx(connected * share, abs=0.006)
    assert row["busy_pct"] == pytest.approx(used * share, abs=0.006)


def test_devices_go_over_pages():
    names = [f"{number:04X}" for number in range(120)]
    each = [DEVICE | {"device": name} for name in names]
    got = found("rmf_text", "device_interval", devices=each)
    assert [row["device"] for row in got] == [f"0{name}" for name in names]


AREAS = st.tuples(st.sampled_from(["SQA", "CSA"]), st.sampled_from([None, "TCPIP"]),
                  st.none() | st.integers(0, 2**34),
                  st.integers(0, 2**34))  # fmt: skip


@FEW
@given(st.lists(AREAS, min_size=1, max_size=9, unique_by=lambda area: area[:2]))
def test_virtual_storage(areas):
    names = ("area", "job", "below_bytes", "above_bytes")
    each = [dict(zip(names, area, strict=True)) for area in areas]
    got = found("rmf_xml", "storage_interval", storage=each)
    sizes = {(row["area"], row["place"]): row["mean_bytes"] for row in got}
    assert all(row["minimum_bytes"] == row["maximum_bytes"] for row in got)
    for it in each:
        area = f"{it['job'] or 'Allocated CSA/SQA'} {it['area']}"
        for place in ("below", "above"):
            size = sizes.pop((area, f"{place} 16M"), None)
            wanted = it[f"{place}_bytes"]
            assert size == (wanted and pytest.approx(wanted, rel=0.006, abs=512))
    assert sizes == {}


@pytest.mark.parametrize(
    ("size", "text"),
    [(548 * 1024, "548K"), (9999 * 1024, "9999K"), (12_058_624, "11.5M"),
     (2**20 * 118, "118M"), (None, "")],
)  # fmt: skip
def test_sizes_are_printed_as_rmf_does(size, text):
    assert printed(size) == text


def test_reports_of_several_intervals_follow_one_another():
    later = START.replace(minute=1)
    each = [{"cpus": [{"busy_seconds": 6.0}], "start": t} for t in (START, later)]
    values = {"intervals": [OF_SYSTEM | it for it in each]}
    for id in ("rmf_xml", "rmf_text"):
        got = rows(read_back(id, values, ZONE), "cpu_interval")
        assert [row["start_utc"] for row in got] == [utc(START), utc(later)]
