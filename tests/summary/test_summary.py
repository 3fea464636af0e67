"""One run or two, told at once: the values of a campaign, without one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import main
from analysis.ingest.detect import read_file
from analysis.statistics.median_change import measure_change
from synthetic.emitters.rmf_xml import Interval, Processor, document
from tests.conftest import ROOT

VETH = ROOT / "raw/linux-veth"
RUN = VETH / "A/RR10(100B)/rep01"
OTHER = VETH / "B/RR10(100B)/rep01"
GOLDEN = ROOT / "tests/golden"
RMF = [
    Interval(
        tuple(Processor(online=10.0, dispatched=2.5) for _ in range(4)),
        start=f"01/12/2026-14.0{minute}.00",
        end=f"01/12/2026-14.0{minute}.10",
        seconds=10.0,
    )
    for minute in (0, 1)
]


@pytest.fixture
def told(capsys, tmp_path, monkeypatch):
    """What the verb says as JSON, called from a folder of no project."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> dict:
        assert main(["summary", *map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def values(said: dict) -> dict[tuple[str, str], list[float | None]]:
    return {(row["metric"], row["of"]): row["values"] for row in said["values"]}


def test_a_run_has_the_values_of_its_files(told):
    found = values(told(RUN))
    [result] = read_file(RUN / "client.txt").results
    meta = json.loads((RUN / "meta.json").read_text())
    for side in ("client", "server"):
        cost = meta[f"cpuacct_{side}_s"] * 1e6 / result["transactions"]
        assert found["cpu_cost", side] == [pytest.approx(cost)]
    assert found["rate", ""] == [pytest.approx(result["rate"])]
    assert found["latency", ""] == [result["latency_mean_us"]]
    # how many CPs the control groups could use, no file tells
    assert ("utilisation", "client") not in found


def test_two_runs_beside_each_other(told):
    said = told(RUN, OTHER)
    one, other = (values(told(of)) for of in (RUN, OTHER))
    for key, both in values(said).items():
        assert both == pytest.approx(one[key] + other[key])
    [rate] = [row for row in said["values"] if row["metric"] == "rate"]
    first, second = rate["values"]
    assert rate["change"] == pytest.approx((second / first - 1) * 100)
    assert [run["status"] for run in said["runs"]] == ["ok", "ok"]


def test_the_busy_share_of_a_machine_is_cpu_time(told):
    log, mpstat = RUN / "client.txt", RUN / "mpstat.json"
    found = values(told(log, "--client", mpstat))
    ticks = values(
        told(log, "--client", RUN / "proc_stat.before", RUN / "proc_stat.after")
    )
    assert found["cpu_cost", "client"][0] == pytest.approx(
        ticks["cpu_cost", "client"][0], rel=0.1
    )
    assert ("cpu_cost", "server") not in found


LOG = """benchmark_contract,tool,workload,start,seconds,transactions,latency_mean_us
1,AWM,RR1(100B),2026-01-12T14:00:00Z,10,1000000,9.9
"""
LATER = LOG.replace("14:00:00Z,10,1000000,9.9", "14:01:00Z,10,500000,19.9")


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Two logs of ten seconds, and a report of RMF of both: four CPs of SYSA were busy
    to a quarter."""
    (tmp_path / "one.csv").write_text(LOG)
    (tmp_path / "two.csv").write_text(LATER)
    (tmp_path / "rmf.xml").write_text(document(*(of.xml() for of in RMF)))
    return tmp_path


def test_a_report_of_rmf_serves_both_runs(told, lab):
    rmf = f"SYSA={lab / 'rmf.xml'}"
    said = told(lab / "one.csv", lab / "two.csv", "--server", rmf, "--zone", "UTC")
    # 25% of 4 CPs in 10 s are 10 s of CPU time
    assert values(said)["cpu_cost", "server"] == pytest.approx([10.0, 20.0])
    assert values(said)["utilisation", "server"] == pytest.approx([25.0, 25.0])


def test_what_cannot_be_told_is_said_with_the_reason(told):
    stream = GOLDEN / "iperf3/tcp.json"
    [note] = told(stream)["notes"]
    assert note.startswith("run 1: no file tells CPU time; name some with --client")
    notes = told(stream, "--client", RUN / "mpstat.json")["notes"]
    assert any("the log of iperf3 counts no transactions" in note for note in notes)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("sockperf/pp-oneway.txt", "its log has latency one way; it is doubled here"),
        ("iperf3/bidir.json", "throughput is that of both ways, added up"),
    ],
)
def test_what_was_done_to_numbers_of_a_log_is_said(told, file, said):
    assert any(note.endswith(said) for note in told(GOLDEN / file)["notes"])
    assert not any(said in note for note in told(RUN)["notes"])


def test_a_run_of_milliseconds_is_warned_of(told, tmp_path):
    (tmp_path / "one.csv").write_text(LOG.replace(",10,1000000", ",0.0035,350"))
    notes = told(tmp_path / "one.csv")["notes"]
    assert any("0.0035 s is too short a run" in note for note in notes)


def test_a_failed_run_has_its_tool_and_what_its_stderr_says(capsys, tmp_path):
    banner, refused = (GOLDEN / "ab/refused.txt").read_text().rsplit("...", 1)
    (tmp_path / "client.txt").write_text(f"{banner}...")
    (tmp_path / "client.stderr").write_text(f"{refused.strip()}\x1b[2J\nmore\n")
    assert main(["summary", str(tmp_path)]) == 2
    text = capsys.readouterr().out
    assert "truncated" not in text
    where = f"(ab), failed: {tmp_path / 'client.stderr'}:1"
    assert f"{where}: apr_socket_recv: Connection refused (111)[2J" in text
    (tmp_path / "client.stderr").write_text("killed\n")
    assert main(["summary", str(tmp_path)]) == 2
    text = capsys.readouterr().out
    assert "(ab), truncated" in text
    assert "client.stderr says: killed" in text
    assert main(["summary", str(GOLDEN / "wrk/refused.txt")]) == 2
    assert "refused.txt (wrk), failed" in capsys.readouterr().out


def test_one_of_several_tests_of_a_log_has_no_cpu_time_of_its_own(told):
    log = GOLDEN / "qperf/several.txt"
    rows = {row["test"]: row for row in read_file(log).results}
    name, row = next((n, r) for n, r in rows.items() if r["latency_mean_us"])
    said = told(log, "--test", name, "--client", RUN / "mpstat.json")
    assert values(said)["latency", ""] == [row["latency_mean_us"]]
    assert not any(metric == "cpu_cost" for metric, _ in values(said))
    assert said["notes"] == [
        "run 1: no CPU cost: the files tell CPU time of all tests of the log",
        "run 1: its log has latency one way; it is doubled here",
    ]
    stream = next(n for n, r in rows.items() if not r["latency_mean_us"])
    assert not any("doubled" in note for note in told(log, "--test", stream)["notes"])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["qperf/several.txt"], "name one of them with --test"),
        (["iperf3/refused.json"], "failed: "),
        (["mpstat/str.json"], "there is no log of a run"),
        (["iperf3/tcp.json", "iperf3/udp.json", "iperf3/bytes.json"], "3 runs: "),
        (["iperf3/nosuch.json"], "there is no such file"),
    ],
)
def test_files_of_no_usable_run(capsys, files, said):
    assert main(["summary", *(str(GOLDEN / file) for file in files)]) == 2
    told = capsys.readouterr()
    assert said in told.out + told.err


def test_text_and_markdown_have_the_same_cells(capsys, told):
    assert main(["summary", str(RUN), str(OTHER)]) == 0
    text = capsys.readouterr().out
    assert main(["summary", str(RUN), str(OTHER), "--markdown"]) == 0
    table = capsys.readouterr().out
    [rate] = [line for line in table.splitlines() if line.startswith("| Transaction")]
    cells = rate.strip("| ").split(" | ")
    assert len(cells) == 5
    [line] = [line for line in text.splitlines() if line.startswith("Transaction rate")]
    assert line.split()[2:] == cells[1:]
    assert "one run each" in text
    assert "- one run each" in table


A, B = VETH / "A", VETH / "B"


@pytest.fixture
def folders(tmp_path: Path):
    """Two folders with links to repetitions of one workload."""

    def make(**runs: list[Path]) -> list[Path]:
        for name, sources in runs.items():
            for number, source in enumerate(sources):
                target = tmp_path / name / "RR10(100B)" / f"rep{number}"
                shutil.copytree(source, target)
        return [tmp_path / name for name in runs]

    return make


def reps(folder: Path) -> list[Path]:
    return sorted((folder / "RR10(100B)").iterdir())


def test_folders_of_repetitions_have_the_statistics_of_a_report(told, folders):
    rows = told(*folders(one=reps(A), two=reps(B)))["rows"]
    first, second = (row for row in rows if row["quantity"] == "Transaction rate")
    rates = [
        np.array([read_file(run / "client.txt").results[0]["rate"] for run in runs])
        for runs in (reps(A), reps(B))
    ]
    change = measure_change(*rates)
    assert first["median"] == pytest.approx(np.median(rates[0]))
    assert (first["n"], second["n"]) == tuple(map(len, rates))
    assert second["change"] == pytest.approx(change.value)
    low, high = change.interval  # which the resolution of the logs widens
    assert low - 0.1 < second["change_low"] <= low
    assert high <= second["change_high"] < high + 0.1
    assert second["verdict"] == "inconclusive"
    assert second["detectable"] > 0
    assert first["verdict"] is None
    assert second["workload"] == "RR10(100B)"


def test_three_repetitions_have_a_change_and_no_verdict(told, folders):
    rows = told(*folders(one=reps(A)[:3], two=reps(B)[:3]))["rows"]
    assert all(row["verdict"] is None and row["n"] == 3 for row in rows)
    assert any(row["change"] for row in rows)


def test_a_failed_run_of_a_folder_is_named_and_left_out(told, folders):
    one, two = folders(one=reps(A)[:5], two=reps(B)[:5])
    log = two / "RR10(100B)" / "rep4" / "client.txt"
    log.write_bytes(log.read_bytes()[:200])
    said = told(one, two)
    assert any(f"{log} is left out, " in note for note in said["notes"])
    assert {r["n"] for r in said["rows"] if r["folder"] == str(two)} == {4}


def test_different_tools_are_not_compared(capsys, folders):
    one, two = folders(one=reps(A)[:2], two=reps(B)[:2])
    line = "1,AWM,RR10(100B),2026-01-12T14:00:00Z,10,1000000,9.9\n"
    for run in reps(two):
        for file in run.iterdir():
            file.unlink()
        (run / "client.csv").write_text(LOG.splitlines(keepends=True)[0] + line)
    assert main(["summary", str(one), str(two), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert said["rows"] == []
    assert "RR10(100B) is not compared: it is of AWM and uperf" in said["notes"]


def test_a_folder_of_logs_alone_holds_repetitions(told, tmp_path):
    paths = flat(tmp_path, A={str(n): run for n, run in enumerate(reps(A), 1)})
    said = told(*paths)
    assert [row["n"] for row in said["rows"]] == [len(reps(A))] * len(said["rows"])
    rates = [read_file(run / "client.txt").results[0]["rate"] for run in reps(A)]
    assert said["rows"][0]["median"] == pytest.approx(np.median(rates))
    assert any("taken to be of one load" in note for note in said["notes"])


def test_logs_named_by_their_time_are_repetitions(told, tmp_path):
    names = "rr_20260112_140000", "rr_20260113_150000"
    said = told(*flat(tmp_path, A=dict(zip(names, reps(A), strict=False))))
    assert {row["n"] for row in said["rows"]} == {2}


def flat(folder: Path, **logs: dict[str, Path]) -> list[Path]:
    """Folders with logs that do not tell the bytes, by their paths in them."""
    for name, sources in logs.items():
        for path, source in sources.items():
            target = folder / name / f"{path}.txt"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / "client.txt", target)
    return [folder / name for name in logs]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (["64/1", "64/2", "1024/1", "1024/2"], ["64/1", "1024/1"]),
        (["64-1", "64-2"], ["1024-1", "1024-2"]),
        (["64", "1024"], ["64", "1024"]),
    ],
)
def test_runs_that_may_be_of_unlike_sizes_are_not_pooled(capsys, tmp_path, one, two):
    logs = {name: dict.fromkeys(paths, RUN) for name, paths in (("a", one), ("b", two))}
    assert main(["summary", *map(str, flat(tmp_path, **logs)), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert said["rows"] == []
    assert any("may be of unlike loads, as the logs" in n for n in said["notes"])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (["base-1", "base-2"], ["new-1", "new-2"]),
        (["session1/rep1/log", "session2/rep4/log"], ["session1/rep9/log"]),
        (["2026-01-12/1", "2026-01-13/2"], ["2026-01-12/1"]),
    ],
)
def test_counts_of_repetitions_are_no_sizes(told, tmp_path, one, two):
    logs = {name: dict.fromkeys(paths, RUN) for name, paths in (("a", one), ("b", two))}
    rows = told(*flat(tmp_path, **logs))["rows"]
    assert {(Path(r["folder"]).name, r["n"]) for r in rows} == {
        ("a", len(one)), ("b", len(two)),
    }  # fmt: skip


def test_the_table_of_folders_in_each_form(capsys, folders):
    paths = list(map(str, folders(one=reps(A)[:4], two=reps(B)[:4])))
    heads = {"text": "workload  ", "markdown": "| workload |", "csv": "workload,"}
    for form, head in heads.items():
        options = [] if form == "text" else [f"--{form}"]
        assert main(["summary", *paths, *options]) == 0
        assert capsys.readouterr().out.startswith(head)


def test_folders_without_a_log_and_one_named_twice_are_mistakes(capsys, folders):
    [one] = folders(one=reps(A)[:1])
    (empty := one.parent / "empty" / "rep1").mkdir(parents=True)
    for paths, why in (((one, empty.parent), "no log"), ((one, one), "named twice")):
        assert main(["summary", *map(str, paths)]) == 2
        assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["on/rep1/log", "on/rep2/log", "off/rep1/log"], "off, on"),
        (["mss-536/1", "mss-1460/1"], "mss-1460, mss-536"),
        (["rep1/before", "rep1/after"], "after, before"),
        (["rep1", "old/rep1"], "old, without a name"),
    ],
)
@pytest.mark.parametrize("folders", [1, 2])
def test_configurations_in_one_folder_are_not_mixed(
    capsys, tmp_path, paths, names, folders
):
    plain = {"b": dict.fromkeys(["rep1", "rep2"], RUN)} if folders == 2 else {}
    logs = {"a": dict(zip(paths, reps(A), strict=False))} | plain
    assert main(["summary", *map(str, flat(tmp_path, **logs))]) == 2
    said = capsys.readouterr().err
    assert f"/a: its runs of RR10(1B) are of several configurations: {names}\n" in said
    assert "mend: compare these: " in said
    assert (f"summary {tmp_path}/a/off {tmp_path}/a/on;" in said) == ("on" in names[:7])


def test_shapes_in_one_folder_are_compared_apart(told, tmp_path):
    streams = [path.parent for path in sorted(VETH.glob("A/STR3*/rep0[12]/client.txt"))]
    of = {"rr/1": reps(A)[0], "rr/2": reps(A)[1], "str/1": streams[0]}
    rows = told(*flat(tmp_path, a=of, b=of | {"str/2": streams[1]}))["rows"]
    loads = {(row["workload"], row["n"]) for row in rows}
    assert len({name for name, _ in loads}) == 2
