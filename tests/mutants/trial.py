"""One trial: tests run in a child of this process, with or without a mutant.

The child gets the mutated source from memory, so no file of the project is changed and
trials can run side by side. What others wrote (polars, pytest, …) is imported before
the fork; the project itself is imported in the child.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar

import pytest
from cosmic_ray.exceptions import CosmicRayTestingException as Unexpected

from tests.mutants.population import ROOT, Mutant

OWN = ("analysis", "models", "synthetic", "workflow", "benchmarks", "tests")
MEMORY = 8 * 2**30  # a mutant may ask for all there is
OPTIONS = (
    "-q", "-x", "-n0", "-pno:cacheprovider", "-pno:randomly", "--hypothesis-seed=0",
)  # fmt: skip

Name = TypeVar("Name")


@dataclass(frozen=True)
class Ended:
    """How a trial ended: pytest's exit code, what the child wrote, or out of time."""

    code: int
    seconds: float
    said: dict[str, Any]
    timeout: bool = False


@dataclass
class Running:
    """A child at work."""

    pid: int
    folder: Path
    until: float
    begun: float = field(default_factory=time.monotonic)

    def ended(self) -> Ended | None:
        """The end, if it has come; a child that is out of time is ended here."""
        late = time.monotonic() > self.until
        if late:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        pid, status = os.waitpid(self.pid, 0 if late else os.WNOHANG)
        if pid == 0:
            return None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # what the tests left behind
        try:
            said = json.loads((self.folder / "said.json").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            said = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        code = os.waitstatus_to_exitcode(status)
        over = late or code in (-signal.SIGXCPU, -signal.SIGKILL)
        return Ended(code, time.monotonic() - self.begun, said, over)


class _Said:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: str) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._code, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the mutated module in the place of the one on disk."""

    def __init__(self, mutant: Mutant) -> None:
        stem = mutant.module.removesuffix(".py").removesuffix("/__init__")
        self._name = stem.replace("/", ".")
        self._path = str(ROOT / mutant.module)
        self._code = mutant.code()

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """The specification of the mutated module; of no other."""
        if name != self._name:
            return None
        loader = _Loader(name, self._path, self._code)
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


def start(work: Callable[[], tuple[int, dict]], seconds: float) -> Running:
    """Run something in a child: what it returns is its exit code and what it says.

    ``seconds`` is of computing: how busy the machine is does not count.
    """
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    pid = os.fork()
    if pid:
        return Running(pid, folder, time.monotonic() + 60 + 20 * seconds)
    code = 3
    try:
        _alone(folder, seconds)
        code, said = work()
        (folder / "said.json").write_text(json.dumps(said), encoding="utf-8")
    finally:
        os._exit(code)


def _alone(folder: Path, seconds: float) -> None:
    """The child has its own group, files and limits, and says nothing aloud."""
    os.setpgid(0, 0)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    quiet = os.open(folder / "output.txt", os.O_CREAT | os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 1, round(seconds) + 3))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run_tests(tests: Sequence[str], plugins: Sequence[object] = ()) -> tuple[int, dict]:
    """Run tests in this process.

    Returns:
        Pytest's exit code, and the first test that failed.
    """
    from hypothesis.configuration import set_hypothesis_home_dir

    set_hypothesis_home_dir(tempfile.mkdtemp())
    base = f"--basetemp={tempfile.mkdtemp()}"
    said = _Said()
    arguments = [*OPTIONS, base, *tests]
    code = int(pytest.main(arguments, plugins=[said, *plugins]))
    return code, {"failed": said.failed}


def try_mutant(mutant: Mutant, tests: Sequence[str], seconds: float) -> Running:
    """Begin the trial of a mutant by some tests, which take so long without it."""

    def work() -> tuple[int, dict]:
        # cosmic-ray writes its name into `except` lines without importing it.
        vars(builtins)[Unexpected.__name__] = Unexpected
        sys.meta_path.insert(0, _Finder(mutant))
        return run_tests(tests)

    return start(work, 15 + 5 * seconds)


def side_by_side(
    work: Mapping[Name, Callable[[], Running]], most: int
) -> Iterator[tuple[Name, Ended]]:
    """Run children, some at a time; yields each by its name when it ends."""
    waiting = iter(work.items())
    running: dict[Name, Running] = {}
    while True:
        for name, begin in itertools.islice(waiting, most - len(running)):
            running[name] = begin()
        if not running:
            return
        done = {name: end for name, child in running.items() if (end := child.ended())}
        for name, end in done.items():
            del running[name]
            yield name, end
        if not done:
            time.sleep(0.02)
