"""Each tool that is read: campaign init, a new edition, its facts and its figures."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.edition import read_edition, read_studies
from analysis.declared.study import Study
from analysis.declared.workload import parse_workload
from analysis.ingest.detect import FORMATS, kind_of
from tests.conftest import ROOT

GOLDEN = ROOT / "tests/golden"
# A sound log of each format with loads; of others a file of golden/FORMAT.
LOGS = {
    "ab": "crr.txt", "contract": "awm.csv", "ctg_statistics": "interval.txt",
    "curl": "json.txt", "flent": "tcp_download.flent.gz", "ftp_clients": "lftp.txt",
    "ftp_zos": "get-put.txt", "h2load": "timed.txt", "hey": "http.txt",
    "httperf": "ten-calls.txt", "iperf2": "tcp.txt", "iperf3": "tcp.json",
    "iperf3_text": "tcp.txt", "neper": "rr.keyval", "netperf": "stream.txt",
    "netperf_omni": "rr-all.keyval", "nuttcp": "transmit.txt",
    "openssl_s_time": "new.txt", "openssl_speed": "sha256.txt",
    "perftest": "send-bw.txt", "qperf": "loop.txt", "siege": "text.txt",
    "sockperf": "pp-udp.txt", "tn3270_s3270": "hercules.txt", "uperf": "rr-raw.txt",
    "wrk": "latency.txt",
}  # fmt: skip
BESIDE = {
    "netstat_zos": "all.txt",
    "storage_contract": "tn4000.csv",
    "zos_displays": "console.txt",
}
# Of what stands beside a log: a file, and a run that lasted as long. Where a file tells
# no time of day, any will do.
CPU = {
    "mpstat": ("str.json", "2026-11-21T04:05:22Z", 5),
    "sadf": ("full.json", "2026-11-21T04:51:14Z", 4),
    "sar_text": ("sar-u.txt", "2026-11-21T04:20:03Z", 4),
    "vmstat": ("timed.txt", "2026-11-21T10:43:43Z", 3),
    "pidstat": ("intervals.txt", "2026-11-21T11:08:52Z", 3),
    "perf_stat": ("command.txt", "2026-11-21T04:05:22Z", 5),
    "time_v": ("verbose.txt", "2026-11-21T04:05:22Z", 5),
    "cgroup": ("cpu.stat", "2026-11-21T04:05:22Z", 5),
    "procstat": ("before.txt", "2026-11-21T04:05:22Z", 5),
    **{id: (name, "2026-01-12T13:00:00Z", 60) for id, name in BESIDE.items()},
    "run_meta": ("rr.json", "2026-11-21T04:26:30Z", 4),
}
WHOLE = ("ftp_zos", "iperf3", "netperf_omni", "wrk")  # one of each kind of load
STEPS = {"cpu": 250, "cpu0": 125, "cpu1": 125, "usage_usec": 10**6, "user_usec": 10**6}
COUNTED = {"cgroup", "procstat", "run_meta"}  # others are held against these
LOADS = [id for id in FORMATS if kind_of(id) in ("bench", "web", "services")]
COUNTERS = [id for id in FORMATS if kind_of(id) in ("linux", "campaign")]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a campaign in a project that has nothing else."""
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "raw/lab"


def declare() -> Study:
    """The study of a new edition of the campaign: of the values that its runs have."""
    for command in ("campaign init raw/lab", "edition new report --campaign lab"):
        assert main(command.split()) == 0, command
    folder = Path("report/report")
    [study] = read_studies(folder, read_edition(folder)).values()
    return study


def build(figures: bool = True) -> list[dict]:
    """The facts of the new edition as it is, with or without its figures."""
    declare()
    for command in (
        "check --edition report",
        "ingest --campaign raw/lab --out data/build/ingest/lab",
        "derive --edition report",
        *(["figures --edition report"] if figures else []),
    ):
        assert main(command.split()) == 0, command
    drawn = [*Path("data/build/figures/report").glob("*/figure.svg")]
    assert bool(drawn) == figures
    facts = json.loads(Path("data/build/facts/report/facts.json").read_bytes())
    return facts["facts"]


def test_all_formats_are_tried() -> None:
    assert sorted(LOADS) == sorted([*LOGS, *BESIDE])
    of_cpu = {*COUNTERS} - {"powercap"}  # which has energy
    assert sorted({*of_cpu, *BESIDE}) == sorted(CPU)


def write_logs(format: str, lab: Path) -> None:
    """Two runs of each of two configurations."""
    golden = GOLDEN / format / LOGS[format]
    log = golden.read_bytes()
    name = golden.name
    if name.endswith(".gz"):
        log, name = gzip.decompress(log), name.removesuffix(".gz")
    for nth, (configuration, run) in enumerate(
        (configuration, run) for configuration in ("off", "on") for run in (1, 2)
    ):
        folder = lab / configuration / f"rep{run}"
        folder.mkdir(parents=True)
        (folder / name).write_bytes(log + b"\n" * nth)  # another one, not a copy


@pytest.mark.parametrize("format", sorted({*LOGS} - {*WHOLE}))
def test_logs_of_each_tool_come_to_a_study_of_their_values(
    format: str, lab: Path
) -> None:
    write_logs(format, lab)
    study = declare()
    assert len(study.configurations) > 1
    assert {metric for figure in study.figures for metric in figure.metrics}


@pytest.mark.parametrize("format", WHOLE)
def test_logs_of_each_kind_come_to_facts_and_figures(format: str, lab: Path) -> None:
    """From here on a fact does not tell which tool its runs are of."""
    write_logs(format, lab)
    assert {fact["kind"] for fact in build()} == {"value", "delta"}


def _result(lab: Path, start: str, seconds: float) -> Path:
    folder = lab / "on/rep1"
    folder.mkdir(parents=True)
    result = {
        "tool": "own", "workload": "RR1(100B)", "seconds": seconds, "start": start,
        "transactions": 10_000 * seconds, "latency_mean_us": 100,
    }  # fmt: skip
    document = {"benchmark_contract": "1", "results": [result]}
    (folder / "result.json").write_text(json.dumps(document))
    return folder


def _grown(line: str) -> str:
    """A line of a snapshot, after the run."""
    name, space, rest = line.partition(" ")

    def more(number: re.Match[str]) -> str:
        return str(int(number[0]) + STEPS.get(name, 0))

    return name + space + re.sub(r"\d+", more, rest, count=4)


def _evidence(format: str, golden: Path) -> Iterator[tuple[str, str]]:
    """The files of a format beside a run, with their names."""
    text = golden.read_text("utf-8")
    if format == "run_meta":  # which calls the run by a name of its own
        yield "meta.json", re.sub(r'"(name|note)": .*\n', "", text)
    elif format in ("cgroup", "procstat"):  # a snapshot before, another after
        yield f"client_{golden.stem}.before", text
        grown = "\n".join(map(_grown, text.split("\n")))
        yield f"client_{golden.stem}.after", grown
    else:
        yield f"client_{golden.name}", text


@pytest.mark.parametrize("format", sorted(CPU))
def test_what_stands_beside_a_log_comes_to_facts(format: str, lab: Path) -> None:
    name, start, seconds = CPU[format]
    folder = _result(lab, start, seconds)
    for file, text in _evidence(format, GOLDEN / format / name):
        (folder / file).write_text(text)
    metrics = {fact["metric"] for fact in build(figures=False)}
    assert {"latency", "rate"} <= metrics
    assert ("cpu_cost" in metrics) == (format in COUNTED)


def test_a_campaign_of_several_tools_comes_to_a_published_report(
    lab: Path, tmp_path: Path, fonts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for configuration in ("off", "on"):
        for run in (1, 2):
            for format in ("iperf3", "sockperf", "uperf"):
                golden = GOLDEN / format / LOGS[format]
                folder = lab / configuration / format / f"rep{run}"
                folder.mkdir(parents=True)
                nth = run + 2 * (configuration == "on")
                (folder / golden.name).write_bytes(golden.read_bytes() + b"\n" * nth)
    (tmp_path / "data/build").mkdir()
    fonts.mkdir(exist_ok=True)
    (tmp_path / "data/build/fonts").symlink_to(fonts)
    workloads = {fact["workload"] for fact in build()}
    assert {parse_workload(name).shape for name in workloads} == {"RR", "STR"}
    assert main(["report", "--edition", "report", "--engine", "pandoc"]) == 0
    assert main(["publish", "--to", "www", "--draft"]) == 0, capsys.readouterr().err
    pages = [page.read_text("utf-8") for page in Path("www").rglob("index.html")]
    assert any("Say the finding first" in page for page in pages)
