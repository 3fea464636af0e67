"""perf stat: what is CPU time and what only the clock of all CPUs."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, text_of


def test_a_command():
    cpu = row(golden("perf_stat/command.txt"), "run_cpu")
    assert (cpu["scope"], cpu["method"]) == ("process", "perf")
    assert cpu["cpu_seconds"] == pytest.approx(0.094, abs=0.002)


def test_decimal_comma():
    cpu = row(golden("perf_stat/german.txt"), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.1262)


def test_thousands(tmp_path):
    text = text_of("perf_stat/german.txt").replace("0,126200000", "1.234,126200000")
    cpu = row(reader("perf_stat", tmp_path)(text), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(1234.1262)


@pytest.mark.parametrize("form", ["txt", "csv", "json"])
def test_the_clock_of_a_whole_system_is_no_cpu_time(form):
    """Two idle CPUs show 2.0 CPUs utilised."""
    reading = golden(f"perf_stat/system-wide.{form}")
    assert reading.status == "degraded"
    assert "run_cpu" not in reading.tables


def test_fields_of_a_command():
    cpu = row(golden("perf_stat/command.csv"), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.09314)


def test_fields_that_may_be_of_whole_cpus(tmp_path):
    text = "2004.74,msec,task-clock,2004737314,100.00,2.002,CPUs utilized\n"
    reading = reader("perf_stat", tmp_path)(text)
    assert (reading.status, "run_cpu" in reading.tables) == ("degraded", False)


def test_counters_that_were_not_counted_are_no_numbers():
    assert "cycles" not in golden("perf_stat/command.csv").details


def test_cut(tmp_path):
    text = text_of("perf_stat/command.txt")
    cut = text[: text.index("seconds time")]
    assert reader("perf_stat", tmp_path)(cut).status == "truncated"
