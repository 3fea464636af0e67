"""Builds that fail, are killed, or meet another one: what Snakemake leaves behind then
is met by the next build, so each test builds, with stages that take no time."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time

import pytest

from tests.workflow.projects import (
    EDITION,
    MAKE_REPORT,
    SNAKEMAKE,
    Project,
    kill,
    wait_for,
)
from workflow.build import SAID

TEXT = f"report/{EDITION}/studies/offload/observations.md"
PAGE = f"report/build/{EDITION}/index.html"


def hold_report(project: Project, *command: str) -> subprocess.Popen[str]:
    """A build whose report waits until ``slow-report`` is removed."""
    (project / TEXT).write_text("Another sentence.\n")
    (project / "began-report").unlink()
    (project / "slow-report").write_text("30")
    process = project.start(*command)
    wait_for(project / "began-report", process)
    return process


def test_a_failure_is_told_once_leaves_the_report_and_is_not_forgotten(
    done: Project,
) -> None:
    stage = "derive"
    before = done.report()
    (done / f"fail-{stage}").touch()
    (done / "raw/lab/run-1.txt").write_text("2\n")
    (done / TEXT).write_text("Another sentence.\n")
    for _ in range(2):  # the second time it is no news to Snakemake
        code, said, _ = done.build(*MAKE_REPORT)
        assert code == 2  # as make has it
        assert said.count("error: observations.md:3: this cannot be") == 1
        assert said.count("mend: write it well") == 1
        assert "Traceback" not in said
        assert "CalledProcessError" not in said
        assert f"{stage} " in said and "failed: the reason is above" in said
        log = re.search(r"also in (\S+)", said)
        assert log and "this cannot be" in (done / log[1]).read_text()
        after = done.report()
        for name in before:
            if name.startswith(EDITION):
                assert after[name] == before[name]
        assert (done / f"report/build/.begun/{EDITION}").exists()
    assert (done / f"data/build/facts/{EDITION}/table").exists()
    (done / f"fail-{stage}").unlink()
    assert done.build()[0] == 0
    assert "Another sentence." in (done / PAGE).read_text()
    assert not (done / f"report/build/.begun/{EDITION}").exists()


@pytest.mark.parametrize(("command", "with_jobs"), [((), True), (SNAKEMAKE, False)])
def test_a_killed_build_leaves_the_report_whole_and_goes_on(
    done: Project, command: tuple[str, ...], with_jobs: bool
) -> None:
    before = done.report()
    process = hold_report(done, *command)
    kill(process, with_jobs)
    assert done.report() == before
    (done / "slow-report").unlink()
    code, said, ran = done.build()
    assert (code, ran) == (0, ["report", "place", "index"]), said
    assert "Another sentence." in (done / PAGE).read_text()


def test_a_build_that_is_killed_at_any_moment_goes_on(done: Project) -> None:
    """What is there is always a whole report, of the old or of the new text."""
    choose = random.Random(8)  # noqa: S311 - of moments
    for turn in range(3):
        (done / TEXT).write_text(f"Sentence {turn}.\n")
        process = done.start()
        time.sleep(choose.uniform(0.5, 5.0))
        kill(process, with_jobs=True)
        names = {name.removeprefix(f"{EDITION}/") for name in done.report()}
        assert {"index.html", "manifest.json", f"{EDITION}.pdf"} <= names
    code, said, _ = done.build()
    assert code == 0, said
    assert "Sentence 2." in (done / PAGE).read_text()


@pytest.mark.parametrize("whole_group", [True, False])
def test_an_interrupt_is_told_in_one_line_and_ends_all(
    done: Project, whole_group: bool
) -> None:
    before = done.report()
    process = hold_report(done)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=20)  # until no job holds its output open
    assert process.returncode == 130
    assert said.splitlines()[-1] == SAID
    assert "Traceback" not in said
    assert done.report() == before


def test_another_build_beside_one_is_told_and_disturbs_nothing(done: Project) -> None:
    process = hold_report(done)
    code, said, _ = done.build()
    assert code == 2
    busy = f"another build is running in this folder (process {process.pid})"
    assert f"{busy}\n  mend: wait until it ends" in said
    code, said, _ = done.build(*SNAKEMAKE)
    assert code == 1
    assert "lock" in said.lower()
    (done / "slow-report").unlink()
    assert process.wait() == 0


def test_a_folder_that_cannot_be_written_is_told(done: Project) -> None:
    (done / ".snakemake/build.lock").unlink()
    (done / ".snakemake/build.lock").symlink_to("nowhere/at-all")
    code, said, _ = done.build()
    assert code == 2
    assert "error: .snakemake/build.lock" in said
    assert "Traceback" not in said
