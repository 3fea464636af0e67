"""Control groups: two layouts, two units, and the CPU time of one side of a run."""

from __future__ import annotations

import csv
import json

import pytest

from analysis.ingest.detect import read_file
from analysis.ingest.store import ingest
from tests.ingest.logs import golden, reader, row

V2 = "usage_usec {}\nuser_usec {}\nsystem_usec {}\nthrottled_usec 0\n"


@pytest.fixture
def read(tmp_path):
    return reader("cgroup", tmp_path)


def test_version_1_counts_ticks():
    only = row(golden("cgroup/cpuacct.stat"), "cgroup_counter")
    assert (only["usage_seconds"], only["user_seconds"]) == (0.28, 0.28)


def test_version_2_counts_microseconds(read):
    only = row(read(V2.format(2_500_000, 500_000, 2_000_000)), "cgroup_counter")
    assert (only["usage_seconds"], only["system_seconds"]) == (2.5, 2.0)


def test_parts_that_do_not_make_the_whole(read):
    assert read(V2.format(2_500_000, 500_000, 200_000)).status == "degraded"


def test_a_cut_file_is_truncated(read):
    assert read("usage_usec 2500000\nuser_usec 5").status == "truncated"


def test_a_number_alone_is_refused_with_the_name_it_should_have(tmp_path):
    path = tmp_path / "cpuacct.usage"
    path.write_text("285297401\n")
    reading = read_file(path)
    assert (reading.format, reading.status) == ("unknown", "failed")
    assert "such as cpuacct.usage" in reading.reason


def test_two_snapshots_are_the_cpu_time_of_a_side(folder):
    """Named as SYSTEM=FILE in runs.csv, before and after the run."""
    path = folder.path / "runs.csv"
    with path.open(newline="") as stream:
        header, *lines = csv.reader(stream)
    at = header.index("cpu")
    for name, used in (("before", 1_000_000), ("after", 3_500_000)):
        (folder.path / f"srv.{name}").write_text(
            V2.format(used, used // 5, used * 4 // 5)
        )
        lines[0][at] += f";srv=srv.{name}"
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *lines])
    folder.sign()
    tables = ingest(folder.path)
    found = tables["run_cpu"].filter(run=lines[0][0], role="server", scope="cgroup")
    times = found.select("cpu_seconds", "system_seconds").rows()
    assert (2.5, 2.0) in [(round(a, 9), b and round(b, 9)) for a, b in times]


def test_a_file_of_one_process_belongs_to_the_side_that_is_named(folder):
    text = "0.50user 0.25system 0:01.00elapsed 75%CPU (0avgtext+0avgdata 1k)\n"
    (folder.path / "client.time").write_text(text)
    rows = (folder.path / "runs.csv").read_text().split("\n")
    run = rows[1].split(",")[0]
    rows[1] += ";cli=client.time"
    (folder.path / "runs.csv").write_text("\n".join(rows))
    folder.sign()
    found = ingest(folder.path)["run_cpu"].filter(run=run, scope="process")
    assert json.loads(found.select("role", "system", "cpu_seconds").write_json()) == [
        {"role": "client", "system": "cli", "cpu_seconds": 0.75}
    ]


def test_both_versions_in_one_file(read):
    reading = read(V2.format(0, 0, 0) + "user 28\nsystem 0\n")
    assert (reading.status, reading.problems[0].line) == ("failed", 5)


def test_version_1_cut_is_no_second_snapshot(read):
    reading = read("user 28\nsystem")
    assert (reading.status, reading.reason) == (
        "truncated",
        "it lacks user or system time",
    )
