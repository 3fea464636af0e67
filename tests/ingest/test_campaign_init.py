"""The verb ``campaign init``: proposals from a folder of logs."""

from __future__ import annotations

import csv
import datetime as dt
import json
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.names import RUN
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.guess import guess, role_of
from analysis.ingest.campaign.propose import Run
from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.reading import Reading
from analysis.ingest.store import ingest
from analysis.ingest.tables.catalog import result_row
from synthetic.smf.dump import unblocked
from synthetic.smf.rmf import Activity, Cpu, Interval, Lpar, cpu_activity
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.conftest import LINUX_VETH
from tests.ingest.logs import GOLDEN

OWN = ("campaign.yaml", "runs.csv")
SAMPLES = Path(__file__).parents[3] / "shared/samples/bench"


def lines(folder: Path) -> list[dict[str, str]]:
    with (folder / "runs.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def init(folder: Path) -> int:
    return main(["campaign", "init", str(folder)])


def add(folder: Path, golden: str, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOLDEN / golden, folder / name)


def test_a_campaign_without_its_declarations(small_campaign, tmp_path, capsys):
    """What is proposed for a real campaign is what its author wrote."""
    folder = Path(shutil.copytree(small_campaign, tmp_path / "small"))
    by_hand = ingest(folder)
    for name in (*OWN, "SHA256SUMS"):
        (folder / name).unlink()
    assert init(folder) == 0
    assert "both files pass the checks" in capsys.readouterr().out
    proposed = ingest(folder)
    columns = ["run", "configuration", "workload", "repetition", "status", "log"]
    for one, other in ((by_hand, proposed),):
        assert other["run"].select(columns).equals(one["run"].select(columns))
    used = ["run", "role", "cpu_seconds"]
    assert proposed["run_cpu"].select(used).equals(by_hand["run_cpu"].select(used))
    assert read_checked(folder).campaign.cpu.source == "cgroup"
    assert read_checked(folder).campaign.systems["client"].host == "vm"


def test_checksums_that_came_with_the_files_count(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "a.txt")
    (tmp_path / "SHA256SUMS").write_text(f"{'f' * 64}  a.txt\n")
    init(tmp_path)
    assert "SHA256SUMS:1: the file 'a.txt' has changed" in capsys.readouterr().out


def test_times_are_those_of_the_runs_files(small_campaign, tmp_path):
    folder = Path(shutil.copytree(small_campaign, tmp_path / "small"))
    hand = {line["run"]: line["start"] for line in lines(folder)}
    for name in OWN:
        (folder / name).unlink()
    init(folder)
    for line in lines(folder):
        assert line["start"][:21] == hand[line["run"]][:21]
    assert [line["order"] for line in lines(folder)] == ["1", "2", "3", "4"]


def test_runs_are_never_overwritten(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "a.txt")
    (tmp_path / "runs.csv").write_text("mine")
    assert init(tmp_path) == 2
    assert "exists already" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir() if p.name in OWN] == ["runs.csv"]
    assert (tmp_path / "runs.csv").read_text() == "mine"


def test_new_runs_of_what_was_declared_once(tmp_path, capsys):
    """What a nightly test does: other runs by the same names, one declaration."""
    folder = tmp_path / "release"
    shutil.copytree(LINUX_VETH / "A/RR10(100B)/rep01", folder / "on/RR10(100B)/rep01")
    assert init(folder) == 0
    declared = folder / "campaign.yaml"
    text = declared.read_text()
    for old, new in (("  client:", "  cli:"), ("  server:", "  srv:")):
        text = text.replace(old, new)
    declared.write_text(text.replace("2026-11-21", "2026-11-20"))
    before = declared.read_text()
    (folder / "runs.csv").unlink()
    shutil.rmtree(folder / "on")
    shutil.copytree(LINUX_VETH / "A/RR10(100B)/rep02", folder / "on/RR10(100B)/rep01")
    capsys.readouterr()
    assert main(["checksums", str(folder)]) == 0
    assert init(folder) == 0
    said = capsys.readouterr().out
    assert "1 run, 1 workload, 1 configuration; wrote runs.csv alone" in said
    assert "measured is now from 2026-11-21 to 2026-11-21" in said
    assert "not known" not in said
    assert declared.read_text() == before.replace("2026-11-20", "2026-11-21")
    [line] = lines(folder)
    assert (line["client"], line["server"]) == ("cli", "srv")
    assert ingest(folder)["run_cpu"]["cpu_seconds"].min() > 0


def test_what_is_not_known_is_said(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "fast/RR4(100B)/1.txt", "slow/2.txt")
    (tmp_path / "notes.odt").write_bytes(b"\0\1\2")
    assert init(tmp_path) == 0
    said = capsys.readouterr().out
    assert "the number of processors of client, server: 1 is made up" in said
    assert "start and end of 2 runs" in said
    assert "notes.odt" in said
    notes = {line["configuration"]: line["note"] for line in lines(tmp_path)}
    assert notes["fast"] == ""
    assert notes["slow"] == "made up: shape, bytes sent, bytes received"
    assert "# check" in (tmp_path / "campaign.yaml").read_text()


def test_files_of_several_runs_in_one_folder(tmp_path):
    for number in ("1", "2"):
        add(tmp_path, "wrk/latency.txt", f"base-RR4(64B)-{number}.txt")
        add(tmp_path, "sadf/full.json", f"base-RR4(64B)-{number}.sadf.json")
    init(tmp_path)
    found = [(li["repetition"], li["log"], li["cpu"]) for li in lines(tmp_path)]
    assert found == [
        ("1", "base-RR4(64B)-1.txt", "base-RR4(64B)-1.sadf.json"),
        ("2", "base-RR4(64B)-2.txt", "base-RR4(64B)-2.sadf.json"),
    ]


def test_a_file_of_a_whole_day_serves_the_runs_within_it(tmp_path):
    for name, meta in (("A/RR4(100B)/rep1", "rr"), ("A/RR4(100B)/rep2", "reset")):
        add(tmp_path, "wrk/latency.txt", f"{name}/client.txt")
        add(tmp_path, f"run_meta/{meta}.json", f"{name}/meta.json")
        path = tmp_path / name / "meta.json"
        path.write_text(path.read_text().replace("workload=", "driver="))
    text = (GOLDEN / "sadf/full.json").read_text()
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu/other.json").write_text(text)
    (tmp_path / "cpu/day.json").write_text(text.replace('"04:51:1', '"04:26:3'))
    init(tmp_path)
    by_start = {line["start"][:16]: line["cpu"].split(";") for line in lines(tmp_path)}
    assert [len(by_start), "cpu/other.json" in str(by_start)] == [2, False]
    assert ["cpu/day.json" in cpu for cpu in by_start.values()] == [True, False]


def test_a_lost_log_is_a_run(tmp_path):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/out.txt", "A/RR4(1B)/2/out.txt")
    with (tmp_path / "A/RR4(1B)/2/out.txt").open("a") as log:
        log.write("\n")  # another one, not a copy
    (tmp_path / "A/RR4(1B)/3").mkdir()
    (tmp_path / "A/RR4(1B)/3/out.txt").write_text("")
    init(tmp_path)
    assert len(lines(tmp_path)) == 3
    status = dict(ingest(tmp_path)["run"].select("repetition", "status").rows())
    assert status == {1: "ok", 2: "ok", 3: "empty"}


def test_the_clients_log_is_taken_not_the_servers(tmp_path):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/client.txt", "A/RR4(1B)/1/server.txt")
    init(tmp_path)
    assert [line["log"] for line in lines(tmp_path)] == ["A/RR4(1B)/1/client.txt"]


def activity_of(system: str, cps: int, weight: int = 100) -> bytes:
    """A dump with one record 70-1; a weight of 65,535 is that of dedicated CPs."""
    cpus = [Cpu(cid, 450_000_000, weight=weight) for cid in range(cps)]
    lpars = [Lpar("PROD", 3, cpus), Lpar("TEST", 7, [*cpus, Cpu(9)])]
    return unblocked([cpu_activity(Interval(sid=system), Activity(lpars))])


def test_systems_have_the_cps_that_smf_tells(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    for system, cps in (("SYSA", 4), ("SYSB", 3)):
        (tmp_path / f"{system}.smf").write_bytes(activity_of(system, cps))
    assert init(tmp_path) == 0
    assert "CPs" not in capsys.readouterr().out
    systems = read_checked(tmp_path).campaign.systems
    assert {name: system.cps for name, system in systems.items()} == {
        "SYSA": 4,
        "SYSB": 3,
    }


def test_dedicated_cps_are_proposed_as_such(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    for system, weight in (("SYSA", 65_535), ("SYSB", 100)):
        (tmp_path / f"{system}.smf").write_bytes(activity_of(system, 2, weight))
    assert init(tmp_path) == 0
    assert "both files pass the checks" in capsys.readouterr().out
    systems = read_checked(tmp_path).campaign.systems
    told = {name: one.model_dump(exclude_unset=True) for name, one in systems.items()}
    assert told == {
        "SYSA": {"cps": 2, "dedicated": True},
        "SYSB": {"cps": 2, "dedicated": False},
    }


def test_a_clock_that_was_ahead_is_set_back(tmp_path):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    (tmp_path / "SYSA.smf").write_bytes(activity_of("SYSA", 2))
    assert init(tmp_path) == 0
    first = [ingest(tmp_path)["cpu_interval"]["start_utc"][0]]
    declared = tmp_path / "campaign.yaml"
    text = declared.read_text(encoding="utf-8")
    assert text.count("cps: 2") == 1
    declared.write_text(text.replace("cps: 2", "cps: 2, clock_ahead: 3600.5"))
    rows = ingest(tmp_path)
    first.append(rows["cpu_interval"]["start_utc"][0])
    ahead, right = map(dt.datetime.fromisoformat, first)
    assert ahead - right == dt.timedelta(hours=1, seconds=0.5)
    assert rows["partition_interval"]["start_utc"][0] == first[1]


def test_roles_are_those_of_the_connections_in_the_dumps(tmp_path, capsys):
    """By the alphabet SYSA would be the client; one LPAR alone would be the server."""
    for folder, active in (
        ("two", {"SYSA": False, "SYSB": True}),
        ("one", {"S": True}),
    ):
        add(tmp_path / folder, "wrk/latency.txt", "latency.txt")
        for system, opened in active.items():
            made = [
                cpu_activity(Interval(sid=system), Activity([Lpar("P", 3, [Cpu(0)])]))
            ]
            made += [connection(Connection(active=opened), sid=system)]
            (tmp_path / folder / f"{system}.smf").write_bytes(unblocked(made))
        assert init(tmp_path / folder) == 0
    told = capsys.readouterr().out
    assert (
        "SYSB was taken for the client, SYSA was taken for the server, as its" in told
    )
    assert [(one["client"], one["server"]) for one in lines(tmp_path / "two")] == [
        ("SYSB", "SYSA")
    ]
    assert [one["client"] for one in lines(tmp_path / "one")] == ["S"]


def test_an_archive_of_several_files_is_told_and_the_rest_proposed(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    with zipfile.ZipFile(tmp_path / "day.zip", "w") as archive:
        for name in ("a.txt", "b.txt"):
            archive.writestr(name, name)
    assert init(tmp_path) == 0
    said = capsys.readouterr().out
    assert "day.zip: ZIP: 2 files are in it" in said
    assert f"unzip -n {tmp_path}/day.zip -d {tmp_path}/day && mv" in said


def test_one_lpar_is_the_server_with_its_own_cps(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    (tmp_path / "a.smf").write_bytes(activity_of("RPRT", 1))
    assert init(tmp_path) == 0
    assert "RPRT was taken for the server" in capsys.readouterr().out
    [(name, system)] = read_checked(tmp_path).campaign.systems.items()
    assert (name, system.cps) == ("RPRT", 1)
    assert [line["server"] for line in lines(tmp_path)] == ["RPRT"]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("a/cmd.sh", "netperf -H srv -t TCP_RR -l 4 -P 0 -- -r 100,8K -k all\n"),
        ("a/meta.json", '{"client_cmd": "netperf -P 0 -t TCP_RR -- -r 100,8K"}'),
        ("a/log.txt", "$ netperf -P 0 -t TCP_RR -- -r 100,8K\n"),
    ],
)
def test_what_a_log_leaves_out_is_told_by_the_command(tmp_path, place, text):
    add(tmp_path, "netperf_omni/nameless.csv", "a/log.txt")
    log = (
        "".join([text] * (place == "a/log.txt")) + (tmp_path / "a/log.txt").read_text()
    )
    (tmp_path / "a/log.txt").write_text(log)
    if place != "a/log.txt":
        (tmp_path / place).write_text(text)
    init(tmp_path)
    assert [line["workload"] for line in lines(tmp_path)] == ["RR1(100B/8kB)"]


def test_the_days_are_those_that_logs_tell(tmp_path):
    add(tmp_path, "iperf3/tcp.json", "a/client.json")
    init(tmp_path)
    measured = read_checked(tmp_path).campaign.measured
    told = read_file(tmp_path / "a/client.json").results[0]["start_utc"][:10]
    assert [str(measured.start), str(measured.end)] == [told, told]


def test_days_that_nothing_tells_are_those_of_the_files(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "a.txt")
    os.utime(tmp_path / "a.txt", (1_700_000_000, 1_700_000_000))
    init(tmp_path)
    assert "last changed were taken" in capsys.readouterr().out
    assert str(read_checked(tmp_path).campaign.measured.start) == "2023-11-14"


def test_logs_of_different_tools_are_never_repetitions(tmp_path):
    add(tmp_path, "sockperf/pp-full-rtt.txt", "sockperf.txt")
    add(tmp_path, "netperf/rr.txt", "netperf.txt")
    add(tmp_path, "sockperf/refused.txt", "failed-sockperf.txt")
    for name in ("sockperf.txt", "failed-sockperf.txt"):
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(f"$ sockperf pp -m 100\n{text}")
    add(tmp_path, "wrk/latency.txt", "wrk.txt")
    init(tmp_path)
    groups: dict[tuple[str, str], set[str]] = {}
    for line in lines(tmp_path):
        key = line["configuration"], line["workload"]
        tool = line["log"].removeprefix("failed-").partition(".")[0]
        groups.setdefault(key, set()).add(tool)
    assert all(len(tools) == 1 for tools in groups.values())
    assert sorted(name for name, _ in groups) == [
        "base-netperf", "base-sockperf", "base-wrk",
    ]  # fmt: skip


def test_every_file_that_nothing_reads_is_named(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "a/client.txt")
    (tmp_path / "b").mkdir()
    names = [f"b/notes-{number:02}.txt" for number in range(30)]
    for name in (*names, "b/results.json"):
        (tmp_path / name).write_text('{"rate": 1}')
    init(tmp_path)
    said = capsys.readouterr().out
    assert all(name.removeprefix("b/") in said for name in names)
    assert "if b/results.json holds results, write them as docs/how-to/bench" in said


def test_a_system_whose_cps_nothing_tells_is_named(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    (tmp_path / "a.smf").write_bytes(activity_of("SYSA", 4))
    (tmp_path / "b.smf").write_bytes(unblocked([address_space(Space(sid="SYSB"))]))
    assert init(tmp_path) == 0
    assert "the number of processors of SYSB: 1 is made up" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["ascii", "cp037"])
def test_files_that_say_they_are_synthetic_are_not_proposed_as_measured(
    tmp_path, capsys, page
):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    (tmp_path / "other.dat").write_bytes(b"\0" + "SYNTHETIC, nobody".encode(page))
    assert init(tmp_path) == 0
    assert read_checked(tmp_path).campaign.origin == "synthetic"
    said = capsys.readouterr().out
    assert "synthetic was taken, as files say SYNTHETIC, such as other.dat" in said


def test_files_without_that_label_are_proposed_as_measured(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "latency.txt")
    (tmp_path / "notes.txt").write_text("a synthetic load\n")
    assert init(tmp_path) == 0
    assert read_checked(tmp_path).campaign.origin == "measured"
    assert "SYNTHETIC" not in capsys.readouterr().out


def test_snapshots_of_both_hosts_get_their_side(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/log.txt")
    for side in ("client", "server"):
        for when in ("before", "after"):
            counters = LINUX_VETH / "A/RR10(100B)/rep01" / f"proc_stat.{when}"
            shutil.copy(counters, tmp_path / f"A/RR4(1B)/1/{side}.{when}")
    init(tmp_path)
    assert "how many CPs" not in capsys.readouterr().out
    (line,) = lines(tmp_path)
    assert "server=A/RR4(1B)/1/server.after" in line["cpu"].split(";")
    roles = ingest(tmp_path)["run_cpu"]["role"]
    assert sorted(set(roles)) == ["client", "server"]


def test_control_groups_get_their_side(tmp_path):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1/log.txt")
    for side in ("client", "server"):
        for when in ("before", "after"):
            add(tmp_path, "cgroup/cpuacct.stat", f"A/RR4(1B)/1/{side}.{when}")
    init(tmp_path)
    (line,) = lines(tmp_path)
    assert "client=A/RR4(1B)/1/client.after" in line["cpu"].split(";")
    assert "cpu: {source: cgroup" in (tmp_path / "campaign.yaml").read_text()


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: None, "there is no file in it"),
        (lambda path: (path / "a.txt").write_text("hello"), "no benchmark log"),
        (shutil.rmtree, "there is no such campaign"),
    ],
)
def test_folders_without_logs(tmp_path, capsys, make, what):
    folder = tmp_path / "lab"
    folder.mkdir()
    make(folder)
    assert init(folder) == 2
    said = capsys.readouterr().err
    assert what in said
    assert "  mend: " in said


ROW = {"shape": "RR", "clients": 4, "request_bytes": 64, "response_bytes": 8192}


@pytest.mark.parametrize(
    ("path", "configuration", "workload", "repetition"),
    [
        ("A/RR10(100B)/rep03/client.txt", "A", "RR10(100B)", 3),
        ("osd/STR3(1B_20MB)/run-2/log", "osd", "STR3(1B/20MB)", 2),
        ("osd/STR3(1B/20MB)/2/log", "osd", "STR3(1B/20MB)", 2),
        ("osh-CRR10(64B_8kB)-04.txt", "osh", "CRR10(64B/8kB)", 4),
        ("web/WEB20(70B_~3.5kB)/1.txt", "web", "WEB20(70B/~3.5kB)", 1),
        ("[RR][10](1B_100B)/1.txt", "base", "RR10(1B/100B)", 1),
        ("osd/uperf-7.txt", "osd", "RR4(64B/8kB)", 7),
        ("uperf-7.txt", "uperf", "RR4(64B/8kB)", 7),
        ("log.txt", "base", "RR4(64B/8kB)", None),
        ("rep2/osd/client.txt", "osd", "RR4(64B/8kB)", 2),
        ("results/2026-01-12/osd/Run 3/client.txt", "osd", "RR4(64B/8kB)", 3),
        ("rep2/RR10(100B)/osd/client.txt", "osd", "RR10(100B)", 2),
        ("osd/#4/client.txt", "osd", "RR4(64B/8kB)", 4),
        ("rep5/osd.log", "osd", "RR4(64B/8kB)", 5),
        ("osd_run6/uperf.txt", "osd", "RR4(64B/8kB)", 6),
        ("20260112-101500/round7/client.txt", "base", "RR4(64B/8kB)", 7),
    ],
)
def test_a_path_tells_configuration_workload_and_repetition(
    path, configuration, workload, repetition
):
    row = ROW if workload == "RR4(64B/8kB)" else {}
    found = guess(path, Reading("uperf", results=[result_row(row)]))
    assert found.configuration == configuration
    assert found.workload == workload
    assert found.repetition == repetition
    assert re.fullmatch(RUN, Run("log", found, repetition=1).id)


@pytest.mark.parametrize(
    ("path", "configuration", "session"),
    [
        ("session2/osd/RR1(1B)/rep1/client.txt", "osd", "session2"),
        ("osd/RR1(1B)/Boot-3/rep1/client.txt", "osd", "Boot-3"),
        ("osd_ipl2/RR1(1B)/rep1/client.txt", "osd", "ipl2"),
        ("day1/boot2/osd/1/client.txt", "osd", "day1-boot2"),
        ("2026-01-12/osd/1/client.txt", "osd", "2026-01-12"),
        ("20260112-101500/osd/1/client.txt", "osd", ""),  # of one run
        ("setup2/1/client.txt", "setup2", ""),  # may be what is compared
        ("daylight1/1/client.txt", "daylight1", ""),
    ],
)
def test_sessions_by_name(path, configuration, session):
    found = guess(path, Reading("uperf", results=[result_row(ROW)]))
    assert (found.configuration, found.session) == (configuration, session)


def measured(folder: Path, starts: dict[str, str], **more: str) -> None:
    """Runs of a minute from these times on, by their folders."""
    for name, start in starts.items():
        begin = dt.datetime.fromisoformat(f"2026-01-12T{start}Z").timestamp()
        add(folder, "wrk/latency.txt", f"{name}/client.txt")
        with (folder / name / "client.txt").open("a") as log:
            log.write("\n" * int(begin % 1000))  # no copy of another one
        times = {"t_start": begin, "t_end": begin + 60, "client_cmd": "wrk"}
        boot = {"boot_id": more[name]} if name in more else {}
        (folder / name / "meta.json").write_text(json.dumps(times | boot))


def sessions_of(folder: Path) -> list[str | None]:
    """Of the runs in their order."""
    return [line.get("session") for line in lines(folder)]


NINE = ["08:01", "08:03", "08:05", "09:06", "09:08", "09:10", "10:11", "10:13", "10:15"]


def test_sessions_by_long_pauses(tmp_path, capsys):
    measured(tmp_path, {f"A/{n}": start for n, start in enumerate(NINE, 1)})
    assert init(tmp_path) == 0
    assert sessions_of(tmp_path) == [*"111222333"]
    said = "3 sessions by pauses of an hour or more that are 10 times the usual one"
    assert f"{said}; please check the column session" in capsys.readouterr().out
    assert f"# check: runs.csv has {said}" in (tmp_path / "campaign.yaml").read_text()
    assert ingest(tmp_path)["run"]["session"].to_list() == [*"111222333"]


@pytest.mark.parametrize(
    "starts",
    [
        [*NINE[:3], "09:04", "09:06"],  # less than an hour
        ["01:01", "03:02", "05:03", "07:04"],  # a timer's pauses
        ["01:01", "13:02"],
    ],
)
def test_pauses_that_are_not_long_or_usual_part_no_sessions(tmp_path, capsys, starts):
    measured(tmp_path, {f"A/{n}": start for n, start in enumerate(starts, 1)})
    assert init(tmp_path) == 0
    assert set(sessions_of(tmp_path)) == {None}
    assert "restarted or set up anew (session)" in capsys.readouterr().out


def test_sessions_by_boots_go_before_pauses(tmp_path, capsys):
    starts = {f"A/{n}": start for n, start in enumerate(NINE, 1)}
    boots = {name: "ab"[number > 4] for number, name in enumerate(starts)}
    measured(tmp_path, starts, **boots)
    assert init(tmp_path) == 0
    assert sessions_of(tmp_path) == [*"111112222"]
    assert "2 sessions by the starts of the systems" in capsys.readouterr().out


def test_sessions_by_the_start_that_snapshots_tell(tmp_path):
    starts = {f"A/{n}": start for n, start in enumerate(NINE[:4], 1)}
    measured(tmp_path, starts)
    counters = (LINUX_VETH / "A/RR10(100B)/rep01/proc_stat.before").read_text()
    for name, boot in zip(
        starts, (1_000_000, 1_000_001, 1_000_600, 1_000_601), strict=True
    ):
        told = re.sub(r"btime \d+", f"btime {boot}", counters)
        (tmp_path / name / "server.before").write_text(told)
        (tmp_path / name / "server.after").write_text(told)
    init(tmp_path)
    assert sessions_of(tmp_path) == [*"1122"]


def test_sessions_by_the_words_of_the_driver(tmp_path):
    measured(tmp_path, {"A/1": "08:01", "A/2": "08:03"})
    for name in ("A/1", "A/2"):
        path = tmp_path / name / "meta.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"session": "first"}))
    init(tmp_path)
    assert sessions_of(tmp_path) == ["first", "first"]


def test_roles_by_name():
    assert role_of("a/client.before") == "client"
    assert role_of("srv/cpu.stat") == "server"
    assert role_of("client/server.txt") is None
    assert role_of("observer.txt") is None


def test_nothing_known_of_a_log_is_all_made_up():
    assert guess("log.txt", Reading("wrk")).unknown[:2] == (
        "shape",
        "number of clients",
    )


def test_each_test_of_a_log_is_proposed_as_a_run(tmp_path):
    shutil.copy(GOLDEN / "ftp_zos" / "get-put.txt", tmp_path / "ftp.txt")
    shutil.copy(GOLDEN / "wrk" / "latency.txt", tmp_path / "wrk.txt")
    assert main(["campaign", "init", str(tmp_path)]) == 0
    with (tmp_path / "runs.csv").open(newline="") as stream:
        found = [(row["log"], row["test"]) for row in csv.DictReader(stream)]
    assert sorted(found) == [("ftp.txt", "RETR"), ("ftp.txt", "STOR"), ("wrk.txt", "")]
    assert ingest(tmp_path)["benchmark"].height == 3


def test_tests_that_nothing_else_tells_apart_are_no_repetitions(tmp_path):
    add(tmp_path, "openssl_speed/doing.txt", "a/client.txt")
    assert init(tmp_path) == 0
    found = lines(tmp_path)
    assert {line["repetition"] for line in found} == {"1"}
    assert len({line["configuration"] for line in found}) == len(found) == 4
    assert "the name of the configuration" in found[0]["note"]


def test_instances_are_the_clients_of_one_workload(tmp_path):
    add(tmp_path, "netperf/concurrent-8.txt", "a/client.txt")
    assert init(tmp_path) == 0
    (line,) = lines(tmp_path)
    assert line["workload"] == "RR8(100B)"
    assert "8 results, taken for instances side by side" in line["note"]


def test_results_one_after_another_are_no_run(tmp_path, capsys):
    add(tmp_path, "iperf3/two-sessions.json", "a/client.json")
    assert init(tmp_path) == 2
    assert "client.json, which does not say that its results" in capsys.readouterr().err
    add(tmp_path, "wrk/latency.txt", "b/client.txt")
    assert init(tmp_path) == 0
    assert "client.json, which does not say that its results" in capsys.readouterr().out
    assert [line["log"] for line in lines(tmp_path)] == ["b/client.txt"]


def beside(folder: Path, log: Path, *names: str) -> None:
    """A log with files of another machine, workload and time, as of a wrong copy."""
    (folder / log).parent.mkdir(parents=True, exist_ok=True)
    for name in names:
        add(folder, name, f"{log.parent}/{Path(name).name}")


LAYOUTS = {
    "flat": ("{kind}-{name}", ()),
    "paths that name another workload": ("{kind}-{name}/STR7(3B_9B)/rep2/log", ()),
    "times of another run": ("{kind}/{name}/rep1/client.txt", ("run_meta/rr.json",)),
    "CPU files of another run": (
        "{kind}/{name}/1/log",
        ("run_meta/reset.json", "mpstat/str.json", "sadf/full.json"),
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_proposed_of_any_logs_is_not_refused(tmp_path, capsys, layout):
    pattern, others = LAYOUTS[layout]
    seen = set()
    for path in sorted(GOLDEN.glob("*/*")):
        kind = path.parent.name
        of_new_kind = kind not in seen or layout == "flat"  # all files once
        if kind in FORMATS and of_new_kind and not path.name.endswith(".expected.json"):
            seen.add(kind)
            log = Path(pattern.format(kind=kind, name=path.name))
            beside(tmp_path, log, *others)
            shutil.copy(path, tmp_path / log)
    assert init(tmp_path) == 0
    assert "both files pass the checks" in capsys.readouterr().out
    tables = ingest(tmp_path)
    least = 150 if layout == "flat" else 25
    assert tables["run"].height == len(lines(tmp_path)) > least


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared/samples")
def test_what_is_proposed_of_the_samples_is_not_refused(tmp_path, capsys):
    shutil.copytree(SAMPLES, tmp_path / "lab")
    assert init(tmp_path / "lab") == 0
    assert "both files pass the checks" in capsys.readouterr().out
    assert ingest(tmp_path / "lab")["run"].height > 30


def write_meta(path: Path, begun: float, end: float) -> None:
    meta = json.loads((GOLDEN / "run_meta/rr.json").read_text())
    path.write_text(json.dumps(meta | {"t_start": begun, "t_end": end, "note": ""}))


def test_what_files_say_is_proposed(tmp_path):
    add(tmp_path, "iperf3/tcp.json", "a/STR1(128kB_1B)/rep1/client.json")
    add(tmp_path, "iperf3/tcp.json", "b/STR1(128kB_1B)/rep1/client.json")
    log = tmp_path / "b/STR1(128kB_1B)/rep1/client.json"
    log.write_text(log.read_text().replace("1448", "8948"))
    assert init(tmp_path) == 0
    campaign = read_checked(tmp_path).campaign
    mtus = {id: of.details["MTU"] for id, of in campaign.configurations.items()}
    assert mtus == {"a": 1500, "b": 9000}
    assert campaign.software == {"Kernel": "6.18.44-fc-v470"}
    assert campaign.measured.how == "with iperf3, how long, in which order"


def test_what_smf_says_is_proposed(tmp_path):
    add(tmp_path, "wrk/latency.txt", "osd/RR4(1B)/1.txt")
    interval = Interval(sid="SYSA", offset=-5.0)
    begun, end = interval.start.timestamp(), interval.end.timestamp()
    write_meta(tmp_path / "osd/RR4(1B)/meta.json", begun, end)
    cpus = [Cpu(cid, 450_000_000) for cid in range(3)]
    dump = unblocked([cpu_activity(interval, Activity([Lpar("PROD", 3, cpus)]))])
    (tmp_path / "osd/RR4(1B)/day.smf").write_bytes(dump)
    assert init(tmp_path) == 0
    campaign = read_checked(tmp_path).campaign
    assert campaign.zone == "Etc/GMT+5"
    assert campaign.systems["SYSA"].cps == 3
    assert campaign.configurations["osd"].details["CPC"] == "z17"
    assert "z/OS release" in campaign.configurations["osd"].details


def test_a_log_that_denies_its_path_is_believed(tmp_path):
    add(tmp_path, "netperf/concurrent-8.txt", "A/RR4(100B)/rep1/client.txt")
    assert init(tmp_path) == 0
    (line,) = lines(tmp_path)
    assert line["workload"] == "RR8(100B)"
    assert "its path names RR4(100B), which it denies" in line["note"]
    assert ingest(tmp_path)["run"]["status"].to_list() == ["ok"]


def test_a_start_cut_to_its_second_is_that_of_the_run(tmp_path):
    """iperf3 writes whole seconds, and its driver began later in that second."""
    add(tmp_path, "iperf3/bytes.json", "a/client.json")
    begun = read_file(tmp_path / "a/client.json").results[0]["start_utc"]
    seconds = dt.datetime.fromisoformat(begun).timestamp()
    write_meta(tmp_path / "a/meta.json", seconds + 0.7, seconds + 0.9)
    assert init(tmp_path) == 0
    (line,) = lines(tmp_path)
    assert line["start"] > begun
    assert ingest(tmp_path)["run"].height == 1


def test_local_times_tell_the_zone(tmp_path, capsys):
    folder = tmp_path / "lab/A/RR10(100B)/rep01"
    shutil.copytree(LINUX_VETH / "A/RR10(100B)/rep01", folder)
    local = (folder / "mpstat.json").read_text().replace('"04:26:', '"06:26:')
    (folder / "mpstat.json").write_text(local)
    assert init(tmp_path / "lab") == 0
    assert "the zone of local times: Etc/GMT-2 was taken" in capsys.readouterr().out
    assert ingest(tmp_path / "lab")["cpu_interval"]["start_utc"].min() > "2026-11-21T04"


def test_files_that_contradict_their_run_are_left_out(tmp_path):
    """Of another day: a difference that no zone makes."""
    folder = tmp_path / "lab/A/RR10(100B)/rep01"
    shutil.copytree(LINUX_VETH / "A/RR10(100B)/rep01", folder)
    text = (folder / "mpstat.json").read_text().replace("2026-11-21", "2026-11-19")
    (folder / "mpstat.json").write_text(text)
    assert init(tmp_path / "lab") == 0
    (line,) = lines(tmp_path / "lab")
    assert (line["cpu"], line["start"]) == ("", "")
    assert "cpu, start and end left out: the run is from 2026-11-21" in line["note"]
    assert ingest(tmp_path / "lab")["run"]["status"].to_list() == ["ok"]


def test_an_answer_of_rmf_without_a_report_is_no_run(tmp_path, capsys):
    add(tmp_path, "wrk/latency.txt", "A/RR4(1B)/1.txt")
    reply = '<ddsml><message id="GPM0739E"><description>Invalid</description>'
    (tmp_path / "rmf").mkdir()
    (tmp_path / "rmf/cpu.xml").write_text(f"{reply}</message></ddsml>")
    assert init(tmp_path) == 0
    said = capsys.readouterr().out
    assert "files in which nothing can be used:\n  rmf/cpu.xml: GPM0739E" in said
    assert [line["log"] for line in lines(tmp_path)] == ["A/RR4(1B)/1.txt"]
