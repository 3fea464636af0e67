"""A new edition and a new study build as they are."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from analysis.cli import main
from analysis.declared.campaign import read_campaign
from analysis.declared.edition import read_edition, read_studies
from analysis.declared.workload import parse_workload
from analysis.start.scaffold import add_study
from tests.conftest import ROOT

VETH = ("--campaign", "linux-veth")


def start(*args: object, report: Path) -> int:
    """``edition new`` or ``study new`` with this test's folder of reports."""
    folders = ["--report", str(report), "--raw", str(ROOT / "raw")]
    templates = ["--templates", str(ROOT / "templates")]
    return main([*map(str, args), *folders, *templates])


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """An empty folder of reports."""
    return tmp_path / "report"


@pytest.fixture(scope="module")
def new_edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of reports with a new edition ``lab``; to be read alone."""
    folder = tmp_path_factory.mktemp("new") / "report"
    assert start("edition", "new", "lab", *VETH, report=folder) == 0
    return folder


@pytest.fixture
def begun(new_edition: Path, report: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(new_edition, report))


def few_runs(raw: Path) -> Path:
    """A campaign with the first run of RR10(100B) on each configuration."""
    lab = raw / "lab"
    head, *lines = (ROOT / "raw/linux-veth/runs.csv").read_text().splitlines()
    kept = [line for line in lines if "-RR10(100B)-01," in line]
    for configuration in ("A", "A2", "B"):
        name = f"{configuration}/RR10(100B)/rep01"
        shutil.copytree(ROOT / "raw/linux-veth" / name, lab / name)
    (lab / "runs.csv").write_text("\n".join([head, *kept, ""]))
    shutil.copy(ROOT / "raw/linux-veth/campaign.yaml", lab)
    assert main(["checksums", str(lab)]) == 0
    return lab


def test_a_new_edition_has_one_study(new_edition: Path) -> None:
    edition = read_edition(new_edition / "lab")
    studies = read_studies(new_edition / "lab", edition)
    [(id, study)] = studies.items()
    assert id == "b"
    assert (study.baseline, study.tests) == ("A", ("B",))  # A2 is the control
    assert study.title == "Offload on against Offload off"
    assert "STR3(1B/20MB)" in study.workloads
    assert [figure.id for figure in study.figures] == ["latency", "throughput", "cpu"]


def test_a_control_is_neither_baseline_nor_test(tmp_path: Path, report: Path) -> None:
    lab = few_runs(tmp_path / "raw")
    text = (lab / "campaign.yaml").read_text(encoding="utf-8")
    control = "  A2:\n    label: Offload on (control)\n    control_of: A\n"
    details = text[text.index("    details: &default") : text.index("  A2:\n")]
    moved = text.replace(f"{control}    details: *default\n", "")
    moved = moved.replace(details, "    details: *default\n", 1)
    moved = moved.replace("  A:\n", f"{control}{details}  A:\n", 1)
    assert moved.index("  A2:") < moved.index("  A:\n")
    (lab / "campaign.yaml").write_text(moved, encoding="utf-8")
    folders = ("--report", str(report), "--raw", str(tmp_path / "raw"))
    templates = ("--templates", str(ROOT / "templates"))
    assert main(["edition", "new", "lab", *folders, *templates]) == 0
    study = read_studies(report / "lab", read_edition(report / "lab"))["b"]
    assert (study.baseline, study.tests, study.noise.control) == ("A", ("B",), "A2")


def test_a_new_study_has_one_order_of_workloads(new_edition: Path) -> None:
    folder = new_edition / "lab"
    [study] = read_studies(folder, read_edition(folder)).values()
    told = [parse_workload(name) for name in study.workloads]
    assert told == sorted(told, key=lambda work: work.order)
    assert study.figures[-1].metrics == ("cpu_cost",)


def test_a_new_study_comes_last(begun: Path) -> None:
    named = (*VETH, "--baseline", "A", "--tests", "A2", "B")
    assert start("study", "new", "noise", *named, report=begun) == 0
    edition = read_edition(begun / "lab")
    assert edition.study_ids == ("b", "noise")
    assert read_studies(begun / "lab", edition)["noise"].tests == ("A2", "B")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("studies: [a]\nback: []\n", "studies: [a, new]\nback: []\n"),
        ("studies: []\n", "studies: [new]\n"),
        ("studies:\n  - a\n  - b # last\nback: []\n",
         "studies:\n  - a\n  - b\n  - new\n # last\nback: []\n"),
        ("studies:\n  - a\n  - {id: g, studies: [b]}\n",
         "studies:\n  - a\n  - {id: g, studies: [b]}\n  - new\n"),
        ("studies:\n  - id: g\n    studies:\n      - b\nback: []\n",
         "studies:\n  - id: g\n    studies:\n      - b\n  - new\nback: []\n"),
    ],
)  # fmt: skip
def test_the_study_is_added_in_the_style_of_the_list(before: str, after: str) -> None:
    assert add_study(before, "new") == after


@pytest.mark.parametrize("id", ["off", "2027", "null"])
def test_an_id_stays_text(id: str) -> None:
    assert yaml.safe_load(add_study("studies: [a]\n", id))["studies"] == ["a", id]


def test_configurations_may_be_called_on_and_off(tmp_path: Path, report: Path) -> None:
    lab = few_runs(tmp_path / "raw")
    for name in ("campaign.yaml", "runs.csv"):
        text = (lab / name).read_text(encoding="utf-8")
        text = re.sub(r"(?m)^  B:", '  "off":', text)
        (lab / name).write_text(text.replace(",B,", ",off,"), encoding="utf-8")
    templates = ("--templates", str(ROOT / "templates"))
    folders = ("--report", str(report), "--raw", str(tmp_path / "raw"))
    made = ["edition", "new", "lab", "--baseline", "A", "--tests", "off"]
    assert main([*made, *folders, *templates]) == 0
    edition = read_edition(report / "lab")
    assert read_studies(report / "lab", edition)["off"].tests == ("off",)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("edition", "new", "Lab 1", *VETH), "is no name for a folder"),
        (("edition", "new", "build", *VETH), "is no name for a folder"),
        (("edition", "new", "lab", *VETH), "this edition exists already"),
        (("edition", "new", "x", "--campaign", "nix"), "this file is missing"),
        (("edition", "new", "x"), "which campaign?"),
        (("edition", "new", "x", *VETH, "--baseline", "Z"), "choose of A, A2, B"),
        (("study", "new", "b", *VETH, "--edition", "lab"), "has a study 'b' already"),
        (("study", "new", "c", *VETH, "--edition", "nix"), "which edition?"),
    ],
)
def test_mistakes_write_nothing(
    args: tuple[str, ...],
    said: str,
    begun: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sorted(begun.rglob("*"))
    assert start(*args, report=begun) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "\n  mend: " in told
    assert sorted(begun.rglob("*")) == before


def test_it_builds_at_once_and_lacks_approval_alone(
    begun: Path,
    veth_tables: Path,
    tmp_path: Path,
    fonts: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    start("study", "new", "twins", *VETH, "--tests", "A2", report=begun)
    (tmp_path / "data/build").mkdir(parents=True)
    fonts.mkdir(exist_ok=True)
    (tmp_path / "data/build/fonts").symlink_to(fonts)
    declared = [path for path in (ROOT / "data").iterdir() if path.is_file()]
    for path in (*declared, ROOT / "templates"):
        (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    shutil.copytree(ROOT / "raw/linux-veth", tmp_path / "raw/linux-veth")
    shutil.copytree(veth_tables, tmp_path / "data/build/ingest/linux-veth")
    monkeypatch.chdir(tmp_path)
    for command in (
        "derive",
        "figures --edition lab",
        "report --edition lab --engine pandoc",
    ):
        assert main(command.split()) == 0, command
    page = (tmp_path / "report/build/lab/index.html").read_text(encoding="utf-8")
    assert "Say the finding first" in page
    assert (tmp_path / "report/build/lab/lab.pdf").stat().st_size > 10_000
    capsys.readouterr()
    assert main(["check", "--edition", "lab"]) == 0
    warnings = re.findall(r"warning: (.*)", capsys.readouterr().out)
    assert warnings == [f"study {id} is not approved yet" for id in ("b", "twins")]


@pytest.mark.parametrize("beside", [True, False], ids=["meta.json", "the log alone"])
def test_a_campaign_of_iperf3_alone_starts_with_its_cost_of_each_mb(
    tmp_path: Path, report: Path, beside: bool
) -> None:
    raw = tmp_path / "raw"
    for configuration in ("off", "on"):
        for nth in (1, 2):
            folder = raw / "lab" / configuration / f"rep{nth}"
            folder.mkdir(parents=True)
            log = json.loads((ROOT / "tests/golden/iperf3/tcp.json").read_text())
            log["start"]["cookie"] = f"{configuration}{nth}"
            hour = 3600 * (2 * (configuration == "on") + nth)
            log["start"]["timestamp"]["timesecs"] += hour  # runs after one another
            (folder / "client.txt").write_text(json.dumps(log))
            start = 1795234538 + hour - 0.02
            meta = {
                "client_cmd": "iperf3 -c srv -J", "t_start": start, "rc": 0,
                "t_end": start + 4.03, "cpuacct_client_s": 1.2, "cpuacct_server_s": 1.6,
            }  # fmt: skip
            for moment in ("before", "after") if beside else ():
                ticks = 200 * (moment == "after")
                (folder / "meta.json").write_text(json.dumps(meta))
                (folder / f"proc_stat.{moment}").write_text(
                    f"cpu  {ticks} 0 0 {ticks} 0 0 0 0 0 0\n"
                    f"cpu0 {ticks} 0 0 {ticks} 0 0 0 0 0 0\n"
                    "intr 1 0\nctxt 1\nbtime 1795000000\nprocesses 1\n"
                )
    assert main(["campaign", "init", str(raw / "lab")]) == 0
    declared = read_campaign(raw / "lab")
    assert declared.cpu.source == ("cgroup" if beside else "process")
    assert {one.host for one in declared.systems.values()} == {
        "host" if beside else None
    }
    rows = list(csv.DictReader((raw / "lab/runs.csv").open()))
    assert all("left out" not in row["note"] for row in rows)
    assert all(bool(row["start"]) == beside for row in rows)
    folders = ("--report", str(report), "--raw", str(raw))
    templates = ("--templates", str(ROOT / "templates"))
    assert main(["edition", "new", "lab", *folders, *templates]) == 0
    study = read_studies(report / "lab", read_edition(report / "lab"))["on"]
    assert study.workloads == ("STR1(128kB/0B)",)
    assert [each for figure in study.figures for each in figure.metrics] == [
        "throughput", "cpu_cost_per_mb",
    ]  # fmt: skip


def _write_tails(raw: Path) -> None:
    """Eight runs a side, one of which sends segments again and queues more."""
    for nth in range(1, 9):
        for name, again in (("off", 0), ("on", 2 + nth % 4)):
            folder = raw / name / "STR1(1B_20MB)" / f"rep{nth}"
            folder.mkdir(parents=True)
            rate = 1e9 + 1e6 * ((nth * 7) % 5)
            result = {
                "tool": "own", "workload": "STR1(1B/20MB)", "seconds": 10,
                "start": f"2026-11-01T0{nth}:{'0' if again else '3'}0:00Z",
                "transactions": int(rate / 2097152), "bytes_per_second": rate,
                "retransmits": again, "datagrams": 90_000, "lost_datagrams": 0,
                "log_depth": 10 + nth / 10 + 5 * bool(again),
            }  # fmt: skip
            document = {"benchmark_contract": "1", "results": [result]}
            (folder / "result.json").write_text(json.dumps(document))


_DEPTH = """depth:
  label: Queue depth
  unit: packets
  better: lower
  roles: false
  shapes: [STR]
  means: Mean number of packets in the queue of the sender.
  evidence: benchmark
  rule: mean depth of the queue, as the log tells it
  expression: log_depth
"""
_SAID = """
- Retransmits {{ moves("retransmits", "STR*") }}, [which is more]{claim="retransmits
  rises for STR*"}. Lost datagrams: {{ delta("datagrams_lost", "STR*") }}. The depth of
  the queue {{ moves("depth", "STR*") }}.
"""


def test_retransmits_and_a_column_of_a_log_reach_the_page_and_the_gate(
    report: Path,
    tmp_path: Path,
    fonts: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "data/build").mkdir(parents=True)
    fonts.mkdir(exist_ok=True)
    (tmp_path / "data/build/fonts").symlink_to(fonts)
    (tmp_path / "data/metrics.yaml").write_text(_DEPTH)
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    _write_tails(tmp_path / "raw/lab")
    monkeypatch.chdir(tmp_path)
    assert main(["campaign", "init", "raw/lab"]) == 0
    assert main(["edition", "new", "tails", "--campaign", "lab"]) == 0
    study = report / "tails/studies/on/study.yaml"
    figures = (
        "figures:\n  - {id: again, kind: delta, metrics: [retransmits, depth], "
        "workloads: '*', question: Are there more?}\n"
    )
    study.write_text(study.read_text().replace("figures:\n", figures))
    words = study.with_name("observations.md")
    words.write_text(words.read_text() + _SAID)
    for command in (
        "ingest --campaign raw/lab --out data/build/ingest/lab",
        "derive",
        "figures --edition tails",
        "report --edition tails --engine pandoc",
    ):
        assert main(command.split()) == 0, command
    page = (tmp_path / "report/build/tails/index.html").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]*>", "", page).split())
    assert re.search(r"Retransmits rises from 0 to 0\.\d+ per GB, which is more", text)
    assert "Lost datagrams: 0 in all runs." in text
    assert "More retransmits, from 0 to 0." in text  # the figure's title
    assert "Of retransmits the value is that of all runs, no median." in text
    assert "queue rises by 48%" in text
    capsys.readouterr()
    assert main(["regress", "--edition", "tails"]) == 1
    assert "regressed: from 0 to 0." in capsys.readouterr().out
