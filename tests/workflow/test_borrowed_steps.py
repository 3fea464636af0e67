"""An edition that borrows is made again when what it borrows changes, and only then."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.project import copy_project
from tests.workflow.projects import OTHERS

pytestmark = pytest.mark.xdist_group("borrowed")  # which has the folder
TALK = "report-linux-veth-talk"
LEFT_OUT = tuple(name for name in OTHERS if name != "report/linux-veth-talk")
PLAN = """
import json
from workflow.plan import plan
steps = plan("pandoc").steps
print(json.dumps({name: [step.own, *step.before] for name, step in steps.items()}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("borrowed") / "project", LEFT_OUT)


@pytest.fixture(scope="module")
def before(folder: Path) -> dict[str, list[str]]:
    """The key and the steps before each step, of nothing that was changed."""
    return steps(folder)


def steps(folder: Path) -> dict[str, list[str]]:
    """The key and the steps before each step, by its name."""
    done = subprocess.run(
        [sys.executable, "-c", PLAN], cwd=folder, capture_output=True, check=True
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def changed(
    folder: Path, before: dict[str, list[str]], name: str, words: str
) -> set[str]:
    """The steps whose own key changes with words at the end of a file."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text + words, encoding="utf-8")
    after = steps(folder)
    path.write_text(text, encoding="utf-8")
    return {id for id, told in after.items() if told != before[id]}


def test_it_waits_for_the_figures_that_it_borrows(before: dict[str, list[str]]) -> None:
    assert before[TALK][1:] == [
        "derive", "backtest", "figures-linux-veth-talk", "figures-linux-veth",
    ]  # fmt: skip


def test_a_text_that_is_borrowed_counts(
    folder: Path, before: dict[str, list[str]]
) -> None:
    lent = "report/linux-veth/studies/noise/background.md"
    assert changed(folder, before, lent, "More.\n") == {"report-linux-veth", TALK}


def test_slides_are_a_matter_of_their_own_edition(
    folder: Path, before: dict[str, list[str]]
) -> None:
    own = "report/linux-veth-talk/slides.md"
    assert changed(folder, before, own, "- More.\n") == {TALK}
