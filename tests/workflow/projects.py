"""Projects to build, edit and kill, with the real stages or with stand-ins."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.cli import VERBS
from analysis.declared.edition import find_editions
from benchmarks.project import ROOT, copy_project
from tests.workflow.known_code import note_code
from tests.workflow.warm import is_python, warm

EDITION = "linux-veth"
# The rules of a build of one measured campaign and one edition, in an order in which
# they may run.
RULES = (
    "ingest", "derive", "facts", "backtest", "figures", "report", "place",
    "database", "catalogue", "index",
)  # fmt: skip
VERBS_OF_RULES = {"database": "load"}  # others have the name of their rule
_PLACING = {"facts", "place"}  # done by workflow.place
IN_TURN = ("generate", *RULES, "file_of_report")
PATIENCE_SECONDS = 60
# What is true of the workflow is true of one edition, which takes less time.
OTHERS = (
    *(f"report/{id}" for id in find_editions(ROOT / "report") if id != EDITION),
    "synthetic/campaigns",
)
STAGE_ROOMS = {
    "catalogue", "ingest", "derive", "figures", "report", "publish", "start",
}  # fmt: skip
HERE = Path(__file__).parent
CORE = ("declared", "facts", "files", "programs")  # what stages have in common
# The copies have no environment: they use the one that runs the tests.
MAKE_REPORT = (
    *("make", "--no-print-directory", "-o", ".venv/uv.lock"),
    *(f"VENV={shlex.quote(str(Path(sys.executable).parent))}", "report"),
)
BUILD = (sys.executable, "-m", "workflow.build")
SNAKEMAKE = (sys.executable, "-m", "snakemake")
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # a copy keeps what it compiles
MACHINERY = ("Makefile", "environment.yml", "uv.lock", "pyproject.toml")

DECLARED = "title: A\nauthors: [Ann]\ndate: 2026-01-31\nfront: []\nstudies: []\n"
OWN = DECLARED.replace("[]\n", "[offload]\n").replace("front: [offload]", "front: []")
STUDY = """title: Study
question: Is it well?
campaigns: [lab]
baseline: a
tests: []
workloads: [RR1(1B)]
figures: []
"""
BUILT = "analysis/report/builds/built.py"  # which builds began and are finished


@dataclass(frozen=True)
class Job:
    """One job that ran, well or not: its rule, start and end in seconds since 1970."""

    rule: str
    start: float
    end: float


def jobs_since(project: Path, since: float) -> list[Job]:
    """The jobs of a project that started after a time, in the order of their start."""
    jobs = set()
    for path in (project / ".snakemake" / "metadata").rglob("*"):
        if path.is_file():
            record = json.loads(path.read_text(encoding="utf-8"))
            jobs.add(Job(record["rule"], record["starttime"], record["endtime"]))
    return sorted((job for job in jobs if job.start >= since), key=lambda j: j.start)


@dataclass
class Project:
    """A copy of the project and the builds that were started in it."""

    folder: Path
    started: list[subprocess.Popen[str]] = field(default_factory=list)
    patience: float = PATIENCE_SECONDS * 4

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a build, or another command, in a session of its own."""
        process = subprocess.Popen(
            command or BUILD,
            cwd=self.folder,
            env=os.environ | BYTECODE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def build(self, *command: str) -> tuple[int, str, list[str]]:
        """The exit code, all that was printed, and the rules that were run.

        In the order of ``RULES``, whatever order they ran in.
        """
        since = time.time()
        code, said = self._run(command or BUILD)
        rules = (job.rule for job in jobs_since(self.folder, since))
        ran = sorted({*rules}.intersection(IN_TURN), key=IN_TURN.index)
        return code, said, ran

    def _run(self, command: Sequence[str]) -> tuple[int, str]:
        if is_python(command):
            environment = os.environ | BYTECODE
            if command[: len(SNAKEMAKE)] == SNAKEMAKE:  # which writes at home else
                environment["XDG_CACHE_HOME"] = str(self / ".snakemake/cache")
            return warm().run(command, self.folder, environment, self.patience)
        process = self.start(*command)
        said, _ = process.communicate(timeout=self.patience)
        return process.returncode, said

    def planned(self) -> list[str]:
        """The rules that the next build would run, in the order of the stages."""
        _, said, _ = self.build(*SNAKEMAKE, "--dry-run", "--quiet", "host", "reason")
        lines = [line.split() for line in said.splitlines()]
        named = [words[1].rstrip(":") for words in lines if "rule" in words[:1]]
        local = [words[1].rstrip(":") for words in lines if "localrule" in words[:1]]
        rules = [*named, *local]
        return sorted((rule for rule in rules if rule != "all"), key=IN_TURN.index)

    def report(self) -> dict[str, tuple[bytes, int]]:
        """The finished pages: name → bytes, time of change."""
        build = self / "report/build"
        return {
            str(path.relative_to(build)): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(build.rglob("*"))
            if path.is_file() and ".begun" not in path.parts
        }


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Return when a file is there; fail if the process ends before it comes."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not path.exists():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, f"{path} did not come"
        time.sleep(0.01)


def kill(process: subprocess.Popen[str], with_jobs: bool) -> None:
    """``kill -9`` the build, and its jobs too or leave those to themselves."""
    if with_jobs:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def copy_built(built: Project, to: Path) -> Project:
    """A copy of a project as it is after a build, with the dates of its files."""
    shutil.copytree(built.folder, to, symlinks=True, ignore=_pipes)
    note_code(to)
    return Project(to)


def make_stand_in(folder: Path) -> Project:
    """A project of one edition and one campaign, with stages that take no time."""
    _copy_machinery(folder)
    for rule in RULES:
        if rule in _PLACING:
            continue
        stage = VERBS_OF_RULES.get(rule, rule)
        module = folder.joinpath(*VERBS[stage][0].split(".")).with_suffix(".py")
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text(
            f'"""Stand in for {stage}."""\n'
            "from analysis.stand_in import add_arguments, run_as\n"
            "CONSTANT = 1\n"
            f'def run(args): return run_as("{stage}", CONSTANT, args)\n'
        )
    return Project(folder)


def end(project: Project) -> None:
    """End the builds that a test left, each by its own session's id."""
    for process in project.started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _pipes(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_fifo()]


def _copy_machinery(to: Path) -> None:
    whole = copy_project(to.with_name("whole"), ("raw", "report", "tests"))
    core = {path.name for path in (whole / "analysis").iterdir()} - STAGE_ROOMS
    to.mkdir()
    for name in (*MACHINERY, "workflow", "data"):
        (whole / name).rename(to / name)
    (to / "analysis").mkdir()
    for name in core:
        (whole / "analysis" / name).rename(to / "analysis" / name)
    shutil.copy(HERE / "stand_in.py", to / "analysis" / "stand_in.py")
    (to / BUILT).parent.mkdir(parents=True)
    (whole / BUILT).rename(to / BUILT)
    for file, text in {
        "raw/lab/campaign.yaml": "title: Lab\n",
        "raw/lab/run-1.txt": "1\n",
        f"report/{EDITION}/edition.yaml": OWN,
        f"report/{EDITION}/studies/offload/study.yaml": STUDY,
        f"report/{EDITION}/studies/offload/observations.md": "All is well.\n",
        "templates/index.qmd.j2": "{{ text }}\n",
    }.items():
        (to / file).parent.mkdir(parents=True, exist_ok=True)
        (to / file).write_text(text)
    shutil.rmtree(whole)
