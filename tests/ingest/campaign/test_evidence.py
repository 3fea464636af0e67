"""CPU evidence that ``campaign init`` proposes: snapshots in pairs, and their sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.ingest.store import ingest
from tests.ingest.test_campaign_init import add, init, lines


def with_groups(tmp_path: Path, used: int) -> Path:
    """A folder of one run, whose client used ``used`` ticks between the snapshots."""
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/log.txt")
    for name, ticks in (("client.before", 100), ("client.after", 100 + used)):
        path = tmp_path / "A/RR4(1B)/1" / name
        path.write_text(f"user {ticks}\nsystem 5\n")
    return tmp_path


@pytest.mark.parametrize(("used", "found"), [(250, [2.5]), (0, [])])
def test_a_control_group_that_used_nothing_was_not_measured(tmp_path, used, found):
    folder = with_groups(tmp_path, used)
    init(folder)
    assert ingest(folder)["run_cpu"]["cpu_seconds"].to_list() == found


def test_files_of_one_name_in_many_folders_are_one_line(tmp_path, capsys):
    for run in range(1, 13):
        add(tmp_path, "wrk/latency.txt", f"A/RR4(1B)/{run}/log.txt")
        add(tmp_path, "procstat/before.txt", f"A/RR4(1B)/{run}/client.before")
        (tmp_path / f"A/RR4(1B)/{run}/notes.bin").write_bytes(b"\0\1")
        with (tmp_path / f"A/RR4(1B)/{run}/log.txt").open("a") as log:
            log.write("\n" * run)
    assert init(tmp_path) == 0
    said = capsys.readouterr().out
    some = "  12 files {0}, such as A/RR4(1B)/1/{0}\n"
    assert f"belong to no run:\n{some.format('client.before')}" in said
    assert some.format("notes.bin") in said


@pytest.mark.parametrize("golden", ["cgroup/cpuacct.stat", "procstat/before.txt"])
def test_a_snapshot_alone_is_not_proposed(tmp_path, capsys, golden):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/log.txt")
    add(tmp_path, golden, "A/RR4(1B)/1/client.before")
    assert init(tmp_path) == 0
    assert (
        "belong to no run:\n  A/RR4(1B)/1/: client.before\n" in capsys.readouterr().out
    )
    assert ingest(tmp_path)["run_cpu"].height == 0


def test_one_snapshot_of_a_control_group_is_named(tmp_path):
    folder = with_groups(tmp_path, 250)
    init(folder)
    runs = folder / "runs.csv"
    runs.write_text(runs.read_text().replace(";client=A/RR4(1B)/1/client.before", ""))
    with pytest.raises(UserError, match="two snapshots of the control group of"):
        ingest(folder)


def test_paths_with_a_mark_that_separates_systems_from_files(tmp_path):
    add(tmp_path, "wrk/latency.txt", "mtu=9000/client.txt")
    add(tmp_path, "mpstat/str.json", "mtu=9000/mpstat.json")
    for name, ticks in (("client.before", 100), ("client.after", 350)):
        (tmp_path / "mtu=9000" / name).write_text(f"user {ticks}\nsystem 5\n")
    init(tmp_path)
    (line,) = lines(tmp_path)
    assert line["cpu"].split(";") == [
        "client=mtu=9000/client.after",
        "client=mtu=9000/client.before",
        "./mtu=9000/mpstat.json",
    ]
    tables = ingest(tmp_path)
    assert tables["run_cpu"]["cpu_seconds"].to_list() == [2.5]
    assert tables["cpu_interval"].height == 5
