"""Displays of storage: sizes of 1024, local times, and what has no end."""

from __future__ import annotations

import pytest

from analysis.ingest.reading import Reading
from tests.ingest.logs import golden, reader, rows, text_of

TABLE = "storage_snapshot"


@pytest.fixture
def read(tmp_path):
    return reader("zos_displays", tmp_path)


def sizes(reading: Reading) -> dict[str, float]:
    return {row["area"]: row["current_bytes"] for row in rows(reading, TABLE)}


def test_storage_of_a_stack_by_area():
    found = rows(golden("zos_displays/console.txt"), TABLE)
    ecsa, private = found[0], found[1]
    assert (ecsa["job"], ecsa["area"], ecsa["place"]) == ("TCPCS", "ECSA", "31-bit")
    assert (ecsa["current_bytes"], ecsa["maximum_bytes"]) == (7823 * 1024, 8100 * 1024)
    assert (ecsa["limit_bytes"], private["limit_bytes"]) == (204_800 * 1024, None)
    assert [row["area"] for row in found[3:6]] == [
        "HVCOMMON", "HVPRIVATE", "SMC-R FIXEDMEMORY",
    ]  # fmt: skip
    assert {row["place"] for row in found[3:6]} == {"64-bit"}


def test_real_storage_online_may_have_several_ranges():
    found = rows(golden("zos_displays/console.txt"), TABLE)
    online = [row["current_bytes"] for row in found if row["area"] == "REAL STORAGE"]
    assert online == [16 * 2**30, 4 * 2**30]


def test_the_hardcopy_log_tells_system_and_time():
    reading = golden("zos_displays/hardcopy.txt")
    assert (reading.status, reading.systems) == ("ok", ["SYSA"])
    times = {row["area"]: row["start_utc"] for row in rows(reading, TABLE)}
    assert times["CSM ECSA"] == "2026-01-12T14:00:59.000000Z"
    assert times["VTAM CSA"] == "2026-01-12T14:01:10.000000Z"


def test_totals_of_csm_and_not_its_pools():
    found = sizes(golden("zos_displays/hardcopy.txt"))
    assert found["CSM ECSA"] == 176 * 1024
    assert found["CSM DATA SPACE 64"] == 364 * 1024
    assert found["CSM ALL SOURCES"] == 540 * 1024
    assert len([name for name in found if name.startswith("CSM")]) == 3


def test_storage_of_vtam():
    rows_ = rows(golden("zos_displays/hardcopy.txt"), TABLE)
    found = {row["area"]: row for row in rows_}
    assert found["VTAM CSA"]["limit_bytes"] is None
    assert found["VTAM CSA24"]["limit_bytes"] == 512 * 1024
    assert found["VTAM PRIVATE"]["maximum_bytes"] == 829 * 1024
    assert found["VTAM PRIVATE MODULES"]["current_bytes"] == 6140 * 1024


def test_times_need_a_zone(tmp_path):
    reading = reader("zos_displays", tmp_path, None)(
        text_of("zos_displays/hardcopy.txt")
    )
    assert reading.status == "degraded"
    assert "zone" in reading.reason
    assert {row["start_utc"] for row in rows(reading, TABLE)} == {None}


def test_a_display_that_is_cut_gives_nothing(read):
    text = text_of("zos_displays/console.txt")
    reading = read(text[: text.index("STORAGE INCREMENT")])
    assert (reading.status, len(rows(reading, TABLE))) == ("truncated", 6)
    told = "the display of REAL has no last message"
    assert reading.reason == told


def test_a_display_that_another_breaks_off_gives_nothing(read):
    text = text_of("zos_displays/console.txt").replace("EZZ8459I", "EZZ8450I")
    reading = read(text)
    assert (reading.status, set(sizes(reading))) == ("degraded", {"REAL STORAGE"})
    (problem,) = reading.problems
    told = ("the display of TCPIP has no last message", 2)
    assert (problem.message, problem.line) == told


def test_nothing_displayed_is_a_failure(read):
    reading = read("EZZ8453I TCPIP STORAGE\nEZZ8459I DISPLAY TCPIP STOR COMPLETED\n")
    assert reading.status == "failed"
    assert reading.reason == "there is no display of storage that is whole"


@pytest.mark.parametrize("size", ["7,823K", "7.8M", "-1K", "12T", "K", "١K"])
def test_other_sizes_are_refused_with_their_line(read, size):
    reading = read(text_of("zos_displays/console.txt").replace("7823K", size))
    assert (reading.status, reading.problems[0].line) == ("failed", 5)
    assert "is no size such as 823K, 12M or NOLIMIT" in reading.reason


def test_a_range_that_ends_before_it_begins_is_refused(read):
    text = text_of("zos_displays/console.txt").replace("0M-16384M", "17000M-16384M")
    assert read(text).problems[0].line == 18


def test_a_day_that_no_year_has_is_no_time(read):
    text = text_of("zos_displays/hardcopy.txt").replace(" 26012 ", " 26999 ")
    found = rows(read(text), TABLE)
    assert {(row["system"], row["start_utc"]) for row in found} == {("SYSA", None)}
