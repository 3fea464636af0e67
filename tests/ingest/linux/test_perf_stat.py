"""perf stat: what is CPU time and what only the clock of all CPUs."""

from __future__ import annotations

import re

import pytest

from analysis.ingest.inspect_file import describe
from analysis.ingest.linux.cpu import is_one
from analysis.ingest.logs.result import Result
from tests.ingest.logs import golden, reader, row, rows, text_of


def test_a_command_has_the_cpu_time_of_its_process():
    cpu = row(golden("perf_stat/command.txt"), "run_cpu")
    assert (cpu["scope"], cpu["method"]) == ("process", "perf")
    assert cpu["cpu_seconds"] == pytest.approx(0.094, abs=0.002)


def test_a_decimal_comma_is_read():
    cpu = row(golden("perf_stat/german.txt"), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.1262)


def test_a_point_of_german_thousands_is_no_decimal_point(tmp_path):
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


def test_a_cut_listing_is_truncated(tmp_path):
    text = text_of("perf_stat/command.txt")
    cut = text[: text.index("seconds time")]
    assert reader("perf_stat", tmp_path)(cut).status == "truncated"


def test_the_elapsed_time_of_several_runs(tmp_path):
    """By print_footer of stat-display.c: as many decimals as the spread allows."""
    text = text_of("perf_stat/command.txt").replace("0.2':", "0.2' (5 runs):")
    end = text.index("       0.306013322 seconds")
    for mark in ".,":
        told = f"    0{mark}30601 +- 0{mark}00022 seconds time elapsed  ( +-  0.07% )"
        reading = reader("perf_stat", tmp_path)(f"{text[:end]}{told}\n\n")
        assert reading.details["elapsed_seconds"] == pytest.approx(0.30601)
        assert (reading.status, "run_cpu" in reading.tables) == ("degraded", False)


def test_metrics_on_lines_of_their_own_are_no_time_of_another_cpu(tmp_path):
    """By new_line_csv: each line begins with its CPU again."""
    text = "CPU0,93.14,msec,task-clock,93136065,100.00,0.300,CPUs utilized\n"
    reading = reader("perf_stat", tmp_path)(f"{text}CPU0,,,,,,0.75,insn per cycle\n")
    assert (reading.status, "run_cpu" in reading.tables) == ("degraded", False)


def test_lines_that_go_on_with_metrics(tmp_path):
    """By new_line_csv and new_line_json of stat-display.c."""
    text = text_of("perf_stat/command.csv") + ",,,,,,0.75,insn per cycle\n"
    cpu = row(reader("perf_stat", tmp_path)(text), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.09314)


@pytest.mark.parametrize("metric", ["0.5", '"0.500000"'])
def test_json_of_a_command(tmp_path, metric):
    text = (
        '{"counter-value" : "93.140000", "unit" : "msec", "event" : "task-clock", '
        '"event-runtime" : 93140000, "pcnt-running" : 100.00, '
        f'"metric-value" : {metric}, "metric-unit" : "CPUs utilized"}}\n'
        '{"metric-value" : "0.75", "metric-unit" : "insn per cycle"}\n'
    )
    cpu = row(reader("perf_stat", tmp_path)(text), "run_cpu")
    assert cpu["cpu_seconds"] == pytest.approx(0.09314)


@pytest.mark.parametrize("number", ["1" * 5000, "1" * 400 + ".0", "1e999", '"x"'])
def test_numbers_out_of_all_bounds(tmp_path, number):
    text = text_of("perf_stat/system-wide.json")
    text = re.sub(r'("metric-value" : )[^,]+', rf"\g<1>{number}", text)
    assert reader("perf_stat", tmp_path)(text).status in ("degraded", "failed")


def test_a_long_name_is_not_printed_as_a_whole(tmp_path):
    name = "a-" * 30_000
    text = text_of("perf_stat/system-wide.json").replace("context-switches", name)
    reading = reader("perf_stat", tmp_path)(text)
    (path,) = tmp_path.iterdir()
    assert len("\n".join(describe(path, reading))) < 5000


def test_a_file_of_several_reports_has_none():
    one, two = Result(), Result()
    assert is_one([3], one) and one.status == "ok"
    assert not is_one([3, 9], two)
    assert two.status == "failed"
    assert "2 reports in one file; put each in its own" in str(two.cause)


def test_counters_of_a_command_are_those_of_its_side():
    only = row(golden("perf_stat/counters.txt"), "run_counter")
    assert (only["cycles"], only["instructions"]) == (5_803_412_118, 4_642_729_694)
    assert only["counted_seconds"] == pytest.approx(1.93412)
    assert (only["scope"], only["seconds"]) == ("process", pytest.approx(4.380912))


def test_counters_and_energy_of_a_whole_system():
    """Energy is in a row of its own; a system-wide file with either is as good."""
    reading = golden("perf_stat/counters-system.txt")
    hardware, energy = rows(reading, "run_counter")
    assert reading.status == "ok"
    assert (hardware["cycles"], hardware["counted_seconds"]) == (14_012_000_000, None)
    assert (energy["joules"], energy["scope"]) == (251.25, "system")


def test_counters_of_user_mode_are_no_path_length(tmp_path):
    text = text_of("perf_stat/counters.txt").replace("instructions  ", "instructions:u")
    reading = reader("perf_stat", tmp_path)(text)
    assert "run_counter" not in reading.tables
    assert "instructions:u is not of all modes" in str(reading.problems[0])


def test_counters_of_two_kinds_of_cores_and_two_packages_are_added(tmp_path):
    """As ``-x, -a --per-socket`` prints them, on cores of two kinds."""
    text = "".join(
        f"S{socket},1,{value},{unit},{event},1000,100.00,,\n"
        for socket in (0, 1)
        for value, unit, event in (
            (100, "", "cpu_core/cycles/"), (60, "", "cpu_core/instructions/"),
            (20, "", "cpu_atom/cycles/"), (10, "", "cpu_atom/instructions/"),
            ("1.5", "Joules", "power/energy-pkg/"),
        )
    )  # fmt: skip
    hardware, energy = rows(reader("perf_stat", tmp_path)(text), "run_counter")
    assert (hardware["cycles"], hardware["instructions"]) == (240, 140)
    assert energy["joules"] == pytest.approx(3.0)


def test_fields_that_do_not_tell_of_what_they_are(tmp_path):
    text = "100,,cycles,1000,100.00,,\n60,,instructions,1000,100.00,,\n"
    reading = reader("perf_stat", tmp_path)(text)
    assert "run_counter" not in reading.tables
    assert "keep the text of perf stat" in str(reading.problems[0])
