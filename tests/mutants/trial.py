"""One trial: tests run in a child of this process, with or without a mutant.

The child gets the mutated source from memory, so no file of the project is changed and
trials can run side by side. What others wrote (polars, pytest, …) is imported before
the fork; the project itself is imported in the child.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import CodeType

import pytest
from cosmic_ray.exceptions import CosmicRayTestingException as Unexpected

from tests.children import Running, start
from tests.mutants.population import ROOT, Mutant

OWN = ("analysis", "models", "synthetic", "workflow", "benchmarks", "tests")
OPTIONS = (
    "-q", "-x", "-n0", "-pno:cacheprovider", "-pno:randomly", "--hypothesis-seed=0",
)  # fmt: skip


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
