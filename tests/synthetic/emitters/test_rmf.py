"""Reports of RMF in XML: what was measured is what is read of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.emitters.smf import ClassTime, Engine
from synthetic.evidence import report
from tests.synthetic.emitters.examples import START, minute
from tests.synthetic.emitters.reading import FEW, read_back, rows, utc

ZONE = "America/New_York"  # five hours behind UTC in January, as the reports are
SECONDS = st.integers(0, 60_000).map(lambda n: n / 1000)
ENGINES = st.builds(Engine, st.sampled_from(["CP", "zAAP", "zIIP"]), SECONDS)


def read(table: str, **values: object) -> list[dict]:
    return rows(read_back("rmf_xml", report([minute(**values)]), ZONE), table)


@FEW
@given(st.lists(ENGINES, min_size=1, max_size=40))
def test_busy_time_of_cpus(engines):
    engines.sort()
    for row in read("cpu_interval", engines={"SYNA": engines}):
        mine = [e.busy_seconds for e in engines if e.kind == row["cpu_type"]]
        assert (row["system"], row["start_utc"]) == ("SYNA", utc(START))
        assert (row["seconds"], row["online_cpus"]) == (60, len(mine))
        assert row["busy_seconds"] == pytest.approx(sum(mine), abs=0.006 * len(mine))


@st.composite
def classes(draw) -> ClassTime:
    cp = draw(SECONDS)
    name = draw(st.from_regex(r"[A-Z][A-Z0-9]{0,7}", fullmatch=True))
    times = (draw(st.none() | SECONDS) for _ in range(2))
    return ClassTime(name, cp, draw(st.floats(0, 1)), *times, cp * 0.4)


@FEW
@given(st.lists(classes(), min_size=1, max_size=9))
def test_service_classes_are_read_as_they_were_made(each):
    for it, row in zip(each, read("class_interval", classes=each), strict=True):
        assert (row["class"], row["class_kind"]) == (it.name, "service")
        assert (row["system"], row["start_utc"]) == ("SYNA", utc(START))
        assert (row["normalisation"], row["zaap_normalisation"]) == (1, 1)
        assert row["ziip_seconds"] == it.ziip_seconds
        assert row["zaap_seconds"] == it.zaap_seconds
        assert row["cp_seconds"] == pytest.approx(it.cp_seconds, abs=0.002)
        if it.zaap_seconds is not None:
            on_cp = it.zaap_on_cp_seconds
            assert row["zaap_on_cp_seconds"] == pytest.approx(on_cp, abs=0.0031)


def test_reports_of_several_intervals_follow_one_another():
    later = START.replace(minute=1)
    made = report([minute(), minute(start=later)], classes=False)
    got = rows(read_back("rmf_xml", made, ZONE), "cpu_interval")
    assert [row["start_utc"] for row in got if row["cpu_type"] == "CP"] == [
        utc(START), utc(later),
    ]  # fmt: skip
