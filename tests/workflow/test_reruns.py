"""What makes which jobs run again, shown with stages that take no time."""

import os
import shutil

import pytest

from tests.workflow.projects import EDITION, MAKE_REPORT, STAGES

AFTER_DERIVE = ["derive", "figures", "report"]
FROM_INGEST = list(STAGES[STAGES.index("ingest") :])


def append(path, text):
    with path.open("a") as file:
        file.write(text)


def test_a_second_build_runs_nothing_and_says_so(done):
    code, said, ran = done.build()
    assert (code, ran) == (0, [])
    assert said.startswith("Nothing to be done")


def test_every_step_is_told_as_it_goes(stand_in):
    _, said, _ = stand_in.build()
    lines = said.splitlines()
    begun = [line.split()[-1] for line in lines[:2]]
    assert sorted(begun) == ["backtest", "index"]
    assert sorted(lines[2:4]) == ["backtest is done", "index is done"]
    assert lines[4:6] == ["[3/7] ingest lab", "ingest is done"]
    assert lines[-1] == f"report/build/{EDITION}/index.html"
    assert len(lines) == 15


@pytest.mark.parametrize(
    ("name", "text", "rerun"),
    [
        ("analysis/derive/verb.py", "# a remark\n", []),
        ("analysis/derive/verb.py", "CONSTANT = 2\n", AFTER_DERIVE),
        ("analysis/errors.py", "MORE = 1\n", list(STAGES)),
        ("data/metrics.yaml", "\n", ["backtest", *AFTER_DERIVE]),
        ("data/published.csv", "\n", ["backtest", *AFTER_DERIVE]),
        ("raw/lab/run-1.txt", "2\n", FROM_INGEST),
        ("raw/lab/campaign.yaml", "origin: measured\n", FROM_INGEST),
        (f"report/{EDITION}/edition.yaml", "date: today\n", AFTER_DERIVE),
        (f"report/{EDITION}/studies/offload/study.yaml", "a: 1\n", AFTER_DERIVE),
        ("templates/index.qmd.j2", "more\n", ["report"]),
        (
            f"report/{EDITION}/studies/offload/observations.md",
            "More so.\n",
            ["report"],
        ),
        ("environment.yml", "# a remark\n", []),
    ],
)
def test_an_edit_runs_what_depends_on_it(done, name, text, rerun):
    append(done / name, text)
    assert done.planned() == rerun


def test_a_changed_constant_runs_its_stage_and_all_after_it_once(done):
    append(done / "analysis/derive/verb.py", "CONSTANT = 2\n")
    assert done.build()[::2] == (0, AFTER_DERIVE)
    assert done.build()[::2] == (0, [])


def test_a_new_text_and_a_new_raw_file_are_noticed(done):
    (done / f"report/{EDITION}/studies/offload/background.md").write_text("New.\n")
    assert done.planned() == ["report"]
    (done / "raw/lab/run-2.txt").write_text("2\n")
    assert done.planned() == FROM_INGEST


def test_new_dates_run_nothing(done):
    for folder in ("raw", "report", "templates", "analysis", "data"):
        for path in (done / folder).rglob("*"):
            if "build" not in path.relative_to(done.folder).parts:
                os.utime(path)
    os.utime(done / "Snakefile")
    assert done.build()[::2] == (0, [])


def test_an_editor_s_drafts_run_nothing(done):
    folder = done / f"report/{EDITION}/studies/offload"
    (folder / ".observations.md.swp").write_text("x")
    (folder / "observations.md~").write_text("x")
    assert done.build()[::2] == (0, [])


@pytest.mark.parametrize("name", ["index.html", f"{EDITION}.pdf", "manifest.json"])
def test_a_page_that_is_missing_is_noticed(done, name):
    (done / "report/build" / EDITION / name).unlink()
    assert done.planned() == ["report"]


@pytest.mark.parametrize(
    ("name", "rerun"),
    [
        ("facts.json", AFTER_DERIVE),
        ("backtest.json", ["backtest", "report"]),
    ],
)
def test_a_result_that_is_missing_is_made_again(done, name, rerun):
    (done / "data/build" / name).unlink()
    assert done.planned() == rerun


@pytest.mark.parametrize(
    ("name", "rerun"),
    [
        ("facts", ["figures", "report"]),
        ("backtest", ["report"]),
    ],
)
def test_new_content_runs_the_next_stages_after_a_build_that_ended_there(
    done, name, rerun
):
    mark = done / "data/build/made" / name
    os.utime(mark)
    assert done.planned() == []
    mark.write_text("another checksum\n")
    assert done.planned() == rerun


def test_a_report_that_was_deleted_comes_back_once(done):
    before = done.report().keys()
    shutil.rmtree(done / "report/build")
    assert done.build()[::2] == (0, ["index", "report"])
    assert done.report().keys() == before
    assert done.build()[::2] == (0, [])


def test_another_engine_renders_again(done):
    command = (*MAKE_REPORT, "ENGINE=quarto")
    assert done.build(*command)[::2] == (0, ["report"])


def test_one_edition_alone(done):
    second = done / "report/second"
    second.mkdir()
    (second / "edition.yaml").write_text("title: Second\n")
    command = (*MAKE_REPORT, "EDITION=second")
    code, said, _ = done.build(*command)
    assert code == 0, said
    assert (done / "report/build/second/index.html").exists()
    assert said.splitlines()[-1] == "report/build/second/index.html"


def test_one_edition_of_several_leaves_the_rest_alone(done):
    (done / "report/second").mkdir()
    declared = done / "report/second/edition.yaml"
    declared.write_text("title: Second\n")
    assert done.build()[0] == 0
    command = (*MAKE_REPORT, f"EDITION={EDITION}")
    assert done.build(*command)[::2] == (0, [])
    (done / "report/second/notes.md").write_text("New.\n")
    assert done.build(*command)[::2] == (0, [])
    assert done.build()[::2] == (0, ["report"])
    declared.unlink()
    assert "index" in done.planned()


@pytest.mark.parametrize("edition", [(), (f"EDITION={EDITION}",)])
def test_an_engine_that_does_not_exist_is_told_once(done, edition):
    code, said, ran = done.build(*MAKE_REPORT, "ENGINE=foo", *edition)
    assert (code, ran) == (2, [])
    assert said.count("error: ") == 1
    assert (
        "there is no engine 'foo'\n  mend: choose one of: auto, quarto, pandoc" in said
    )


def test_an_edition_that_does_not_exist_is_told_with_those_that_do(done):
    command = (*MAKE_REPORT, "EDITION=linux-vet")
    code, said, ran = done.build(*command)
    assert (code, ran) == (2, [])
    assert "there is no edition 'linux-vet'" in said
    assert EDITION in said
