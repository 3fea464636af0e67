"""Page data sets and virtual storage, by bytes laid out after the published fields."""

from __future__ import annotations

import pytest

from synthetic.smf.bytes_of import number
from synthetic.smf.rmf import Interval
from tests.ingest.smf.conftest import messages, rows
from tests.ingest.smf.made_storage import (
    COMMON_BYTES,
    MOST,
    NOTHING,
    common,
    page_data_set,
    paging,
    private,
    virtual_storage,
)

INTERVAL = Interval()
PAGES, STORAGE = "page_data_set_interval", "storage_interval"


def usages(reading) -> dict[tuple, tuple]:
    return {
        (row["job"], row["area"], row["place"]): (
            row["minimum_bytes"], row["maximum_bytes"], row["mean_bytes"],
        )
        for row in rows(reading, STORAGE)
    }  # fmt: skip


def test_a_page_data_set_has_its_slots_and_its_use(read_records):
    (row,) = rows(read_records(paging(INTERVAL, page_data_set())), PAGES)
    slots = [row[f"slots{what}"] for what in ("", "_used_minimum", "_used_maximum")]
    assert (row["data_set"], row["kind"]) == ("PAGE.SYSA.LOCAL1", "local")
    assert (row["volume"], row["device"]) == ("PAGE01", "0A85")
    assert slots == [1000, 80, 100]
    assert (row["slots_used_mean"], row["slots_unusable"]) == (90.5, 1)
    assert (row["busy_pct"], row["requests"], row["pages"]) == (25, 40, 160)
    assert (row["start_utc"], row["seconds"]) == ("2026-03-02T14:00:00.000000Z", 900)


@pytest.mark.parametrize(
    ("kind", "word"), [(0x80, "PLPA"), (0x40, "common"), (0xC0, None), (0x12, "local")]
)
def test_what_a_page_data_set_is_for(read_records, kind, word):
    record = paging(INTERVAL, page_data_set(kind=kind))
    assert rows(read_records(record), PAGES)[0]["kind"] == word


def test_storage_class_memory_has_no_data_set(read_records):
    reading = read_records(paging(INTERVAL, page_data_set(scm=True)))
    (row,) = rows(reading, PAGES)
    assert (row["data_set"], row["slots"]) == (None, 1000)


def test_more_pages_than_there_is_room_for_is_another_layout(read_records):
    made = page_data_set()
    reading = read_records(paging(INTERVAL, made[:68] + number(1001, 4) + made[72:]))
    assert PAGES not in reading.tables
    assert "75-1 record at byte offset 0 has a data set that can be none" in messages(
        reading
    )


@pytest.mark.parametrize("integer", [False, True])
def test_common_storage_by_area_and_key(read_records, integer):
    below, above = (100, 300, 200.0), (1_000_000, 3_000_000, 2_000_000.0)
    areas = {144: (below, above), 184: (below, above), 224 + 40 * 6: (below, NOTHING)}
    if integer:  # a sum of 32 bits has no room for more
        areas = {144: (below, below), 184: (below, below)}
    reading = read_records(virtual_storage(INTERVAL, common(areas, integer)))
    found = usages(reading)
    assert not reading.problems
    assert found[None, "SQA", "below 16M"] == (100, 300, 200)
    if not integer:
        assert found[None, "CSA", "above 16M"] == (1e6, 3e6, pytest.approx(2e6))
        assert found[None, "CSA key 6", "below 16M"] == (100, 300, 200)
    assert found[None, "CSA key 5", "below 16M"] == (0, 0, 0)
    size = 300 << 20
    assert found[None, "CSA size", "above 16M"] == (size, size, size)
    assert found[None, "SQA size", "below 16M"][2] == 1 << 20
    assert len(found) == 2 * 12 + 4


def test_the_private_storage_of_jobs(read_records):
    jobs = [private("TCPIP", {152: MOST, 312: MOST}), private("VTAM", {152: MOST})]
    reading = read_records(virtual_storage(INTERVAL, common({}), jobs))
    found = usages(reading)
    assert found["TCPIP", "LSQA", "below 16M"] == (1000, 3000, 2000)
    high = found["TCPIP", "user region", "above 16M"]
    assert high == (1e7, 5e7, pytest.approx(3e7))
    assert found["VTAM", "user region", "above 16M"] == (0, 0, 0)


def test_data_that_are_incorrect_give_no_rows_of_the_job(read_records):
    jobs = [private("TCPIP", {152: MOST}, 0x9000), private("VTAM", {152: MOST})]
    reading = read_records(virtual_storage(INTERVAL, common({}), jobs))
    assert {job for job, *_ in usages(reading)} == {None, "VTAM"}
    assert (reading.status, len(reading.problems)) == ("degraded", 1)
    assert "says of TCPIP that data are incorrect" in messages(reading)


def test_a_mean_that_lies_outside_is_none(read_records):
    odd = (100, 300, 400.0), (100, 300, 50.0)
    found = usages(read_records(virtual_storage(INTERVAL, common({144: odd}))))
    assert found[None, "SQA", "below 16M"] == (100, 300, None)
    assert found[None, "SQA", "above 16M"] == (100, 300, None)


@pytest.mark.parametrize(
    ("of_all", "jobs", "what"),
    [
        (common({144: ((300, 100, 200.0), NOTHING)}), (), "less is in use at most"),
        (common({}, size=860), (), "shorter than 864 bytes"),
        (common({}), [private("\x01\x02", {})], "a job whose name is none"),
        (common({}), [private("TCPIP", {})[:390]], "shorter than 392 bytes"),
    ],
)
def test_another_layout_is_told_and_not_used(read_records, of_all, jobs, what):
    sound = virtual_storage(INTERVAL, common({144: MOST}))
    reading = read_records(sound, virtual_storage(INTERVAL, of_all, jobs))
    assert {row["position"] for row in rows(reading, STORAGE)} == {0}
    (problem,) = reading.problems
    assert what in problem.message and problem.offset == len(sound)
    assert reading.status == "degraded"


def test_the_sections_are_as_long_as_their_fields():
    """1,724 bytes: of 36 words, 9 pairs and 9 keys above and below, 40 and 3 below."""
    assert COMMON_BYTES == 36 * 4 + (9 + 9) * 40 + (4 * 10 + 3) * 20
