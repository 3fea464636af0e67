"""Folders in which a build cannot write, as after a build by somebody else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.errors import UserError
from tests.workflow.projects import EDITION, Project
from workflow.made import Step
from workflow.writable import check_writable


@pytest.mark.parametrize("name", ["data/build/log", "data/build/marks/derive"])
def test_a_file_in_the_way_is_told_before_anything_runs(
    done: Project, name: str
) -> None:
    (done / name).rename(done / "away")
    (done / name).write_text("a file")
    (done / f"report/{EDITION}/studies/offload/observations.md").write_text("New.\n")
    code, said, ran = done.build()
    assert (code, ran) == (2, [])
    assert said == (
        f"error: {name}: is a file, where a folder belongs\n"
        "  mend: move it away, and run this again\n"
    )
    (done / name).unlink()
    (done / "away").rename(done / name)
    assert done.build()[::2] == (0, ["report"])


def test_folders_of_somebody_else_are_told_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("data/build/marks/load", "data/build/log", ".snakemake"):
        Path(name).mkdir(parents=True)
    # Root may write everywhere, so a test by root cannot take the leave away.
    monkeypatch.setattr(os, "access", lambda path, _: "build" not in str(path))
    step = Step(
        "load", "key", Path("data/build/a.duckdb"), mark="data/build/marks/load/1"
    )
    with pytest.raises(UserError) as caught:
        check_writable([step])
    told = str(caught.value)
    for name in ("data/build", "data/build/marks", "data/build/marks/load"):
        assert f"{name}: nothing can be written there\n" in told
    assert "mend: make them yours: sudo chown -R" in told
    assert ".snakemake:" not in told


def test_what_can_be_written_or_made_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data/build").mkdir(parents=True)
    step = Step(
        "load", "key", Path("data/build/a.duckdb"), mark="data/build/marks/load/1"
    )
    assert check_writable([step]) is None
