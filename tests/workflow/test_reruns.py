"""What a build runs again: Snakemake itself decides that from the keys, the files and
the dates, so each test builds, with stages that take no time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.workflow.projects import (
    BUILD,
    DECLARED,
    EDITION,
    MAKE_REPORT,
    RULES,
    SNAKEMAKE,
    Project,
)

PAGE = f"report/build/{EDITION}/index.html"
TEXT = f"report/{EDITION}/studies/offload/observations.md"
AFTER_DERIVE = ["derive", "facts", "figures", "report", "place", "index"]


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_a_build_tells_its_steps_as_they_end_and_a_second_runs_nothing(
    stand_in: Project,
) -> None:
    code, said, ran = stand_in.build()
    assert (code, ran) == (0, list(RULES)), said
    lines = said.splitlines()
    ended = [line for line in lines if line.startswith("[")]
    assert [line.split()[0] for line in ended] == [f"[{n}/10]" for n in range(1, 11)]
    for line in ended:
        if f"{(rule := line.split()[1])} is done" in lines:
            assert lines.index(f"{rule} is done") < lines.index(line)
    assert lines[-1] == PAGE
    for folder in ("raw", "report/linux-veth", "templates", "analysis"):
        for path in (stand_in / folder).rglob("*"):
            os.utime(path)
    code, said, ran = stand_in.build()
    assert (code, ran) == (0, [])
    assert said.startswith("Nothing to be done")


def test_an_edit_and_changed_code_run_what_follows(done: Project) -> None:
    """An older file, as cp -p brings it; code of a stage; a rule of its own."""
    (done / TEXT).write_text("Other words.\n")
    os.utime(done / TEXT, (1, 1))
    code, said, ran = done.build()
    assert (code, ran) == (0, ["report", "place", "index"]), said
    assert "Other words." in (done / PAGE).read_text()
    append(done / "analysis/derive/verb.py", "CONSTANT = 2\n")
    assert {*done.planned()} == {*AFTER_DERIVE}
    rules = done / "Snakefile"
    rules.write_text(rules.read_text().replace('"analysis load ', '"analysis  load '))
    assert "database" in done.planned()


def test_a_page_is_built_by_its_path_of_its_own_campaigns_alone(
    stand_in: Project,
) -> None:
    other = stand_in / "synthetic/campaigns/other"
    other.mkdir(parents=True)
    (other / "campaign.yaml").write_text("title: Other\n")
    code, said, ran = stand_in.build(*SNAKEMAKE, "--cores", "2", PAGE)
    assert code == 0, said
    assert ran == list(RULES[:7])
    code, said, _ = stand_in.build(*SNAKEMAKE, PAGE.replace("index", "nothing"))
    assert code == 1
    assert "nothing.html: this report has no such file" in said


def test_what_is_missing_is_made_again(done: Project) -> None:
    before = done.report().keys()
    shutil.rmtree(done / "report/build")
    code, said, ran = done.build()
    assert (code, ran) == (0, ["place", "catalogue", "index"]), said
    assert done.report().keys() == before


def test_a_result_that_was_edited_is_refused_by_who_reads_it(done: Project) -> None:
    name, by = f"data/build/figures/{EDITION}/table", "report"
    append(done / name, "x")
    before = done.report()
    code, said, _ = done.build(*SNAKEMAKE, "--forcerun", by, "--cores", "1", PAGE)
    assert code == 1
    assert f"error: {name}: is not what was made: edited, half copied" in said
    assert "mend: remove this folder and run 'make report'" in said
    assert done.report()[f"{EDITION}/index.html"] == before[f"{EDITION}/index.html"]


def test_an_edition_more_and_one_alone(done: Project) -> None:
    second = done / "report/second"
    second.mkdir()
    (second / "edition.yaml").write_text(DECLARED)
    code, said, ran = done.build(*BUILD, "--edition", "second")
    assert code == 0, said
    assert ran == ["figures", "report", "place", "index"]
    assert said.splitlines()[-1] == "report/build/second/index.html"
    (second / "notes.md").write_text("New.\n")
    assert done.build(*BUILD, "--edition", EDITION)[2] == ["index"]


@pytest.mark.parametrize(
    ("asked", "what"),
    [("ENGINE=foo", "engine 'foo'"), ("EDITION=linux-vet", "edition 'linux-vet'")],
)
def test_what_does_not_exist_is_told_with_what_does(
    done: Project, asked: str, what: str
) -> None:
    code, said, ran = done.build(*MAKE_REPORT, asked)
    assert (code, ran) == (2, [])
    assert said.count("error: ") == 1
    assert f"there is no {what}\n  mend: choose one of: " in said


def test_an_engine_that_is_absent_is_told_before_anything_runs(
    done: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUARTO", "none")
    code, said, ran = done.build(*MAKE_REPORT, "ENGINE=quarto")
    assert (code, ran) == (2, [])
    assert "Quarto is absent\n  mend: install Quarto 1.9 or later" in said
