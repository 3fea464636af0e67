"""sadf -j: intervals with their length, UTC or local, both sets of names."""

from __future__ import annotations

import json

import pytest

from tests.ingest.logs import golden, reader, rows, text_of


@pytest.fixture
def read(tmp_path):
    return reader("sadf", tmp_path)


def intervals(reading):
    return rows(reading, "cpu_interval")


def document(**stamp) -> str:
    when = {"date": "2026-01-12", "time": "10:10:00", "interval": 600} | stamp
    shares = {"user": 20, "nice": 0, "system": 10, "iowait": 5, "steal": 5, "idle": 60}
    entry = {"timestamp": when, "cpu-load": [{"cpu": "all", **shares}]}
    host = {"nodename": "lnx1", "number-of-cpus": 4, "file-date": "2026-01-12"}
    return json.dumps({"sysstat": {"hosts": [host | {"statistics": [entry]}]}})


def test_intervals_of_real_files_have_their_length():
    for name in ("full", "u"):
        reading = golden(f"sadf/{name}.json")
        assert (reading.status, reading.systems) == ("ok", ["vm"])
        assert all(r["seconds"] == 1 for r in intervals(reading))


def test_names_of_both_reports_are_read_alike():
    assert intervals(golden("sadf/u.json"))[0]["busy_pct"] == 34.01


def test_a_local_time_needs_a_zone(read):
    reading = read(document())
    (only,) = intervals(reading)
    assert only["start_utc"] == "2026-01-12T10:00:00.000000Z"
    assert (only["busy_pct"], only["busy_seconds"]) == (35, 720)


def test_times_that_are_utc_need_no_zone(tmp_path):
    without = reader("sadf", tmp_path, None)
    assert intervals(without(document(utc=1)))[0]["start_utc"] is not None
    reading = without(document())
    assert (reading.status, intervals(reading)[0]["start_utc"]) == ("degraded", None)


def test_cut_json_keeps_its_intervals(read):
    text = text_of("sadf/full.json")
    reading = read(text[: len(text) // 2])
    assert reading.status == "truncated"
    whole = intervals(golden("sadf/full.json"))
    found = intervals(reading)
    assert 0 < len(found) < len(whole)
    assert [r["busy_pct"] for r in found] == [
        r["busy_pct"] for r in whole[: len(found)]
    ]


def test_sadf_of_a_cut_file_is_whole_json():
    """Nothing in it tells that the binary file was cut: it is only shorter."""
    assert golden("sadf/cut-input.json").status == "ok"


def test_no_cpu_in_it(read):
    reading = read(document().replace("cpu-load", "disk"))
    assert reading.status == "empty"


def test_shares_that_cannot_be_right(read):
    assert read(document().replace('"idle": 60', '"idle": 90')).status == "failed"


def test_a_total_beyond_all_cpus_is_not_used(read):
    text = text_of("sadf/full.json")
    total = '{"cpu": "all", "usr": 0.00, "nice": 0.00, "sys": 0.50,'
    assert total in text
    reading = read(text.replace(total, total.replace("0.00", "0.40", 1), 1))
    assert reading.status == "degraded"
    assert "do not add up to the line of all" in reading.problems[0].message
    assert len(intervals(reading)) == len(intervals(golden("sadf/full.json"))) - 1
