"""What a build refuses to begin is told in a line with its mend, and nothing runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workflow.projects import EDITION, Project
from workflow import build, jobs
from workflow.plan import plan_of

TEXT = "x'; touch P; '$(touch P)`touch P`$(shell touch P)\"; touch P; \""
Refused = Callable[..., str]


@pytest.fixture
def refused(
    here: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refused:
    """Asks for a build of the current folder; what is said as it is refused."""
    monkeypatch.setattr(build, "_snakemake", lambda *_: pytest.fail("it was begun"))

    def ask(*arguments: str) -> str:
        plan_of.cache_clear()
        assert build.main([*arguments]) == 2
        plan_of.cache_clear()
        said = capsys.readouterr().err
        assert said.startswith("error: ") and said.count("error: ") == 1
        return said

    return ask


@pytest.mark.parametrize(
    ("asked", "what", "known"),
    [
        ("--engine=foo", "engine 'foo'", "auto, quarto, pandoc"),
        ("--edition=linux-vet", "edition 'linux-vet'", EDITION),
        ("--profile=slrum", "profile 'slrum'", "default, slurm"),
    ],
)
def test_what_does_not_exist_is_told_with_what_does(
    refused: Refused, asked: str, what: str, known: str
) -> None:
    told = f"error: there is no {what}\n  mend: choose one of: {known}\n"
    assert refused(asked) == told


def test_an_engine_that_is_not_where_it_is_said_to_be_is_told(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUARTO", "none")
    said = refused("--engine=quarto")
    assert "QUARTO names no program: none\n  mend: correct the environment" in said


@pytest.mark.parametrize("folder", ["raw/$(touch P)", "report/$(touch P)"])
def test_a_folder_s_name_that_a_shell_would_run_is_refused(
    refused: Refused, here: Project, folder: str
) -> None:
    (here / folder).mkdir()
    for name in ("campaign.yaml", "edition.yaml"):
        (here / folder / name).write_text("title: X\n")
    said = refused()
    assert "the name '$(touch P)' will not do here" in said
    assert "[A-Za-z0-9" in said or "[a-z0-9" in said


def test_braces_in_the_path_of_the_project_are_told(
    refused: Refused, here: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here.folder.rename(here.folder.with_name("{c}")))
    assert "the path of this folder has braces" in refused()


def test_a_project_without_a_campaign_has_nothing_to_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("raw", "report"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    assert build.main([]) == 2
    said = capsys.readouterr().err
    assert "there is nothing to build yet" in said and "raw/CAMPAIGN" in said


@pytest.mark.parametrize(
    ("name", "make", "told"),
    [
        (f"report/{EDITION}/pipe.md", os.mkfifo, "is a named pipe, no file"),
        ("templates/loop", lambda path: path.symlink_to("loop"),
         "is a symbolic link that leads nowhere"),
    ],
    ids=["pipe", "loop"],
)  # fmt: skip
def test_what_of_texts_and_templates_is_no_text_is_told(
    refused: Refused, here: Project, name: str, make: Callable, told: str
) -> None:
    make(here / name)
    assert told in refused()


def test_another_build_beside_one_is_told(
    refused: Refused, here: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_PATIENCE", 0)
    with jobs.only_build():
        said = refused()
    busy = f"another build is running in this folder (process {os.getpid()})"
    assert f"{busy}\n  mend: wait until it ends" in said


def test_a_folder_that_cannot_be_written_is_told(
    refused: Refused, here: Project
) -> None:
    (here / ".snakemake").mkdir()
    (here / ".snakemake/build.lock").symlink_to("nowhere/at-all")
    assert refused().startswith("error: .snakemake/build.lock")


def test_where_nothing_can_be_written_at_home_caches_are_in_the_project(
    here: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else Snakemake ends with a traceback; a file in the place of home refuses root,
    too."""
    (tmp_path / "home").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    build._keep_caches_where_one_may_write()
    assert os.environ["XDG_CACHE_HOME"] == str(here / ".snakemake/cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    build._keep_caches_where_one_may_write()
    assert os.environ["XDG_CACHE_HOME"] == str(tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("target", "variable"),
    [
        ("report", "EDITION"),
        ("report", "ENGINE"),
        ("preview", "PORT"),
        ("publish", "DEST"),
        ("publish", "OPTIONS"),
        ("publish", "EDITION"),
        ("check", "EDITION"),
    ],
)
def test_a_value_of_make_is_text(
    tmp_path: Path, root: Path, target: str, variable: str
) -> None:
    """With a stand-in for Python that tells its arguments."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text('#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
    python.chmod(0o755)
    command = ["make", "-f", str(root / "Makefile"), "-o", ".venv/uv.lock"]
    command += [f"VENV={python.parent}", target, f"{variable}={TEXT}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert os.listdir(tmp_path) == ["bin"]
    in_words = target == "publish" and variable != "DEST"
    words = TEXT.split() if in_words else [TEXT]
    assert set(words) <= set(done.stdout.splitlines())
