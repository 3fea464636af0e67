"""An edition that borrows is made again when what it borrows changes, and only then."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.project import copy_project
from tests.workflow.projects import OTHERS

TALK = "report-linux-veth-talk"
LEFT_OUT = tuple(name for name in OTHERS if name != "report/linux-veth-talk")
PLAN = """
import json
from workflow.plan import plan
steps = plan("pandoc").steps
print(json.dumps({name: [step.own, *step.before] for name, step in steps.items()}))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(copy_project(tmp_path / "project", LEFT_OUT))


def steps(folder: Path) -> dict[str, list[str]]:
    """The key and the steps before each step, by its name."""
    done = subprocess.run(
        [sys.executable, "-c", PLAN], cwd=folder, capture_output=True, check=True
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def changed(folder: Path, name: str, words: str) -> set[str]:
    """The steps whose own key changes with words at the end of a file."""
    before, path = steps(folder), folder / name
    path.write_text(path.read_text(encoding="utf-8") + words, encoding="utf-8")
    return {id for id, told in steps(folder).items() if told != before[id]}


def test_it_waits_for_the_figures_that_it_borrows(folder: Path) -> None:
    assert steps(folder)[TALK][1:] == [
        "derive", "backtest", "figures-linux-veth-talk", "figures-linux-veth",
    ]  # fmt: skip


def test_a_text_that_is_borrowed_counts(folder: Path) -> None:
    lent = "report/linux-veth/studies/noise/background.md"
    assert changed(folder, lent, "More.\n") == {"report-linux-veth", TALK}


def test_slides_are_a_matter_of_their_own_edition(folder: Path) -> None:
    assert changed(folder, "report/linux-veth-talk/slides.md", "- More.\n") == {TALK}
