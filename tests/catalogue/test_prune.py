"""What no build needs goes; what people wrote, and what a build needs, stays."""

from __future__ import annotations

import argparse
import fcntl
import os
from pathlib import Path

import pytest

from analysis.catalogue import prune
from analysis.cli import main
from analysis.errors import UserError

NEEDED = (
    "raw/lab/campaign.yaml", "raw/lab/run.txt", "raw/notes.md",
    "report/paper/edition.yaml", "report/build/gone/index.html",
    "synthetic/campaigns/made/campaign.yaml",
    "data/build/perf.duckdb", "data/build/ingest/lab/run.parquet",
    "data/build/raw/made/log.txt", "data/build/cache/parts/1/run.parquet",
    "data/build/derived/paper/facts.json", "data/build/facts/paper/facts.json",
    "data/build/figures/paper/a.svg", "data/build/rendered/paper.placed",
    "data/build/log/ingest-lab.log", "data/build/digests/raw/lab",
    "data/build/digests/code.json", "data/build/desk/journal",
)  # fmt: skip
UNUSED = "data/build/cache/studies/2/facts.json"
OLD = (
    "data/build/ingest/old/run.parquet", "data/build/raw/old/log.txt",
    "data/build/derived/gone/facts.json", "data/build/facts/gone/facts.json",
    "data/build/figures/gone/a.svg", "data/build/rendered/gone.placed",
    "data/build/document/gone/a.md", "data/build/rendered/gone/a.html",
    "data/build/digests/raw/old", UNUSED,
    "data/build/ingest/.lab.part/run.parquet", "data/build/.backtest.json.part",
    "data/build/cache/parts/.x.part/run.parquet",
)  # fmt: skip


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (*NEEDED, *OLD):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("four")
    os.utime(Path(UNUSED).parent, (0, 0))
    return tmp_path


def files() -> set[str]:
    return {
        path.as_posix()
        for path in Path().rglob("*")
        if path.is_file() and path.parts[0] != ".snakemake"
    }


def test_it_says_what_is_old_and_removes_nothing(project, capsys):
    assert main(["prune"]) == 0
    said = capsys.readouterr().out
    assert files() == {*NEEDED, *OLD}
    assert "data/build/ingest/old  (the campaign is gone)" in said
    assert f"{len(OLD)} files and folders, {4 * len(OLD)} bytes; --yes" in said


def test_with_yes_all_that_is_old_goes_and_nothing_else(project, capsys):
    assert main(["prune", "--yes"]) == 0
    assert files() == set(NEEDED)
    assert main(["prune"]) == 0
    assert "nothing is old" in capsys.readouterr().out


def test_what_a_link_leads_to_stays(project):
    outside = project / "raw/lab"
    Path("data/build/ingest/linked").symlink_to(outside)
    Path("data/build/rendered/other").symlink_to(outside)
    assert main(["prune", "--yes"]) == 0
    assert files() == set(NEEDED)
    assert not Path("data/build/rendered/other").is_symlink()


def test_while_a_build_runs_nothing_goes(project, capsys):
    Path(".snakemake").mkdir()
    with Path(".snakemake/build.lock").open("w") as lock:
        lock.write("4711\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["prune", "--yes"]) == 2
    assert "a build is running in this folder (process 4711)" in (
        capsys.readouterr().err
    )
    assert files() == {*NEEDED, *OLD}


def test_in_a_folder_without_editions_nothing_goes(project, capsys):
    Path("report/paper/edition.yaml").unlink()
    assert main(["prune", "--yes"]) == 2
    assert "there is no edition" in capsys.readouterr().err
    assert files() == {*NEEDED, *OLD} - {"report/paper/edition.yaml"}


def test_a_folder_that_stays_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report/now").mkdir(parents=True)
    Path("report/now/edition.yaml").write_text("title: Now\n")
    Path("data/build/ingest/gone").mkdir(parents=True)
    # As where a file within is of somebody else.
    monkeypatch.setattr(prune, "remove_folder", lambda _: None)
    with pytest.raises(UserError, match="ingest/gone: cannot be removed"):
        prune.run(argparse.Namespace(yes=True))
    assert "removed:" not in capsys.readouterr().out
