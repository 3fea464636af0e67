"""The commands that people type: make's targets, the README, the run of CI."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from benchmarks.project import ROOT, project_files


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1]
    return set(phony.split())


def commands(page: Path) -> list[str]:
    """The lines of a page's shell examples."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_help_lists_every_target():
    said = subprocess.run(
        ["make", "--no-print-directory"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    plain = re.sub(r"\x1b\[\d*m", "", said)
    listed = re.findall(r"^  make ([a-z]+) +\S", plain, re.MULTILINE)
    assert set(listed) == targets()
    assert {"report", "test", "check", "bench", "clean"} <= targets()


def test_the_readme_has_the_two_commands():
    lines = commands(ROOT / "README.md")
    assert {"make report", "make test"} <= {
        line.split("#")[0].strip() for line in lines
    }


@pytest.mark.parametrize("code", [0, 2])
def test_the_ci_run_ends_with_the_result_of_make_test(tmp_path, code):
    (tmp_path / "Makefile").write_text(f"test:\n\t@echo tested; exit {code}\n")
    (tmp_path / ".ci").mkdir()
    script = tmp_path / ".ci" / "run"
    script.write_bytes((ROOT / ".ci" / "run").read_bytes())
    done = subprocess.run(["bash", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["tested"]
    assert done.returncode == code


def test_the_ci_run_may_be_executed():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_types_are_checked_in_every_package():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files = (path.relative_to(ROOT) for path in project_files())
    packages = {p.parts[0] for p in files if p.suffix == ".py" and len(p.parts) > 1}
    assert set(data["tool"]["mypy"]["files"]) == packages - {"tests"}
