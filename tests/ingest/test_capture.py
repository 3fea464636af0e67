"""The capture ratio from rows, whichever files they are from."""

from __future__ import annotations

import pytest

from analysis.ingest.capture import with_capture
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import frame

START = "2026-01-12T14:00:00.000000Z"
LATE = "2026-01-12T14:00:00.400000Z"  # as a record tells it
CPU = {
    "system": "SYSA", "cpu_type": "CP", "start_utc": LATE, "seconds": 600.002,
    "busy_seconds": 100.0, "source": "c", "position": 7,
}  # fmt: skip
NET = {
    "system": "SYSA", "class": "NET", "class_kind": "service", "start_utc": START,
    "seconds": 600.0, "cp_seconds": 80.0, "source": "k",
}  # fmt: skip


def captured(cpus: list[dict], classes: list[dict]) -> tuple[list, list[str]]:
    reading = Reading("rmf_xml")
    tables = (frame("cpu_interval", cpus), frame("class_interval", classes))
    found, problems = with_capture(*tables, {"cpu.xml": reading}, {"cpu.xml": "c"})
    ratios = found["capture_pct"].to_list()
    return ratios, [problem.message for _, problem in problems]


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ([NET], 80),
        ([NET, NET | {"class": "DB", "cp_seconds": 15.0}], 95),
        ([NET | {"period": 1}, NET | {"period": 2, "cp_seconds": 9.0}], 89),
        ([NET, NET | {"period": 1, "cp_seconds": 75.0}], 75),
        ([NET, NET | {"class_kind": "report"}], 80),
        ([NET, NET | {"class": "DB", "cp_seconds": None}], None),
        ([NET | {"system": "PLEXA"}], None),
        ([NET | {"seconds": 900.0}], None),
        ([NET | {"start_utc": None}], None),
        ([], None),
    ],
)
def test_service_classes_of_the_interval_are_added_up(classes, expected):
    assert captured([CPU], classes)[0] == [expected]


def test_what_a_dump_told_stays():
    assert captured([CPU | {"capture_pct": 91.0}], [NET])[0] == [91.0]


def test_other_processors_and_idle_systems_have_none():
    idle = CPU | {"busy_seconds": 0.0}
    assert captured([CPU | {"cpu_type": "zIIP"}, idle], [NET]) == ([None, None], [])


@pytest.mark.parametrize(("seconds", "found"), [(69.9, 1), (70, 0), (100.1, 1)])
def test_a_ratio_out_of_bounds_is_a_problem_of_the_file(seconds, found):
    _, problems = captured([CPU], [NET | {"cp_seconds": seconds}])
    assert len(problems) == found
    assert all(f"first {seconds:.1f}% of SYSA" in said for said in problems)
