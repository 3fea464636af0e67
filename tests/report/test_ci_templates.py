"""The templates for Git hosts are whole, call what there is, and tell what changed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

CI = Path("templates/ci")
_RUN = re.compile(r"\bmake (?:-C \S+ )?([a-z]+)")


def _steps(name: str) -> list[str]:
    read: dict[str, Any] = yaml.safe_load((CI / name).read_text("utf-8"))
    [job] = read["jobs"].values() if "jobs" in read else [read["report"]]
    if "script" in job:
        return list(job["script"])
    return [step["run"] for step in job["steps"] if "run" in step]


def test_each_host_builds_checks_attaches_and_comments() -> None:
    jenkins = (CI / "Jenkinsfile").read_text("utf-8")
    for opened, closed in ("{}", "()", "[]"):
        assert jenkins.count(opened) == jenkins.count(closed)
    runs = re.findall(r"sh '''(.*?)'''|sh '([^'\n]*)'", jenkins, re.DOTALL)
    hosts = {
        "github.yml": _steps("github.yml"),
        "gitlab.yml": _steps("gitlab.yml"),
        "Jenkinsfile": [long or short for long, short in runs],
    }
    targets = set(re.findall(r"^([a-z]+):", Path("Makefile").read_text(), re.MULTILINE))
    for name, steps in hosts.items():
        said = "\n".join(steps)
        assert "sh templates/ci/report.sh" in said and "changes.md" in said, name
        assert "report/build/" in (CI / name).read_text("utf-8")
        assert set(_RUN.findall(said)) == {"check"} <= targets
        for step in steps:  # what the host's shell will read
            done = subprocess.run(["sh", "-n"], input=step, text=True, check=False)
            assert done.returncode == 0, step


def test_a_long_comment_ends_with_a_whole_line(tmp_path: Path) -> None:
    (tmp_path / "report/build").mkdir(parents=True)
    line = "−37% → −41%\n"
    (tmp_path / "report/build/changes.md").write_text(line * 9_000, "utf-8")
    for name in ("github.yml", "gitlab.yml"):
        [step] = [s for s in _steps(name) if "awk" in s]
        cut = step.split("\n")[0]
        subprocess.run(["sh", "-ec", cut], cwd=tmp_path, check=True)
        comment = (tmp_path / "comment.md").read_text("utf-8")
        assert set(comment.splitlines(keepends=True)) == {line}
        assert 30_000 < len(comment) <= 60_000


def test_nothing_that_a_pull_request_names_is_part_of_a_script() -> None:
    for run in _steps("github.yml"):
        assert "${{" not in run


def test_the_difference_of_a_change_is_the_comment(tmp_path: Path) -> None:
    """``make`` stands in for a build: it writes manifests as the tree has them."""
    tree = tmp_path / "tree"
    (tree / "templates").mkdir(parents=True)
    shutil.copytree(CI, tree / "templates/ci")
    (tree / "Makefile").write_text(
        "report:\n\tmkdir -p report/build/one\n"
        "\tcp one report/build/one/manifest.json\n"
        "\t[ ! -f two ] || (mkdir -p report/build/two"
        " && cp two report/build/two/manifest.json)\n"
    )
    python = tree / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\ncat "$6/manifest.json" "$7/manifest.json"\n')
    python.chmod(0o755)
    (tree / ".gitignore").write_text(".venv\nreport\n")
    (tree / "one").write_text("before\n")
    who = {f"GIT_{r}_{p}": "ci@x" for r in ("AUTHOR", "COMMITTER")
           for p in ("NAME", "EMAIL")}  # fmt: skip

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tree, env=os.environ | who, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    for command in (["init", "-qb", "main"], ["add", "."], ["commit", "-qm", "One"]):
        assert run("git", *command).returncode == 0
    (tree / "one").write_text("after\n")
    (tree / "two").write_text("new\n")
    done = run("sh", "templates/ci/report.sh", "main")
    assert done.returncode == 0, done.stderr
    said = (tree / "report/build/changes.md").read_text()
    assert said == "\n## one\n\nbefore\nafter\n\n## two\n\nA new edition.\n"
    assert len(run("git", "worktree", "list").stdout.splitlines()) == 1
    assert run("sh", "templates/ci/report.sh", "--all").returncode != 0
