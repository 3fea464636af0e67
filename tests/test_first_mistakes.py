"""What beginners get wrong: each refusal names file, line and cure, and ends with 2."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from analysis.cli import main
from tests.conftest import ROOT

CAMPAIGN, RUNS = "raw/lab/campaign.yaml", "raw/lab/runs.csv"
EDITION = "report/mine/edition.yaml"
STUDY = "report/mine/studies/off/study.yaml"
LOG = "raw/lab/on/RR10(100B)/rep01/client.txt"
INGEST = "ingest --campaign raw/lab"
CHECK = "check --edition mine"
NEW = "edition new"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of two runs and an edition, as a beginner starts them."""
    root = tmp_path_factory.mktemp("first")
    for name, source in (("on", "A"), ("off", "B")):
        run = f"{source}/RR10(100B)/rep01"
        there = root / "raw/lab" / name / "RR10(100B)/rep01"
        shutil.copytree(ROOT / "raw/linux-veth" / run, there)
    for name in ("templates", "docs"):
        (root / name).symlink_to(ROOT / name)
    (root / "data").mkdir()
    for path in (ROOT / "data").glob("*.*"):
        (root / "data" / path.name).symlink_to(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        new = "edition new mine --campaign lab --baseline on --tests off"
        for command in ("campaign init raw/lab", new, INGEST):
            assert main(command.split()) == 0
    return root


@pytest.mark.parametrize(
    ("file", "right", "wrong", "line", "cure"),
    [
        (RUNS, ",", ";", 1, "save it as CSV, comma separated"),
        (RUNS, ",off,", ",of,", 2, "did you mean 'off'?"),
        (RUNS, ",RR10(100B),", ",RR10,", 2, "write it as RR40(100B)"),
        (RUNS, "2026-11-21T", "21.11.2026 ", 2, "write it as 2026-01-31T09:30:00Z"),
        (RUNS, "Z,", ",", 2, "end it with Z or +00:00 for UTC"),
        (RUNS, ",on/RR10", ",onn/RR10", 3, "put it back, or take its line out"),
        (CAMPAIGN, "  by:", "\tby:", 7, "indent with blanks, not with tabs"),
        (CAMPAIGN, "details: {}", "details: {Offload: on}", 20, "write it in quotes"),
        (CAMPAIGN, "zone: UTC", "zone: New York", 11, "'America/New_York'"),
        (CAMPAIGN, '"lab"', "lab: offload", 4, "a colon and a blank in quotes"),
        (CAMPAIGN, "from: 2026-11-21", "from: 21.11.2026", 8, "write it as 2026-01-31"),
        (CAMPAIGN, "source: cgroup", "source: cgroups", 25, "did you mean 'cgroup'?"),
        (CAMPAIGN, "cps: 2", "cps: two", 14, "write a whole number"),
        (LOG, "Starting", "starting", 0, "put the measured file back"),
        (STUDY, "baseline:", "basline:", 5, "did you mean 'baseline'?"),
        (STUDY, "kind: delta", "kind: boxplot", 11, "did you mean 'distribution'?"),
        (STUDY, 'tests: ["off"]', 'tests: ["on"]', 6, "another configuration"),
        (STUDY, 'tests: ["off"]', "tests: off", 6, "write a list: [a, b]"),
        (STUDY, "campaigns: [lab]", "campaigns: [lap]", 4, "did you mean 'lab'?"),
        (EDITION, 'studies: ["off"]', 'studies: ["of"]', 11, "did you mean 'off'?"),
        (EDITION, "status: draft", "status: finl", 5, "did you mean 'final'?"),
    ],
)  # fmt: skip
def test_a_first_mistake_is_told_with_its_line_and_its_cure(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: str,
    right: str,
    wrong: str,
    line: int,
    cure: str,
) -> None:
    monkeypatch.chdir(project)
    sound = (project / file).read_text(encoding="utf-8")
    capsys.readouterr()
    count = -1 if right == "," else 1
    (project / file).write_text(sound.replace(right, wrong, count), encoding="utf-8")
    try:
        assert right in sound
        command = INGEST if file.startswith("raw/") else CHECK
        assert main(command.split()) == 2
    finally:
        (project / file).write_text(sound, encoding="utf-8")
    said = capsys.readouterr().err
    place = f"{re.escape(file)}:{line}" if line else r"raw/lab/SHA256SUMS:\d+"
    assert re.match(rf"error: {place}: ", said)
    assert cure in said.partition("\n  mend: ")[2].splitlines()[0]


@pytest.mark.parametrize(
    ("command", "said", "cure"),
    [
        ("campaign init raw/lap", "raw/lap: there is no such", "did you mean raw/lab?"),
        ("campaign init raw", "raw/lab/campaign.yaml: a campaign inside of raw",
         "name the folder of one: raw/lab; "),
        ("checksums raw", "raw/lab/campaign.yaml: a campaign", "raw/lab; if both were"),
        ("ingest --campaign lab", "lab: there is no such", "did you mean raw/lab?"),
        (f"{NEW} x --campaign lap", "raw/lap/campaign.yaml: this file is missing",
         "campaign init raw/lap"),
        (f"{NEW} x --baseline onn", "there is no configuration 'onn'", "on"),
        (f"{NEW} x --baseline on --tests on", "'on' is named 2 times", "--tests ID"),
        (f"{NEW} mine", "report/mine: this edition exists", "choose another name"),
        ("study new off", "has a study 'off' already", "report/mine/studies/off/study"),
        ("check --edition mien", "there is no edition 'mien'", "did you mean mine?"),
        ("regress --edition mien", "no edition 'mien'", "did you mean 'mine'?"),
        ("figures --edition mien", "report/mien/edition.yaml: this file is missing",
         "edition new mien"),
        ("summary raw/lab", "raw/lab: its runs of RR10(100B) are of several",
         "summary raw/lab/off raw/lab/on"),
        ("summary empty.txt", "empty.txt is unknown: the file is empty", "name the"),
        ("inspect nothing.smf", "nothing.smf: there is no such file", "check the path"),
    ],
)  # fmt: skip
def test_what_is_named_and_is_not_there(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    said: str,
    cure: str,
) -> None:
    monkeypatch.chdir(project)
    (project / "empty.txt").touch()
    before = sorted(project.rglob("*"))
    capsys.readouterr()
    assert main(command.split()) == 2
    told = capsys.readouterr().err
    assert said in told.partition("\n  mend: ")[0]
    assert cure in told.partition("\n  mend: ")[2].splitlines()[0]
    assert sorted(project.rglob("*")) == before
