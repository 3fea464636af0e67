"""A release is made again from its raw files, or tables, and what differs is told."""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from analysis.cli import main
from analysis.derive import verb as derive
from analysis.figures import verb as figures
from analysis.publish.reproduce import same_digits
from tests.conftest import ROOT
from tests.publish.made_build import make_build

KEY = "offload.crr10-64b-8kb.-.latency.B.delta"


@pytest.mark.parametrize(
    ("then", "now", "digits"),
    [
        (1.25, 1.25, None), (1.2499, 1.25, 4), (100.0, 200.0, 0), (0.0, 1.0, 0),
        (-1.0, 1.0, 0), ("1.5", "1.50001", 5), ("a", "b", None), (None, 1.0, None),
    ],
)  # fmt: skip
def test_to_which_digit_two_numbers_are_the_same(then, now, digits) -> None:
    assert same_digits(then, now) == digits


def verb(module: ModuleType, *arguments: str) -> None:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert module.run(parser.parse_args(arguments)) == 0


def make_facts() -> None:
    """Facts and one figure of the project in the current folder, from its tables."""
    verb(derive, "--edition", "linux-veth")
    only = ["--facts", "data/build/facts", "--only", "noise-cost"]
    verb(figures, "--edition", "linux-veth", *only)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory, veth_tables: Path) -> Path:
    """A release with raw files, far from its project; tests work on copies."""
    project = tmp_path_factory.mktemp("project")
    for name in ("raw/linux-veth", "data", "report/linux-veth"):
        hidden = shutil.ignore_patterns("build")
        shutil.copytree(ROOT / name, project / name, ignore=hidden)
    shutil.copytree(veth_tables, project / "data/build/ingest/linux-veth")
    with contextlib.chdir(project):
        make_facts()
    built = project / "data/build"
    evidence = json.loads((built / "facts/linux-veth/evidence.json").read_text())
    about = evidence["campaigns"]["linux-veth"]
    campaign = {
        "title": "L", "origin": "measured", "licence": None, "digest": about["digest"],
        "measured": {"by": "us", "from": "2026-01-01", "to": "2026-01-02"},
        "files": {name: sha256 for name, (sha256, *_) in about["files"].items()},
    }  # fmt: skip
    drawn, tables = built / "figures/linux-veth/noise-cost", built / "ingest/linux-veth"
    files = {
        f"tables/linux-veth/{path.name}": path.read_bytes()
        for path in tables.glob("*.parquet")
    } | {
        "data/noise-cost.csv": (drawn / "figure.csv").read_bytes(),
        "figures/noise-cost.svg": (drawn / "figure.svg").read_bytes(),
        "facts.json": (built / "facts/linux-veth/facts.json").read_bytes(),
    }  # fmt: skip
    studies = {
        id: {"title": id, "state": "approved", "moved": [], "claims": [], "values": {}}
        for id in ("offload", "noise")
    }
    made = make_build(
        project / "builds/linux-veth", edition="linux-veth", files=files,
        studies=studies, campaigns={"linux-veth": campaign},
    )  # fmt: skip
    assert made.is_dir()
    done = main(
        [
            "publish", f"--to={project / 'www'}", "--builds", str(project / "builds"),
            "--raw", str(project / "raw"), "--report", str(project / "report"),
            "--templates", str(ROOT / "templates"), "--with-raw",
            "--settings", str(project / "publish.yaml"),
        ]
    )  # fmt: skip
    assert done == 0
    there = (project / "www/releases/linux-veth/current").resolve()
    return Path(shutil.copytree(there, tmp_path_factory.mktemp("far") / "release"))


def reproduce(
    release: Path, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, list[str]]:
    """The exit code and the last lines, called where there is no project."""
    with contextlib.chdir(release.parent):
        code = main(["reproduce", str(release), *arguments])
    told = capsys.readouterr()
    return code, (told.out + told.err).splitlines()


def test_a_figure_comes_out_the_same_from_the_raw_files_of_a_release(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(release.rglob("*"))
    code, lines = reproduce(release, capsys, "noise-cost")
    assert (code, lines[-1]) == (0, "figure: same"), lines
    assert "  linux-veth: from the raw files in release/raw/linux-veth" in lines
    assert sorted(release.rglob("*")) == before


def test_what_differs_is_told_to_which_digit(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    facts = (copy / "facts.json").read_text()
    assert "3.2811355827184308" in facts
    (copy / "facts.json").write_text(facts.replace("3.2811355827184308", "3.28113"))
    raw = copy / "raw/linux-veth/A/RR1(100B)/rep01/client.txt"
    raw.write_text(raw.read_text() + " ")
    code, lines = reproduce(copy, capsys, KEY)
    name = "A/RR1(100B)/rep01/client.txt is not the file of the release"
    assert f"  linux-veth: from its tables: {name}" in lines
    assert code == 1 and lines[-1] == (
        f"fact {KEY} differs: value was 3.28113, is 3.2811355827184308 (the same to "
        "5 digits)"
    )


def test_a_name_that_is_none_gets_a_near_one(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = reproduce(release, capsys, "noise-costs")
    assert code == 2 and "did you mean 'noise-cost'?" in lines[0]


def test_a_table_that_was_edited_is_not_taken(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(release, tmp_path / "release"))
    with open(copy / "tables/linux-veth/run.parquet", "ab") as stream:
        stream.write(b"x")
    code, lines = reproduce(copy, capsys, KEY, "--tables")
    assert code == 2 and "not the file that was built" in str(lines)


def test_a_release_says_from_what_it_was_made(release: Path) -> None:
    notes = (release / "README.txt").read_text()
    assert "netperf-report reproduce . NAME" in notes
    assert "  commit           not known" in notes
    names = {path.relative_to(release).as_posix() for path in release.rglob("*")}
    assert {
        "source/report/linux-veth/edition.yaml", "source/data/metrics.yaml",
        "source/report/linux-veth/studies/noise/study.yaml",
        "raw/linux-veth/campaign.yaml", "raw/linux-veth/SHA256SUMS",
    } <= names  # fmt: skip
