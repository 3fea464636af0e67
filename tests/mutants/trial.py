"""One trial: tests run in a child of this process, with or without a mutant.

The child gets the mutated source from memory, so no file of the project is changed and
trials can run side by side. What others wrote (polars, pytest, …) is imported before
the fork; the project itself is imported in the child.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import PurePath
from types import CodeType

import pytest
from pytest import ExitCode

from tests.children import Running, start
from tests.mutants.population import ROOT, Mutant, source, statement

# Groups share a browser or all generated campaigns: to make those takes too long.
OPTIONS = (
    "-q", "-n0", "-mnot xdist_group", "-pno:cacheprovider", "-pno:randomly",
    "--hypothesis-seed=0", "--assert=plain",
)  # fmt: skip
TOGETHER = 3  # files of tests: most mutants die at once, and each import takes time
BUDGET = 15.0  # seconds of computing, imports included; a test that runs may end
PRELOADED = (
    "duckdb", "hypothesis", "lxml.html", "markdown_it", "numpy", "plotnine", "polars",
    "pyarrow", "pydantic", "scipy.stats", "yaml",
)  # fmt: skip


def preload() -> None:
    """Import what most tests need of others, once for all trials."""
    for name in ("tests.one_thread", *PRELOADED):  # one_thread before polars
        with suppress(ImportError):
            importlib.import_module(name)


def tests_of(mutant: Mutant) -> list[str]:
    """The files of tests of a mutant's room, in the order in which they try it.

    First those of its module's name in the folder that mirrors its own, then those
    that share most words with the module, above all with the function, class or
    constant that is changed. A word counts the less, the more files have it.
    """
    stem = PurePath(mutant.module.removesuffix("/__init__.py")).with_suffix("")
    mirror = PurePath("tests", *stem.parent.parts[stem.parts[0] == "analysis" :])
    text = source(mutant.module)
    changed = [_words(part) for part in (text, statement(text, mutant.line))]
    tests = _words_of_tests("/".join(mirror.parts[:2]))
    files = Counter(word for words in tests.values() for word in words)

    def order(path: PurePath) -> tuple[bool, float]:
        shared = (word for words in changed for word in words & tests[path])
        named = path.parent == mirror and stem.name in path.stem
        alike = sum(1 / files[word] for word in shared) / len(tests[path]) ** 0.5
        return not named, -alike

    return [path.as_posix() for path in sorted(tests, key=order)]


@cache
def _words_of_tests(room: str) -> dict[PurePath, set[bytes]]:
    files = sorted((ROOT / room).rglob("test_*.py"))
    return {path.relative_to(ROOT): _words(path.read_bytes()) for path in files}


def _words(text: bytes) -> set[bytes]:
    return set(re.findall(rb"\w+", text))


class _Watch:
    """Notes the tests that fail, and ends a run that has used its time."""

    def __init__(self, budget: float) -> None:
        self.failed: list[str] = []
        self._budget = budget

    @property
    def late(self) -> bool:
        return time.process_time() > self._budget

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if self.late:
            item.session.shouldstop = "out of time"


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


def _run(tests: Sequence[str], watch: _Watch, *options: str) -> int:
    """Pytest's exit code for some files or tests, run in this process."""
    from hypothesis.configuration import set_hypothesis_home_dir

    set_hypothesis_home_dir(tempfile.mkdtemp())
    base = f"--basetemp={tempfile.mkdtemp()}"
    return int(pytest.main([*OPTIONS, *options, base, *tests], plugins=[watch]))


def try_mutant(mutant: Mutant, tests: Sequence[str], budget: float = BUDGET) -> Running:
    """Begin the trial of a mutant: it says which test failed, or ``""``, and which
    files of tests were begun."""

    def work() -> tuple[int, dict]:
        sys.meta_path.insert(0, _Finder(mutant))
        watch, begun = _Watch(budget), 0
        while begun < len(tests) and not watch.failed and not watch.late:
            code = _run(tests[begun : begun + TOGETHER], watch, "-x")
            if code in (ExitCode.INTERNAL_ERROR, ExitCode.USAGE_ERROR):
                watch.failed.append(tests[begun])  # none can be collected
            begun += TOGETHER
        failed = watch.failed[:1]
        return len(failed), {"failed": [*failed, ""][0], "begun": tests[:begun]}

    return start(work, 4 * budget)


def without_mutant(tests: Sequence[str], seconds: float) -> Running:
    """Begin to run some tests as the program is; says which fail."""

    def work() -> tuple[int, dict]:
        watch = _Watch(seconds)
        return _run(tests, watch), {"failed": watch.failed}

    return start(work, seconds)
