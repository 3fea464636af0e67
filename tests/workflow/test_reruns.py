"""What makes which jobs run again, shown with stages that take no time."""

import os
import shutil
import time

import pytest

from analysis.files import campaign_state as kept
from analysis.files.campaign_state import campaign_state
from analysis.files.digests import CACHE
from tests.workflow.projects import (
    DECLARED,
    EDITION,
    MAKE_REPORT,
    OWN,
    SNAKEMAKE,
    STAGES,
    wait_for,
)

AFTER_DERIVE = ["derive", "figures", "report"]
FROM_INGEST = list(STAGES[STAGES.index("ingest") :])


def append(path, text):
    with path.open("a") as file:
        file.write(text)


def test_a_second_build_runs_nothing_and_says_so(done):
    code, said, ran = done.build()
    assert (code, ran) == (0, [])
    assert said.startswith("Nothing to be done")


def test_a_page_is_built_by_its_path_of_its_own_campaigns_alone(stand_in):
    page = f"report/build/{EDITION}/index.html"
    other = stand_in / "synthetic/campaigns/other"
    other.mkdir(parents=True)
    (other / "campaign.yaml").write_text("title: Other\n")
    code, said, ran = stand_in.build(*SNAKEMAKE, "--cores", "2", page)
    assert code == 0, said
    assert ran == [stage for stage in STAGES if stage != "index"]
    append(stand_in / f"report/{EDITION}/studies/offload/observations.md", "More.\n")
    assert stand_in.build(*SNAKEMAKE, page)[::2] == (0, ["report"])
    assert "More." in (stand_in / page).read_text()
    code, said, _ = stand_in.build(*SNAKEMAKE, page.replace("index", "nothing"))
    assert code == 1
    assert "nothing.html: this report has no such file" in said


def test_a_changed_rule_runs_its_step_though_no_input_changed(done):
    rules = done / "Snakefile"
    rules.write_text(rules.read_text().replace('"analysis load ', '"analysis  load '))
    assert done.build()[::2] == (0, ["load", *AFTER_DERIVE])
    assert done.build()[::2] == (0, [])


def test_all_inputs_are_read_again_on_demand(done, monkeypatch):
    """Where states of files tell nothing: here what is kept calls a new file old."""
    cache, folder = done / CACHE, done / "raw/lab"
    old = campaign_state(folder).hashes(cache)
    append(folder / "run-1.txt", "1\n")
    monkeypatch.setattr(kept, "hash_file", lambda path: old[path.name])
    monkeypatch.setattr(kept, "tick_ago", lambda: time.time_ns() + 10**9)
    assert campaign_state(folder).hashes(cache) == old
    assert done.build()[::2] == (0, [])
    command = (*MAKE_REPORT[:-1], "REHASH=1", "report")
    assert done.build(*command)[::2] == (0, FROM_INGEST)


def test_every_step_is_told_as_it_goes(stand_in):
    _, said, _ = stand_in.build()
    lines = said.splitlines()
    begun = [line for line in lines if line.startswith("[")]
    steps = [line.split()[1] for line in begun]
    assert [line.split()[0] for line in begun] == [f"[{n}/7]" for n in range(1, 8)]
    assert sorted(steps) == sorted(STAGES)
    for step, line in zip(steps, begun, strict=True):
        assert lines.index(line) < lines.index(f"{step} is done")
    first = {line.partition(" ")[2] for line in begun[:2]}  # both at once, on two cores
    assert "ingest lab" in first
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
        (f"report/{EDITION}/edition.yaml", "number: one\n", AFTER_DERIVE),
        (f"report/{EDITION}/studies/offload/study.yaml", "# a\n", AFTER_DERIVE),
        ("templates/index.qmd.j2", "more\n", ["report"]),
        (
            f"report/{EDITION}/studies/offload/observations.md",
            "More so.\n",
            ["report"],
        ),
        ("environment.yml", "# a remark\n", []),
        ("pyproject.toml", "# a remark\n", []),
    ],
)
def test_an_edit_runs_what_depends_on_it(done, name, text, rerun):
    append(done / name, text)
    assert done.stale() == rerun


def test_a_changed_constant_runs_its_stage_and_all_after_it_once(done):
    append(done / "analysis/derive/verb.py", "CONSTANT = 2\n")
    assert done.build()[::2] == (0, AFTER_DERIVE)
    assert done.build()[::2] == (0, [])


def made_in(said):
    """The stages that made their results, and did not leave them as they were."""
    return [line.split()[0] for line in said.splitlines() if line.endswith(" is done")]


def test_code_that_changes_no_result_runs_nothing_after_its_stage(done):
    append(done / "analysis/derive/verb.py", "def spare(name):\n    return name\n")
    assert done.stale() == AFTER_DERIVE
    before = done.report()
    code, said, _ = done.build()
    assert (code, made_in(said)) == (0, ["derive"])
    assert f"report-{EDITION}: stays as it is" in said
    assert done.report() == before
    assert done.build()[::2] == (0, [])
    source = (done / "analysis/derive/verb.py").read_text("utf-8")
    renamed = source.replace("name", "other")
    (done / "analysis/derive/verb.py").write_text(renamed, "utf-8")
    assert made_in(done.build()[1]) == ["derive"]


def test_a_result_that_may_stay_is_made_again_where_it_was_edited(done):
    append(done / "analysis/derive/verb.py", "def spare(name):\n    return name\n")
    append(done / f"data/build/figures/{EDITION}/table", "more")
    assert made_in(done.build()[1]) == ["derive", "figures"]


@pytest.mark.parametrize(
    "name", ["data/published.csv", f"report/{EDITION}/studies/offload/observations.md"]
)
def test_what_a_stage_reads_itself_counts_beside_results(done, name):
    append(done / "analysis/derive/verb.py", "def spare(name):\n    return name\n")
    append(done / name, "More so.\n")
    assert "report" in made_in(done.build()[1])


def test_a_new_text_and_a_new_raw_file_are_noticed(done):
    (done / f"report/{EDITION}/studies/offload/background.md").write_text("New.\n")
    assert done.stale() == ["report"]
    (done / "raw/lab/run-2.txt").write_text("2\n")
    assert done.planned() == FROM_INGEST


def test_new_dates_run_nothing(done):
    for folder in ("raw", "report", "templates", "analysis", "data"):
        for path in (done / folder).rglob("*"):
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
    assert done.stale() == ["report"]


@pytest.mark.parametrize(
    ("name", "rerun"),
    [
        ("facts.json", AFTER_DERIVE),
        ("evidence.json", AFTER_DERIVE),
        ("backtest.json", ["backtest", "report"]),
    ],
)
def test_a_result_that_is_missing_is_made_again(done, name, rerun):
    (done / "data/build" / name).unlink()
    assert done.stale() == rerun


def older_by_rename(path, text):
    """As ``touch -d yesterday new; mv new path``."""
    new = path.with_name("new")
    new.write_text(text)
    os.utime(new, (1, 1))
    new.replace(path)


def older_in_place(path, text):
    """As ``cp -p``, ``rsync -a`` and ``tar x``: the date of another file."""
    path.write_text(text)
    os.utime(path, (1, 1))


def same_size_and_dates(path, text):
    """As an editor that is quicker than the clock of the file system."""
    before = path.stat()
    path.write_text((text * before.st_size)[: before.st_size])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [older_by_rename, older_in_place])
def test_content_counts_whatever_its_date(done, change):
    edition = f"report/{EDITION}"
    for name, rerun in (
        (f"{edition}/studies/offload/observations.md", ["report"]),
        ("templates/index.qmd.j2", ["report"]),
        (f"{edition}/edition.yaml", AFTER_DERIVE),
        ("data/metrics.yaml", ["backtest", *AFTER_DERIVE]),
        ("raw/lab/run-1.txt", ["backtest", *FROM_INGEST]),
    ):
        before = OWN if name.endswith(".yaml") else ""
        change(done / name, f"{before}# other words for {name}\n")
        assert done.stale() == rerun


def test_an_edit_of_the_same_size_and_date_counts(done):
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    same_size_and_dates(text, "x")
    assert done.stale() == ["report"]


@pytest.mark.parametrize(
    ("stage", "stale"), [("report", ["report"]), ("derive", ["report"])]
)
def test_an_edit_that_is_undone_while_a_step_runs_counts(done, stage, stale):
    """Nobody knows which of the two texts the step has read."""
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    before = text.read_text()
    append(done / "analysis/derive/verb.py", "CONSTANT = 2\n")
    (done / f"slow-{stage}").write_text("0.5")
    began = done / f"began-{stage}"
    began.unlink()
    process = done.start()
    wait_for(began, process)
    text.write_text("Another sentence.\n")
    said, _ = process.communicate()
    assert process.returncode == 0
    assert "observations.md changed while report-linux-veth was made" in said
    text.write_text(before)
    assert done.stale() == stale
    assert done.build()[::2] == (0, stale)
    page = done / f"report/build/{EDITION}/index.html"
    assert "Another sentence." not in page.read_text()
    assert done.stale() == []


def test_a_folder_of_texts_may_end_with_a_dot(done):
    text = done / f"report/{EDITION}/front./preface.md"
    text.parent.mkdir()
    text.write_text("One.\n")
    assert done.stale() == ["report"]


def test_what_came_and_went_counts(done):
    edition = done / f"report/{EDITION}"
    (edition / "picture.png").write_bytes(b"1")
    assert done.stale() == ["report"]
    assert done.build()[::2] == (0, ["report"])
    (edition / "picture.png").unlink()
    assert done.stale() == ["report"]
    shutil.copytree(edition / "studies/offload", edition / "studies/onload")
    assert done.stale() == AFTER_DERIVE


@pytest.mark.parametrize(
    ("name", "rerun"),
    [
        ("data/build/ingest/lab/table", FROM_INGEST),
        ("data/build/perf.duckdb", FROM_INGEST[1:]),
        ("data/build/facts.json", AFTER_DERIVE),
        ("data/build/evidence.json", AFTER_DERIVE),
        (f"data/build/figures/{EDITION}/table", ["figures", "report"]),
        (f"report/build/{EDITION}/index.html", ["report"]),
        ("report/build/index.html", ["index"]),
    ],
)
def test_a_result_that_is_not_what_was_made_is_made_again(done, name, rerun):
    same_size_and_dates(done / name, "x")
    assert done.stale() == rerun


def test_an_edited_result_in_the_middle_runs_what_rests_on_it(done):
    append(done / "data/build/perf.duckdb", "x")
    assert done.build()[::2] == (0, FROM_INGEST[1:])


def test_what_is_not_the_report_s_may_lie_beside_it(done):
    (done / "report/build" / EDITION / "mine.txt").write_text("1")
    assert done.stale() == []


def test_results_of_another_project_are_taken_for_what_they_are(done, tmp_path):
    shutil.rmtree(done / ".snakemake")  # of which a copy of data/build knows nothing
    assert done.stale() == []
    append(done / "raw/lab/run-1.txt", "2\n")
    assert done.stale() == FROM_INGEST


def test_looking_at_what_must_run_removes_nothing(done):
    append(done / "analysis/derive/verb.py", "CONSTANT = 2\n")
    marks = sorted((done / "data/build/marks").rglob("*"))
    for command in (("--dry-run",), ("--lint",), ("--summary",)):
        assert done.build(*SNAKEMAKE, *command)[0] == 0
    assert sorted((done / "data/build/marks").rglob("*")) == marks
    assert done.stale() == AFTER_DERIVE


def test_plain_snakemake_believes_no_mark_of_another_result(done):
    shutil.rmtree(done / ".snakemake")  # it remembers nothing of its own
    append(done / "data/build/facts.json", "x")
    assert done.build(*SNAKEMAKE)[::2] == (0, AFTER_DERIVE)
    assert done.build(*SNAKEMAKE)[::2] == (0, [])


def test_a_step_that_ended_before_its_mark_runs_again(done):
    [mark] = (done / "data/build/marks/derive").iterdir()
    mark.write_text("another key\n")
    assert done.stale() == AFTER_DERIVE


def test_a_report_that_was_deleted_comes_back_once(done):
    before = done.report().keys()
    shutil.rmtree(done / "report/build")
    assert done.build()[::2] == (0, ["index", "report"])
    assert done.report().keys() == before
    assert done.build()[::2] == (0, [])


def install_quarto(folder, version, monkeypatch):
    program = folder / "quarto"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("QUARTO", str(program))


def test_another_engine_renders_again(done, tmp_path, monkeypatch):
    monkeypatch.setenv("QUARTO", "none")
    assert done.build()[::2] == (0, [])
    install_quarto(tmp_path, "1.9.1", monkeypatch)
    assert done.build(*MAKE_REPORT, "ENGINE=pandoc")[::2] == (0, [])
    assert done.build(*MAKE_REPORT, "ENGINE=quarto")[::2] == (0, ["report"])
    assert done.build()[::2] == (0, [])  # auto is Quarto, now that it is there
    install_quarto(tmp_path, "1.10.18", monkeypatch)
    assert done.build()[::2] == (0, ["report"])


def test_an_engine_that_is_absent_is_told_before_anything_runs(done, monkeypatch):
    monkeypatch.setenv("QUARTO", "none")
    code, said, ran = done.build(*MAKE_REPORT, "ENGINE=quarto")
    assert (code, ran) == (2, [])
    assert said.count("error: ") == 1
    assert "Quarto is absent\n  mend: install Quarto 1.9 or later" in said


def test_one_edition_alone(done):
    second = done / "report/second"
    second.mkdir()
    (second / "edition.yaml").write_text(DECLARED)
    command = (*MAKE_REPORT, "EDITION=second")
    code, said, _ = done.build(*command)
    assert code == 0, said
    assert (done / "report/build/second/index.html").exists()
    assert said.splitlines()[-1] == "report/build/second/index.html"


def test_one_edition_of_several_leaves_the_rest_alone(done):
    (done / "report/second").mkdir()
    declared = done / "report/second/edition.yaml"
    declared.write_text(DECLARED)
    assert done.build()[0] == 0
    command = (*MAKE_REPORT, f"EDITION={EDITION}")
    assert done.build(*command)[::2] == (0, [])
    rules = done / "Snakefile"
    changed = rules.read_text().replace('"analysis report ', '"analysis  report ')
    rules.write_text(changed)
    assert done.build(*command)[::2] == (0, ["report"])
    assert done.build()[::2] == (0, ["report"])  # of the second edition: not forgotten
    (done / "report/second/notes.md").write_text("New.\n")
    assert done.build(*command)[::2] == (0, [])
    assert done.build()[::2] == (0, ["report"])
    declared.unlink()
    assert "index" in done.stale()


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


@pytest.mark.parametrize("named", [False, True])
def test_an_unfinished_campaign_of_nobody_stops_no_build(done, named):
    wip = done / "raw/wip"
    wip.mkdir()
    (wip / "campaign.yaml").write_text("title: Not yet\n")
    options = [f"EDITION={EDITION}"] if named else []
    code, said, ran = done.build(*MAKE_REPORT, *options)
    assert (code, ran) == (0, []), said
    assert ("raw/wip is left out" in said) != named
