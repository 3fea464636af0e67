"""curl --write-out: JSON and names, seconds, failed transfers."""

from __future__ import annotations

import json

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


@pytest.fixture
def read(tmp_path):
    return reader("curl", tmp_path)


def test_timings_in_json_agree_with_the_law_of_little():
    reading = golden("curl/json.txt")
    result = row(reading)
    assert (reading.status, result["transactions"], result["shape"]) == ("ok", 5, "CRR")
    assert result["response_bytes"] == 8192
    assert little(reading) == pytest.approx(1)


def test_timings_by_name_add_up():
    result = row(golden("curl/names.txt"))
    assert result["transactions"] == 3
    assert result["seconds"] == pytest.approx(0.016772 + 0.011716 + 0.010617)
    assert result["bytes_per_second"] == pytest.approx(3 * 20971520 / 0.039105)


def test_percentiles_need_enough_transfers(read):
    lines = [f"http_code=200 time_total=0.{n:03}000" for n in range(1, 101)]
    result = row(read("\n".join(lines) + "\n"))
    assert result["latency_p50_us"] == pytest.approx(50_000)
    assert result["latency_p99_us"] == pytest.approx(99_000)
    assert row(golden("curl/json.txt"))["latency_p90_us"] is None


@pytest.mark.parametrize("file", ["all-errors", "refused"])
def test_failed_transfers_leave_no_rate(file):
    reading = golden(f"curl/{file}.txt")
    assert reading.status == "failed"
    assert row(reading)["rate"] is None


def test_a_cut_object_is_truncated(read):
    whole = json.dumps({"http_code": 200, "time_total": 0.1})
    assert read(f"{whole}\n{whole[:-3]}").status == "truncated"


def test_decimal_comma_is_refused(read):
    reading = read("http_code=200 time_total=0,000264 size_download=153\n")
    assert (reading.status, reading.problems[0].line) == ("failed", 1)


def test_an_object_that_is_cut_has_nothing_of_the_lines_behind_it(read):
    cut = text_of("curl/json.txt")[:300]
    reading = read(f"{cut}\n{text_of('curl/all-errors.txt')}")
    assert reading.status == "truncated"
    assert [problem.line for problem in reading.problems] == [1, 2, 3]
    mixed = read(text_of("curl/json.txt") + text_of("curl/names.txt"))
    assert (mixed.status, row(mixed)["transactions"]) == ("ok", 8)
