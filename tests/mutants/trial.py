"""One trial: tests run in a child of this process, with or without a mutant.

The child gets the mutated source from memory, so no file of the project is changed and
trials can run side by side. What others wrote (polars, pytest, …) is imported before
the fork; the project itself is imported in the child.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import tempfile
from collections.abc import Collection, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType

import pytest
from pytest import ExitCode

from tests.children import Running, start
from tests.mutants.population import ROOT, Mutant

# Groups share a browser or all generated campaigns: to make those takes too long.
OPTIONS = (
    "-q", "-x", "-n0", "-mnot xdist_group", "-pno:cacheprovider", "-pno:randomly",
    "--hypothesis-seed=0", "--assert=plain",
)  # fmt: skip

FIRST = 3  # files of tests


class _FirstFailure:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.test = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.test:
            self.test = report.nodeid


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: bytes) -> None:
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


class _Chosen:
    """Leaves out of what was collected the tests that were not asked for."""

    def __init__(self, tests: Collection[str]) -> None:
        self._tests = set(tests)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._tests]


def run_pytest(files: Sequence[str], *plugins: object) -> int:
    """Pytest's exit code for some files of tests, run in this process."""
    from hypothesis.configuration import set_hypothesis_home_dir

    set_hypothesis_home_dir(tempfile.mkdtemp())
    base = f"--basetemp={tempfile.mkdtemp()}"
    return int(pytest.main([*OPTIONS, base, *files], plugins=[*plugins]))


def try_mutant(mutant: Mutant, tests: Sequence[str], seconds: float) -> Running:
    """Begin the trial of a mutant by some tests, which take so long without it."""

    def work() -> tuple[int, dict]:
        sys.meta_path.insert(0, _Finder(mutant))
        files = [*dict.fromkeys(test.partition("::")[0] for test in tests)]
        first, code = _FirstFailure(), ExitCode.OK
        # Most die at once, and the other files need not be imported.
        for some in files[:FIRST], files[FIRST:]:
            if some and code in (ExitCode.OK, ExitCode.NO_TESTS_COLLECTED):
                code = run_pytest(some, _Chosen(tests), first)
        alive = code in (ExitCode.OK, ExitCode.NO_TESTS_COLLECTED)
        return int(not alive), {"failed": first.test}

    return start(work, 15 + 5 * seconds)
