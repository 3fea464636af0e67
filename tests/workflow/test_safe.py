"""Names and values that a shell would run, inputs that hold up, hostile places."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.workflow.projects import EDITION, MAKE_REPORT, Project, copy_built

MADE = ("raw/$(touch P)/campaign.yaml", "report/$(touch P)/edition.yaml")
TEXT = "x'; touch P; '$(touch P)`touch P`$(shell touch P)\"; touch P; \""


@pytest.mark.parametrize("name", MADE)
def test_a_folder_s_name_is_refused_and_not_run(done: Project, name: str) -> None:
    (done / name).parent.mkdir()
    (done / name).write_text("title: X\n")
    code, said, ran = done.build(*MAKE_REPORT)
    assert (code, ran) == (2, [])
    assert "the name '$(touch P)' will not do here" in said
    assert "[A-Za-z0-9" in said or "[a-z0-9" in said
    assert not (done / "P").exists()


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


@pytest.mark.parametrize(
    ("name", "said_so"),
    [
        ("raw/lab/pipe", "is a named pipe, no file"),
        (f"report/{EDITION}/studies/offload/pipe.md", "is a named pipe, no file"),
    ],
)
def test_a_pipe_does_not_hold_a_build_up(
    done: Project, name: str, said_so: str
) -> None:
    os.mkfifo(done / name)
    code, said, ran = done.build()
    assert (code, ran) == (2, ["ingest"] if name.startswith("raw") else [])
    assert f"{name}: {said_so}" in said
    assert "Traceback" not in said


def test_a_project_may_lie_in_a_folder_of_any_name(
    built_stand_in: Project, tmp_path: Path
) -> None:
    folder = tmp_path / "a \"b' $(touch P); é"
    project = copy_built(built_stand_in, folder)
    with (folder / "raw/lab/run-1.txt").open("a") as file:
        file.write("2\n")
    code, said, ran = project.build()
    assert code == 0, said
    assert "ingest" in ran
    assert json.loads((folder / f"report/build/{EDITION}/manifest.json").read_text())
    assert not list(tmp_path.rglob("P"))


def test_braces_in_the_path_of_the_project_are_told(
    built_stand_in: Project, tmp_path: Path
) -> None:
    project = copy_built(built_stand_in, tmp_path / "{c}")
    code, said, _ = project.build()
    assert code == 2
    assert "the path of this folder has braces" in said


def test_evidence_may_have_any_name(done: Project) -> None:
    for name in ("a b;c.txt", "it's", 'q"', "{x}", "-rf", "$(touch P)", "a\nb"):
        (done / "raw/lab" / name).write_text(name)
    code, said, _ = done.build()
    assert code == 0, said
    assert not (done / "P").exists()


def test_what_of_templates_is_no_text_is_told(done: Project) -> None:
    (done / "templates/loop").symlink_to("loop")
    (done / os.fsdecode(b"report/linux-veth/\xff.md")).write_text("x")
    code, said, _ = done.build()
    assert code == 2
    assert "templates/loop: is a symbolic link that leads nowhere" in said or (
        "has a name that is not UTF-8" in said
    )
    assert "Traceback" not in said
