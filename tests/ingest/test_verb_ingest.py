"""The verb that reads a campaign into tables."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.errors import UserError
from analysis.files.hashes import content_digest
from analysis.ingest import read_all as read_all_module
from analysis.ingest import store
from analysis.ingest.read_all import FileReader, read_all
from analysis.ingest.tables.catalog import TABLES
from analysis.ingest.tables.store import write_tables
from analysis.ingest.verb import _some
from synthetic.emitters.rmf_xml import Interval, Processor, document

LINUX_VETH = Path(__file__).parents[2] / "raw" / "linux-veth"
GOLDEN = Path(__file__).parents[1] / "golden"
REP = "A/RR10(100B)/rep01"
RUN = "A-RR10(100B)-01"


def ingest(folder, *, sign: bool = False) -> int:
    if sign:
        folder.sign()
    out = folder.path.parent / "out"
    return main(["ingest", "--campaign", str(folder.path), "--out", str(out)])


def table(folder, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder.path.parent / "out" / f"{name}.parquet")


def only(frame: pl.DataFrame) -> dict:
    (row,) = frame.to_dicts()
    return row


def run_row(folder, run: str = RUN) -> dict:
    return only(table(folder, "run").filter(pl.col("run") == run))


def source_row(folder, file: str) -> dict:
    return only(table(folder, "source").filter(pl.col("file") == file))


def test_every_table_is_there_with_its_columns(folder, capsys):
    assert ingest(folder) == 0
    for name, schema in TABLES.items():
        assert dict(table(folder, name).schema) == schema
    assert capsys.readouterr().out == (
        "small: 4 runs, 3 ok, 1 failed; 20 files, 1 failed\n"
    )


def test_a_failed_run_stays_with_its_reason(folder):
    ingest(folder)
    row = run_row(folder, "B-CRR10(64B/8kB)-05")
    assert row["status"] == "failed"
    assert "Connection reset by peer" in row["reason"]


def test_every_row_says_where_it_came_from(folder):
    ingest(folder)
    files = set(table(folder, "source")["sha256"])
    for name in ("benchmark", "run_cpu", "cpu_interval", "cpu_counter"):
        frame = table(folder, name)
        assert set(frame["source"]) <= files
        assert frame["position"].min() >= 1
        assert frame["run"].null_count() == 0


def test_cpu_time_of_a_role_belongs_to_its_system(folder):
    ingest(folder)
    rows = table(folder, "run_cpu").filter(pl.col("run") == RUN)
    assert rows.select("role", "system").rows() == [
        ("client", "cli"),
        ("server", "srv"),
    ]
    assert rows["cpu_seconds"].to_list() == pytest.approx([2.0249, 1.9621])


def test_files_of_the_machine_belong_to_the_host_of_the_systems(folder):
    ingest(folder)
    for name in ("cpu_interval", "cpu_counter"):
        assert table(folder, name)["system"].unique().to_list() == ["vm"]


def test_clock_ticks_before_and_after_become_an_interval(folder):
    ingest(folder)
    meta = json.loads((folder.path / REP / "meta.json").read_text())
    row = only(
        table(folder, "cpu_interval").filter(
            pl.col("basis") == "procstat", pl.col("run") == RUN
        )
    )
    assert row["busy_seconds"] == pytest.approx(meta["procstat_busy_cpu_s"])
    assert row["online_cpus"] == 2
    assert row["seconds"] == pytest.approx(meta["elapsed_s"], abs=2e-3)
    assert row["coverage"] == pytest.approx(meta["procstat_coverage"], abs=2e-3)
    share = meta["procstat_busy_cpu_s"] / meta["procstat_total_cpu_s"]
    assert row["busy_pct"] == pytest.approx(100 * share, abs=0.1)


def test_another_tick_rate_changes_seconds_and_coverage(folder):
    folder.edit("campaign.yaml", "    host: vm\n", "    host: vm\n    hz: 50\n")
    folder.edit(
        "campaign.yaml", "    host: vm\n    desc", "    host: vm\n    hz: 50\n    desc"
    )
    ingest(folder)
    row = only(
        table(folder, "cpu_interval").filter(
            pl.col("basis") == "procstat", pl.col("run") == RUN
        )
    )
    assert row["busy_seconds"] == pytest.approx(8.52)
    assert row["coverage"] == pytest.approx(2, abs=0.01)


def test_two_machines_give_each_role_its_ticks(folder):
    drop_meta(folder)
    for host, system in (("host: vm", "host: one"), ("host: vm", "host: two")):
        folder.edit("campaign.yaml", host, system)
    text = (folder.path / "runs.csv").read_text()
    for entry in ("mpstat.json", "proc_stat.before", "proc_stat.after"):
        text = text.replace(f"{REP}/{entry}", f"cli={REP}/{entry}")
    lines = text.splitlines()
    (folder.path / "runs.csv").write_text("\n".join(lines[:2]) + "\n")
    assert ingest(folder) == 0
    row = only(table(folder, "run_cpu"))
    assert (row["role"], row["system"], row["method"]) == ("client", "cli", "procstat")
    assert row["cpu_seconds"] == pytest.approx(4.26)
    assert table(folder, "cpu_interval")["system"].unique().to_list() == ["one"]
    assert run_row(folder)["tick_coverage"] == row["coverage"]


def drop_meta(folder) -> None:
    """Take meta.json off the first run's evidence."""
    folder.edit("runs.csv", f"{REP}/meta.json;", "")


def test_a_file_of_an_unknown_machine_is_named(folder, capsys):
    folder.edit("campaign.yaml", "host: vm", "host: other")
    assert ingest(folder) == 2
    err = capsys.readouterr().err
    assert f"runs.csv:2: cpu: which system is '{REP}/proc_stat.before' of?" in err
    assert "it may speak of 'other', 'vm'" in err


def test_a_machine_that_is_not_declared_is_named(folder, capsys):
    folder.edit("campaign.yaml", "host: vm", "host: other")
    folder.edit("campaign.yaml", "host: vm", "host: other")
    assert ingest(folder) == 2
    assert "it speaks of 'vm', which is not declared" in capsys.readouterr().err


@pytest.mark.parametrize(("later", "code"), [(1, 0), (2, 0), (3, 2), (86400, 2)])
def test_a_start_between_the_snapshots_is_named(folder, capsys, later, code):
    """btime wobbles by a second; ticks count from it on."""
    boot = 1795232209
    folder.edit(f"{REP}/proc_stat.after", f"btime {boot}", f"btime {boot + later}")
    folder.sign()
    assert ingest(folder) == code
    told = "runs.csv:2: 'vm' was started anew between the snapshots of /proc/stat"
    assert (told in capsys.readouterr().err) == (code == 2)


def test_one_snapshot_alone_is_named(folder, capsys):
    folder.edit("runs.csv", f";{REP}/proc_stat.after", "")
    assert ingest(folder) == 2
    assert (
        "runs.csv:2: a run has two snapshots of /proc/stat of 'vm', not 1"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("RR10(100B),1", "RR40(100B),1", "says clients 10"),
        ("RR10(100B),1", "CRR10(100B),1", "says shape RR"),
        ("2026-11-21T04", "2026-11-20T04", "outside of it"),
    ],
)
def test_a_log_of_another_run_is_named(folder, capsys, old, new, what):
    folder.edit("runs.csv", old, new)
    while "21T" in old and old in (folder.path / "runs.csv").read_text("utf-8"):
        folder.edit("runs.csv", old, new)
    assert ingest(folder) == 2
    lines = capsys.readouterr().err.splitlines()
    [line] = [one for one in lines if what in one and f"{REP}/client.txt:" in one]
    assert "runs.csv:2: the " in line


def test_sizes_that_the_log_does_not_tell_are_those_of_the_workload(folder):
    ingest(folder)
    row = only(table(folder, "benchmark").filter(pl.col("run").str.contains("STR3")))
    assert (row["request_bytes"], row["response_bytes"]) == (1, 20 * 2**20)


@pytest.mark.parametrize(
    ("data", "status"),
    [(b"", "empty"), (b"\x00\x01\x02" * 99, "failed"), (b"hello\n", "failed")],
)
def test_a_log_that_is_none_makes_a_failed_run(folder, data, status):
    (folder.path / REP / "client.txt").write_bytes(data)
    assert ingest(folder, sign=True) == 0
    assert run_row(folder)["status"] == status
    assert source_row(folder, f"{REP}/client.txt")["format"] == "unknown"


def test_a_log_of_another_kind_makes_a_failed_run(folder):
    mpstat = (folder.path / REP / "mpstat.json").read_bytes()
    (folder.path / REP / "client.txt").write_bytes(mpstat)
    assert ingest(folder, sign=True) == 0
    row = run_row(folder)
    assert row["status"] == "failed"
    assert "no benchmark result in it (mpstat)" in row["reason"]


def test_cpu_evidence_that_cannot_be_used_degrades_its_run(folder):
    (folder.path / REP / "mpstat.json").write_bytes(b"")
    assert ingest(folder, sign=True) == 0
    row = run_row(folder)
    assert row["status"] == "degraded"
    assert row["reason"].startswith(f"{REP}/mpstat.json: ")
    assert source_row(folder, f"{REP}/mpstat.json")["status"] == "empty"


def test_a_benchmark_that_ended_with_an_error_degrades_its_run(folder, capsys):
    folder.edit(f"{REP}/meta.json", '"rc": 0', '"rc": 124')
    assert ingest(folder, sign=True) == 0
    row = run_row(folder)
    told = f"{REP}/meta.json: the client ended with exit status 124"
    assert (row["status"], row["reason"]) == ("degraded", told)
    printed = capsys.readouterr()
    assert "2 ok, 1 degraded, 1 failed" in printed.out
    assert f"{REP}/client.txt: the run {RUN} is degraded: {told}" in printed.err


def test_cpu_seconds_that_their_parts_deny_are_not_used_and_told(folder, capsys):
    meta = folder.path / f"{REP}/meta.json"
    entries = json.loads(meta.read_text())
    meta.write_text(json.dumps(entries | {"cpuacct_client_s": 0.1}))
    assert ingest(folder, sign=True) == 0
    told = f"{REP}/meta.json is degraded: its figures contradict each other: cpuacct"
    assert told in capsys.readouterr().err
    used = table(folder, "run_cpu").filter(run=RUN)
    assert used["role"].to_list() == ["server"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("cps: 2", "cps: 1", "rep01/mpstat.json:11 tells of 2 CPUs of vm"),
        ("cps: 2", "cps: 1", f"cps is 1, but {REP}/meta.json:14 tells that cli ran on"),
        ("cps: 2", "cps: 4", "rep01/mpstat.json:11 tells of 2 CPUs of vm"),
        ("CPUs: 2", "CPUs: 8", "CPUs is 8, but"),
        ("to: 2026-11-21", "to: 2026-11-20", "measured ends before it starts"),
        ("m: 2026-11-21\n  to: 2026-11-21", "m: 2025-11-21\n  to: 2025-11-21",
         f"but {REP}/meta.json:9 tells of a run on 2026-11-21"),
        ("with uperf", "with iperf", f"{REP}/client.txt:1 is a log of uperf"),
        ("uperf: 1.0.8", "iperf: 2.1.8", f"{REP}/client.txt:1 is a log of uperf"),
        ("Kernel: 6.18.44", "Kernel: 5.10.0",
         f"{REP}/mpstat.json:6 tells of 6.18.44-fc-v470"),
        ("zone: UTC", "zone: Asia/Tokyo", f"{REP}/mpstat.json:11 begins at 2026-11-20"),
    ],
)  # fmt: skip
def test_no_declaration_that_files_deny_is_silent(folder, capsys, old, new, what):
    folder.edit("campaign.yaml", old, new)
    assert ingest(folder) == 2
    err = capsys.readouterr().err.replace(f"{folder.path}/", "")
    assert what in err


def test_an_mtu_that_segments_do_not_fit_is_named_with_both_places(folder, capsys):
    log = GOLDEN / "netperf_omni" / "rr-all.keyval"
    (folder.path / REP / "client.txt").write_text(
        log.read_text().replace("TRANSPORT_MSS=1448", "TRANSPORT_MSS=8948")
    )
    assert ingest(folder, sign=True) == 2
    err = capsys.readouterr().err.replace(f"{folder.path}/", "")
    said = f"MTU is 1500, but {REP}/client.txt:2 tells of an MSS of 8948"
    assert f"campaign.yaml:34: {said}, which needs an MTU of 8988 or more" in err


def test_a_reader_that_breaks_does_not_stop_the_others(folder, monkeypatch):
    def read_file(path: Path, zone: str, **more: str):
        if path.name == "mpstat.json":
            raise IndexError("list index out of range")
        return real(path, zone, **more)

    real = read_all_module.read_file
    monkeypatch.setattr(read_all_module, "read_file", read_file)
    assert ingest(folder) == 0
    row = source_row(folder, f"{REP}/mpstat.json")
    assert row["status"] == "failed"
    assert row["reason"] == (
        "the reader could not cope: IndexError: list index out of range"
    )


def test_files_that_no_run_names_are_kept(folder):
    (folder.path / "notes.txt").write_text("notes")
    assert ingest(folder, sign=True) == 0
    row = source_row(folder, "notes.txt")
    assert (row["format"], row["status"], row["bytes"]) == ("document", "ok", 5)


def test_times_left_empty_come_from_the_files_of_the_run(folder):
    window = "2026-11-21T04:26:07.969Z,2026-11-21T04:26:12.200Z"
    meta = json.loads((folder.path / REP / "meta.json").read_text())
    line = (folder.path / "runs.csv").read_text().splitlines()[1]
    window = ",".join(line.split(",")[5:7])
    folder.edit("runs.csv", window, ",")
    assert ingest(folder) == 0
    row = run_row(folder)
    start = pl.Series([row["start_utc"]]).str.to_datetime(time_zone="UTC")
    assert start[0].timestamp() == pytest.approx(meta["t_start"], abs=1e-5)
    assert row["end_utc"] > row["start_utc"]


def test_without_any_window_the_log_tells_it(folder):
    line = (folder.path / "runs.csv").read_text().splitlines()[1]
    folder.edit("runs.csv", ",".join(line.split(",")[5:7]), ",")
    drop_meta(folder)
    assert ingest(folder) == 0
    row, log = run_row(folder), table(folder, "benchmark").filter(pl.col("run") == RUN)
    assert row["start_utc"] == log["start_utc"].item()
    assert row["end_utc"] > row["start_utc"]


def test_a_file_that_serves_many_runs_belongs_to_none(folder):
    mpstat = f"{REP}/mpstat.json"
    other = "B/RR10(100B)/rep01/mpstat.json"
    folder.edit("runs.csv", other, mpstat)
    assert ingest(folder) == 0
    rows = table(folder, "cpu_interval").filter(pl.col("basis") == "mpstat")
    shared = rows.filter(pl.col("run").is_null())
    assert shared["source"].unique().len() == 1
    assert shared.height == shared.unique("position").height
    assert set(shared["system"]) == {"vm"}


def test_the_same_files_give_the_same_bytes(folder):
    ingest(folder)
    out = folder.path.parent / "out"
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    ingest(folder)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_worker_processes_read_the_same(folder, monkeypatch):
    files = [f"{REP}/{name}" for name in ("client.txt", "mpstat.json", "meta.json")]
    monkeypatch.setattr(read_all_module, "FILES", 1)
    reader = FileReader(folder.path, "UTC")
    alone = read_all(reader, files)
    shared = read_all(reader, files, parallel=0)
    assert sorted(shared) == sorted(alone)
    for file in files:
        assert shared[file].problems == alone[file].problems
        assert shared[file].circumstances == alone[file].circumstances
        assert shared[file].results == alone[file].results
        for name, frame in alone[file].tables.items():
            assert shared[file].tables[name].equals(frame)


def test_a_mistake_leaves_the_earlier_tables_alone(folder):
    ingest(folder)
    out = folder.path.parent / "out"
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    folder.edit("runs.csv", ",A,", ",C,")
    assert ingest(folder) == 2
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_what_a_killed_run_left_does_no_harm(tmp_path):
    for kind in ("part", "old"):
        (tmp_path / f".out.{kind}").mkdir()
        (tmp_path / f".out.{kind}" / "rest.parquet").write_text("half")
    write_tables({"run": pl.DataFrame(schema=TABLES["run"])}, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"SHA256SUMS", "run.parquet"}


def test_the_campaign_of_150_runs(tmp_path, capsys):
    out = tmp_path / "linux-veth"
    assert main(["ingest", "--campaign", str(LINUX_VETH), "--out", str(out)]) == 0
    assert (
        "linux-veth: 150 runs, 148 ok, 2 failed; 756 files" in capsys.readouterr().out
    )
    runs, result, cpu = (
        pl.read_parquet(out / f"{name}.parquet")
        for name in ("run", "benchmark", "run_cpu")
    )
    lost = runs.filter(pl.col("status") != "ok")
    assert lost.select("configuration", "workload").unique().rows() == [
        ("B", "CRR10(64B/8kB)")
    ]
    assert all("Connection reset by peer" in reason for reason in lost["reason"])
    rows = runs.filter(pl.col("status") == "ok").join(result, on="run")

    def median(configuration: str, workload: str, value: pl.Expr) -> float:
        wanted = (pl.col("configuration") == configuration) & (
            pl.col("workload") == workload
        )
        return rows.filter(wanted).select(value.median()).item()

    stream = pl.col("bytes_per_second") / 1e6
    assert median("A", "RR10(100B)", pl.col("rate")) == pytest.approx(232.8e3, rel=0.01)
    assert median("A", "STR3(1B/20MB)", stream) == pytest.approx(3476, rel=0.01)
    assert median("B", "STR3(1B/20MB)", stream) == pytest.approx(2178, rel=0.01)
    rows = rows.join(cpu.filter(pl.col("role") == "client"), on="run")
    cost = pl.col("cpu_seconds") * 1e6 / pl.col("transactions")
    assert median("A", "STR3(1B/20MB)", cost) == pytest.approx(5867, rel=0.01)


def test_a_report_of_rmf_serves_all_runs_in_the_zone_of_the_campaign(folder):
    folder.edit("campaign.yaml", "  cli:\n", "  SYSA:\n")
    folder.edit("campaign.yaml", "zone: UTC", "zone: America/New_York")
    folder.edit("campaign.yaml", "source: cgroup", "source: lpar_busy")
    report = document(Interval((Processor(dispatched=450.0, mvs_busy=900.0),)).xml())
    (folder.path / "cpu.xml").write_text(report)
    lines = (folder.path / "runs.csv").read_text().replace(",cli,", ",SYSA,")
    lines = [f"{line.rsplit(',', 1)[0]},cpu.xml" for line in lines.splitlines()[1:]]
    header = (folder.path / "runs.csv").read_text().splitlines()[0]
    (folder.path / "runs.csv").write_text("\n".join([header, *lines]) + "\n")
    assert ingest(folder, sign=True) == 0
    row = only(table(folder, "cpu_interval"))
    assert (row["run"], row["system"], row["cpu_type"]) == (None, "SYSA", "CP")
    assert row["start_utc"] == "2022-04-12T04:00:00.000000Z"
    assert row["busy_pct"] == pytest.approx(25)
    assert table(folder, "run_cpu").is_empty()


def test_runs_without_cpu_evidence_are_runs(folder):
    lines = (folder.path / "runs.csv").read_text().splitlines()
    bare = [lines[0], *(f"{line.rsplit(',', 1)[0]}," for line in lines[1:])]
    (folder.path / "runs.csv").write_text("\n".join(bare) + "\n")
    assert ingest(folder) == 0
    assert run_row(folder)["status"] == "ok"
    assert table(folder, "cpu_interval").is_empty()


def test_a_run_by_hand_writes_nothing(small_campaign, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["ingest", "--campaign", str(small_campaign)]) == 0
    assert "4 runs" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_tables_carry_the_digest_of_the_files(small_campaign, tmp_path):
    [row] = store.ingest(small_campaign)["campaign"].to_dicts()
    assert row["campaign"] == small_campaign.name
    assert row["digest"] == content_digest(small_campaign, tmp_path)


def test_a_file_that_changes_while_it_is_read_is_told(small_campaign, monkeypatch):
    def read(*args):
        tables = real(*args)
        os.utime(small_campaign / "runs.csv")
        return tables

    real = store.read_evidence
    monkeypatch.setattr(store, "read_evidence", read)
    with pytest.raises(UserError, match="files changed while they were read"):
        store.ingest(small_campaign)


def test_equal_files_give_equal_bytes(small_campaign, tmp_path):
    for name in ("one", "two"):
        write_tables(store.ingest(small_campaign), tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_three_names_are_listed_and_only_those_beyond_are_counted():
    assert _some(["a", "b", "c"]) == "a, b, c"
    assert _some(["a", "b", "c", "d"]) == "a, b, c and 1 more"
