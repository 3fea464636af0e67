"""What changed since facts were made, by the marks of steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from workflow.made import Step
from workflow.plan import Plan
from workflow.stale import stale

BEFORE = {
    "generate-lab": (),
    "ingest-lab": ("generate-lab",),
    "load": ("ingest-lab",),
    "derive": ("load",),
    "figures-mine": ("derive",),
    "figures-other": ("derive",),
    "report-mine": ("figures-mine",),
}


def told(folder: Path, *void: str) -> list[str]:
    """What is said where some steps, and all after them, have no mark."""
    steps: dict[str, Step] = {}
    for name, before in BEFORE.items():
        mark = folder / name
        if name not in void and all(Path(steps[b].mark).exists() for b in before):
            mark.touch()
        steps[name] = Step(name, "key", folder, before, mark=str(mark))
    of = Plan(("mine", "other"), ("lab",), steps, "pandoc", {}, {})
    return list(stale(of, ("mine",)))


def test_what_changed_first_is_told_alone(tmp_path: Path) -> None:
    (words,) = told(tmp_path, "generate-lab")
    assert words == "the declaration of the campaign lab, its targets"


@pytest.mark.parametrize(
    ("void", "words"),
    [("derive", ["what studies or data/ declare"]),
     ("figures-mine", ["the figures of mine"]),
     ("figures-other", []),
     ("report-mine", [])],
)  # fmt: skip
def test_only_what_a_check_rests_on_is_told(
    tmp_path: Path, void: str, words: list[str]
) -> None:
    assert told(tmp_path, void) == words
