"""What Snakemake makes of the Snakefile: which steps run, and what stays where one
fails, is killed or meets odd names. Each test builds for the reason that it gives, with
stages that take no time. What a plan says is asked without a build (test_plan.py), and
so is what a build refuses to begin (test_build.py)."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.workflow.cluster import cluster, missing
from tests.workflow.projects import (
    BUILD,
    DECLARED,
    EDITION,
    MAKE_REPORT,
    OWN,
    RULES,
    SNAKEMAKE,
    STUDY,
    Project,
    copy_built,
    kill,
    wait_for,
)
from workflow.build import SAID

TEXT = f"report/{EDITION}/studies/offload/observations.md"
PAGE = f"report/build/{EDITION}/index.html"
FROM_GENERATE = ["generate", *(rule for rule in RULES if rule != "backtest")]
GENERATOR = """\
import sys
from pathlib import Path

from analysis.files.atomic import whole_folder

with whole_folder(Path(sys.argv[-1])) as draft:
    (draft / "campaign.yaml").write_text("title: Made\\n")
"""
needs_slurm = pytest.mark.skipif(
    bool(missing()), reason=f"needs Slurm and munge: {', '.join(missing())}"
)
needs_plugin = pytest.mark.skipif(
    not find_spec("snakemake_executor_plugin_slurm"),
    reason="needs Snakemake's plugin for Slurm: make report PROFILE=slurm",
)


def write(project: Project, files: dict[str, str]) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)


def hold_report(project: Project) -> subprocess.Popen[str]:
    """A build whose report waits until ``slow-report`` is removed."""
    (project / TEXT).write_text("Another sentence.\n")
    (project / "began-report").unlink()
    (project / "slow-report").write_text("30")
    process = project.start()
    wait_for(project / "began-report", process)
    return process


def edition(name: str, campaign: str = "lab") -> dict[str, str]:
    """The files of one more edition, with a study of a campaign."""
    study = f"report/{name}/studies/offload"
    return {
        f"report/{name}/edition.yaml": OWN,
        f"{study}/study.yaml": STUDY.replace("lab", campaign),
        f"{study}/observations.md": "Another sentence.\n",
    }


def test_a_build_tells_its_steps_as_they_end(built_stand_in: Project) -> None:
    """Snakemake says when a step ends; the build is the one that other tests copy."""
    lines = (built_stand_in / "said.txt").read_text("utf-8").splitlines()
    ended = [line for line in lines if line.startswith("[")]
    assert [line.split()[0] for line in ended] == [f"[{n}/10]" for n in range(1, 11)]
    for line in ended:
        if f"{(rule := line.split()[1])} is done" in lines:
            assert lines.index(f"{rule} is done") < lines.index(line)
    assert lines[-1] == PAGE


def test_content_decides_what_runs_again_and_no_date(done: Project) -> None:
    """Snakemake itself would go by dates: all are new, that of the edit is old, as
    ``cp -p`` brings it."""
    for folder in ("raw", "report", "templates", "analysis"):
        for path in (done / folder).rglob("*"):
            os.utime(path)
    (done / TEXT).write_text("Other words.\n")
    os.utime(done / TEXT, (1, 1))
    code, said, ran = done.build()
    assert (code, ran) == (0, ["report", "place", "index"]), said
    assert "Other words." in (done / PAGE).read_text()


def test_a_build_here_bears_an_executor_that_needs_pandas(
    done: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the one for Slurm does, which Snakemake imports whether it is used or not."""
    plugin = tmp_path / "site" / "snakemake_executor_plugin_other"
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").write_text(
        "import pandas\n"
        "from snakemake.executors.local import Executor, common_settings\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(plugin.parent))
    code, said, ran = done.build()
    assert (code, ran) == (0, []), said
    assert said.startswith("Nothing to be done")


def test_a_file_that_is_missing_is_made_by_its_path_and_no_other(done: Project) -> None:
    """Snakemake finds the rules of a path, also of a file that no report has."""
    shutil.rmtree(done / "report/build")
    write(done, {"synthetic/campaigns/other/campaign.yaml": "title: Other\n"})
    paths = PAGE, PAGE.replace("index", "nothing")
    code, said, ran = done.build(*SNAKEMAKE, "--cores", "2", *paths)
    assert (code, ran) == (1, ["place", "file_of_report"]), said
    assert (done / PAGE).exists()
    assert "nothing.html: this report has no such file" in said


def test_an_edition_alone_needs_no_step_of_another(done: Project) -> None:
    """Snakemake runs what the targets need; the campaign of the other would fail."""
    write(done, {"fail-ingest-lab": "", "raw/lab/run-1.txt": "2\n",
                 "report/second/edition.yaml": DECLARED})  # fmt: skip
    code, said, ran = done.build(*BUILD, "--edition", "second")
    assert code == 0, said
    assert ran == ["figures", "report", "place", "index"]
    assert said.splitlines()[-1] == "report/build/second/index.html"


def test_what_fails_stops_no_other_edition_and_is_told_until_it_is_mended(
    done: Project,
) -> None:
    """Snakemake decides which jobs go on where some fail, and records a failed one as
    done: a second build must tell it again, and a third must make it."""
    before = done.report()
    broken = {
        "raw/lab/run-1.txt": "2\n",
        "fail-ingest-lab": "",
        "fail-report-worded": "",
        "report/unread/edition.yaml": "title: [\n",
        "report/unsound/studies/offload/study.yaml": "titel: A\n",
        "fail-ingest-unused": "",
    }
    whole = {**edition(EDITION), "raw/other/run-1.txt": "1\n",
             "raw/unused/campaign.yaml": "title: Unused\n",
             "raw/other/campaign.yaml": "title: Other\n"}  # fmt: skip
    for name in ("second", "worded", "unread", "unsound"):
        whole |= edition(name, "other")
    write(done, whole | broken)
    failed = {EDITION, "worded", "unread", "unsound"}
    for turn in range(2):
        code, said, _ = done.build(*MAKE_REPORT)
        lines = said.splitlines()
        assert code == 2  # as make has it
        assert {one for one in lines if " is not built" in one} == {
            f"error: {name} is not built: the reason is above" for name in failed
        }
        assert lines.count("error: observations.md:3: this cannot be") == 2
        assert lines.count("  mend: write it well") == 2
        assert "error: report/unread/edition.yaml:" in said
        assert "error: report/unsound/studies/offload/study.yaml:" in said
        assert "raw/unused is left out: no edition uses it" in said
        assert "Traceback" not in said
        assert "CalledProcessError" not in said
        told = re.search(r"ingest lab failed: the reason is above, also in (\S+)", said)
        assert told and "this cannot be" in (done / told[1]).read_text(), turn
        assert "report/build/second/index.html" in lines
        assert PAGE not in lines
        assert (done / f"report/build/.begun/{EDITION}").exists()
        assert (done / f"data/build/facts/{EDITION}/table").exists()
        after = done.report()
        own = [name for name in before if name.startswith(EDITION)]
        assert [name for name in own if after[name] != before[name]] == []
        assert "Another" in (done / "report/build/second/index.html").read_text()
    (done / "fail-ingest-lab").unlink()
    code, said, _ = done.build(*BUILD, "--edition", EDITION)
    assert code == 0, said
    assert "Another sentence." in (done / PAGE).read_text()
    assert not (done / f"report/build/.begun/{EDITION}").exists()


def test_a_killed_build_leaves_the_report_whole_and_goes_on(done: Project) -> None:
    """What Snakemake leaves locked, and a job that outlives it, meet the next build."""
    before = done.report()
    process = hold_report(done)
    kill(process, with_jobs=False)
    assert done.report() == before
    (done / "slow-report").unlink()
    code, said, ran = done.build()
    assert (code, ran) == (0, ["report", "place", "index"]), said
    assert "Another sentence." in (done / PAGE).read_text()


@pytest.mark.parametrize("whole_group", [True, False])
def test_an_interrupt_is_told_in_one_line_and_ends_all(
    done: Project, whole_group: bool
) -> None:
    """Snakemake, which has words of its own for it, and its jobs hear it at once."""
    before = done.report()
    process = hold_report(done)
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=20)  # until no job holds its output open
    assert process.returncode == 130
    assert said.splitlines()[-1] == SAID
    assert "Traceback" not in said
    assert done.report() == before


def test_a_campaign_is_generated_again_where_its_generator_changed(
    done: Project,
) -> None:
    """Also where its reader changed with it: Snakemake looks at no key of what follows
    an input that is called ancient."""
    declared = {"synthetic/campaigns/made/campaign.yaml": "title: Made\n"}
    code = {"synthetic/__init__.py": "", "synthetic/__main__.py": GENERATOR}
    write(done, edition(EDITION, "made") | declared | code)
    ended, said, ran = done.build()
    assert (ended, ran[0]) == (0, "generate"), said
    assert done.planned() == []
    for name in ("synthetic/__main__.py", "analysis/ingest/verb.py"):
        with (done / name).open("a") as file:
            file.write("more = 1\n")
    assert done.build()[2] == FROM_GENERATE


def test_names_that_a_shell_would_run_are_names(
    built_stand_in: Project, tmp_path: Path
) -> None:
    """Snakemake gives the names of the project's folder and of evidence to a shell."""
    folder = tmp_path / "a \"b' $(touch P); é"
    project = copy_built(built_stand_in, folder)
    for name in ("a b;c.txt", "it's", 'q"', "{x}", "-rf", "$(touch P)", "a\nb"):
        (project / "raw/lab" / name).write_text(name)
    code, said, ran = project.build()
    assert code == 0, said
    assert "ingest" in ran
    assert json.loads((folder / f"report/build/{EDITION}/manifest.json").read_text())
    assert not list(tmp_path.rglob("P"))


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cluster whose commands are on the path; where it writes what it does.

    Its folder has a short name, as names of sockets may not be long.
    """
    with (
        TemporaryDirectory(prefix="slurm-") as name,
        cluster(at := Path(name)) as commands,
    ):
        path = os.pathsep.join([str(commands), os.environ["PATH"]])
        monkeypatch.setenv("PATH", path)
        yield at


@needs_slurm
@needs_plugin
def test_steps_are_jobs_of_slurm(stand_in: Project, slurm: Path) -> None:
    """Snakemake hands its jobs to the cluster."""
    command = (*MAKE_REPORT[:-1], "UV=true", "PROFILE=slurm", "report")
    code, said, _ = stand_in.build(*command)
    assert code == 0, said
    assert "account" not in said
    # Figures and report of an edition are one; what only moves files runs here.
    assert (slurm / "slurmctld.out").read_text().count(" WEXITSTATUS 0") == 5
    assert stand_in.planned() == []
