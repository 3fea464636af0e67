"""Builds that fail, are killed, or meet another one; with stages that take no time."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.workflow.projects import (
    EDITION,
    MAKE_REPORT,
    SNAKEMAKE,
    STAGES,
    kill,
    wait_for,
)
from workflow.interrupt import SAID


def slow(project, stage, seconds=0.5):
    (project / f"slow-{stage}").write_text(str(seconds))


def in_turn(stages):
    """The stages that wait for others: who does not is ready before, or after."""
    return [stage for stage in stages if stage not in ("backtest", "index")]


def go_on(project, stage):
    (project / f"slow-{stage}").unlink()


def write_anew(project, stage="report"):
    """A text that makes a stage run again, whose last run is forgotten."""
    name = f"report/{EDITION}/studies/offload/observations.md"
    name = {"report": name, "derive": "data/metrics.yaml"}[stage]
    before = (project / name).read_text()
    (project / name).write_text(f"{before}# Another sentence.\n")
    (project / f"began-{stage}").unlink()


def hold_report(project, *command):
    """A build whose report waits for :func:`go_on`."""
    write_anew(project)
    slow(project, "report", 30)
    process = project.start(*command)
    wait_for(project / "began-report", process)
    return process


# A stage of each kind: one beside the others, of many files, of two, of the report.
KINDS = ("index", "ingest", "derive", "report")


@pytest.mark.parametrize("stage", KINDS)
def test_a_failure_is_told_once_and_leaves_the_finished_report(done, stage):
    before = done.report()
    (done / f"fail-{stage}").touch()
    with (done / "analysis/errors.py").open("a") as file:
        file.write("MORE = 1\n")  # concerns every stage
    code, said, _ = done.build(*MAKE_REPORT)
    assert code == 2
    assert said.count("error: observations.md:3: this cannot be") == 1
    assert said.count("mend: write it well") == 1
    assert "Traceback" not in said
    assert "CalledProcessError" not in said
    log = re.search(r"also in (\S+)", said)[1]
    assert "this cannot be" in (done / log).read_text()
    assert done.report().keys() == before.keys()
    rebuilt = {name for name in before if done.report()[name] != before[name]}
    assert {Path(name).parts[0] for name in rebuilt} <= (
        {EDITION} if stage == "index" else {"index.html"}
    )


def test_a_failure_keeps_the_last_good_result(done):
    path = done / "data/build/facts.json"
    before = path.read_bytes()
    with (done / "data/metrics.yaml").open("a") as file:
        file.write("# a mistake\n")
    (done / "fail-derive").touch()
    assert done.build()[0] == 2
    assert path.read_bytes() == before
    assert "derive" in done.stale()
    (done / "fail-derive").unlink()
    assert done.build()[0] == 0
    assert done.build()[::2] == (0, [])


def test_a_report_that_is_older_than_a_failed_build_is_known_until_it_is_right(done):
    begun = done / f"report/build/.begun/{EDITION}"
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    before = text.read_text()
    assert not begun.exists()
    text.write_text("Another sentence.\n")
    (done / "fail-report").touch()
    assert done.build()[0] == 2
    assert begun.exists()
    text.write_text(before)
    assert done.build()[::2] == (0, [])
    assert not begun.exists()


def test_a_failure_is_not_forgotten(done):
    text = done / f"report/{EDITION}/studies/offload/observations.md"
    text.write_text("Another sentence.\n")
    (done / "fail-report").touch()
    assert done.build()[0] == 2
    assert done.build()[0] == 2
    (done / "fail-report").unlink()
    assert done.build()[::2] == (0, ["report"])
    page = done / f"report/build/{EDITION}/index.html"
    assert "Another sentence." in page.read_text()


def check_resumes(project, stage, with_jobs):
    slow(project, stage)
    process = project.start()
    wait_for(project / f"began-{stage}", process)
    kill(process, with_jobs)
    code, said, ran = project.build(*MAKE_REPORT)
    assert code == 0, said
    assert in_turn(ran) == in_turn(STAGES[STAGES.index(stage) :])
    assert not [path for path in project.report() if path.endswith(".part")]


def test_a_killed_first_build_resumes_by_the_same_command(stand_in):
    check_resumes(stand_in, "ingest", with_jobs=True)


@pytest.mark.parametrize(("stage", "with_jobs"), [("derive", False), ("report", True)])
def test_a_killed_build_resumes_by_the_same_command(done, stage, with_jobs):
    write_anew(done, stage)
    check_resumes(done, stage, with_jobs)


def test_a_build_killed_while_it_starts_resumes(stand_in):
    process = stand_in.start()
    wait_for(stand_in / ".snakemake/build.lock", process)
    kill(process, with_jobs=True)
    assert stand_in.build()[::2] == (0, list(STAGES))


def test_the_report_of_before_is_whole_while_it_is_made_anew(done):
    before = done.report()
    process = hold_report(done)
    kill(process, with_jobs=True)
    assert done.report() == before


def test_plain_snakemake_resumes_a_killed_build_too(stand_in):
    slow(stand_in, "derive")
    process = stand_in.start(*SNAKEMAKE)
    wait_for(stand_in / "began-derive", process)
    kill(process, with_jobs=True)
    code, said, ran = stand_in.build(*SNAKEMAKE)
    assert code == 0, said
    assert in_turn(ran) == in_turn(STAGES[STAGES.index("derive") :])


@pytest.mark.parametrize("whole_group", [True, False])
def test_an_interrupt_is_told_in_one_line_and_ends_all(done, whole_group):
    before = done.report()
    process = hold_report(done)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=20)  # until no job holds its output open
    assert process.returncode == 130
    assert said.splitlines()[-1] == SAID
    assert "Traceback" not in said
    assert "failed" not in said
    assert done.report() == before


@pytest.mark.parametrize(
    ("module", "code", "told"), [("build", 130, [SAID]), ("show", 0, [])]
)
def test_an_interrupt_while_modules_are_imported_is_no_traceback(
    done, module, code, told
):
    # No file object that goes by itself: an interrupt would be lost in that.
    slow = "import os, time\nos.mkdir('began')\ntime.sleep(30)\n"
    (done / "analysis/declared/edition.py").write_text(slow)
    process = done.start(sys.executable, "-m", f"workflow.{module}")
    wait_for(done / "began", process)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=20)
    assert (process.returncode, said.splitlines()) == (code, told)


@pytest.mark.parametrize("name", [".snakemake/build.lock", "data/build/marks"])
def test_a_folder_that_cannot_be_written_is_told(done, name):
    (done / name).rename(done / "away")
    (done / name).symlink_to("nowhere/at-all")
    (done / f"report/{EDITION}/studies/offload/observations.md").write_text("New.\n")
    code, said, _ = done.build(*MAKE_REPORT)
    assert code == 2
    assert f"error: {name}" in said
    assert "mend: see that it is there, is yours, and has room" in said
    assert "Traceback" not in said


def check_told(said, process):
    busy = f"another build is running in this folder (process {process.pid})"
    assert f"{busy}\n  mend: wait until it ends" in said


def test_others_beside_a_build_are_told_and_disturb_nothing(done):
    process = hold_report(done)
    code, said, _ = done.build(*MAKE_REPORT)
    assert code == 2
    check_told(said, process)
    code, said, _ = done.build(*SNAKEMAKE)
    assert code == 1
    check_told(said, process)
    code, said, _ = done.build(*SNAKEMAKE, "--lint")  # which only looks
    assert code == 0, said
    go_on(done, "report")
    assert process.wait() == 0


def test_a_build_beside_plain_snakemake_is_told(done):
    process = hold_report(done, *SNAKEMAKE)
    code, said, _ = done.build(*MAKE_REPORT)
    assert code == 2
    check_told(said, process)
    go_on(done, "report")
    assert process.wait() == 0


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&-"])
def test_a_build_is_made_whose_standard_streams_are_closed(done, closed):
    write_anew(done)
    command = f'"$0" -m workflow.build {closed}'
    code, said, ran = done.build("sh", "-c", command, sys.executable)
    assert (code, ran) == (0, ["report"])
    assert "Traceback" not in said
