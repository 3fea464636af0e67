"""Verbs that read all editions: what is not built yet is named and left out."""

from __future__ import annotations

import json
import shutil

import pytest

from analysis.cli import main
from analysis.report.material import Sources


def asked(project: Sources, verb: str, *more: str) -> int:
    """The exit code of a verb that reads the editions of a project."""
    places = f"--facts={project.facts}", f"--figures={project.figures.parent}"
    return main([*verb.split(), *places, f"--report={project.report}", *more])


@pytest.fixture
def two(project: Sources) -> Sources:
    """Two editions, of which the second is not built."""
    shutil.copytree(project.report / "small", project.report / "other")
    made = project.figures.with_name("small")
    shutil.move(project.figures, made)
    all_figures = made.with_name("all")
    all_figures.mkdir()
    shutil.move(made, all_figures / "small")
    return Sources(project.facts, all_figures / "small", project.report)


@pytest.mark.parametrize("verb", ["check", "review status", "facts speed"])
def test_an_edition_without_figures_is_left_out(
    two: Sources, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(two, verb) in (0, 1)
    said = capsys.readouterr()
    assert "note: other is left out: it is not built yet" in said.err
    assert "make report EDITION=other" in said.err
    assert "small" in said.out
    assert "other/" not in said.out
    declared_alone = verb == "check"
    assert asked(two, verb, "--edition=other") == (0 if declared_alone else 2)
    told = "which a build makes" if declared_alone else "no figure is drawn yet"
    assert told in capsys.readouterr().err


def test_an_edition_of_a_campaign_that_is_not_read_yet_is_left_out(
    two: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    study = two.report / "other/studies/speed/study.yaml"
    text = study.read_text(encoding="utf-8")
    raw = two.report.parent / "raw"
    shutil.copytree(raw / "lab", raw / "elsewhere")
    study.write_text(text.replace("[lab]", "[elsewhere]"), encoding="utf-8")
    assert "elsewhere" in study.read_text(encoding="utf-8")
    assert asked(two, "check") in (0, 1)
    assert "other is left out" in capsys.readouterr().err


def test_where_nothing_is_built_it_is_told(
    two: Sources, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = two.facts.with_name("evidence.json")
    told = json.loads(evidence.read_text(encoding="utf-8"))
    evidence.write_text(json.dumps(told | {"campaigns": {}}), encoding="utf-8")
    assert asked(two, "facts speed") == 2
    assert "tells nothing of the campaign 'lab'" in capsys.readouterr().err
    assert asked(two, "check") == 0
    assert "no mistake in what is declared" in capsys.readouterr().err
