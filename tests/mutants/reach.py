"""Which tests run which lines: a mutant is tried by those first that run its line."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

import coverage
import pytest

from tests.children import Running, side_by_side, start
from tests.mutants.population import ROOMS, ROOT, Mutant, lines_of_functions
from tests.mutants.trial import run_pytest

SHARED = ""  # what fixtures run that several tests of a file have in common
FOLDER = ROOT / ".mutants/reach"
IMPORTED = FOLDER / "imported.json"  # by the tests, of what others wrote
PROJECT = ("analysis", "models", "synthetic", "workflow", "benchmarks", "tests")
HOURS = 3  # of computing, at most, for the tests of all rooms


class SetupError(Exception):
    """Mutants cannot be tried."""


@dataclass(frozen=True)
class Reach:
    """What one file of tests runs.

    Attributes:
        lines: By test or ``SHARED``, then by module: the lines as bits of a number.
        seconds: What each test computes, slowed by being watched.
        modules: Digest of each module at that time.
    """

    lines: dict[str, dict[str, int]]
    seconds: dict[str, float]
    modules: dict[str, str]

    def nearness(self, mutant: Mutant) -> dict[str, int]:
        """The tests that may notice a mutant: 0 where they run its statement, 1 where
        they run another of its module."""
        bits = sum(1 << line for line in mutant.statement)
        same = self.modules.get(mutant.module) == digest(ROOT / mutant.module)
        by_test = {test: at.get(mutant.module, 0) for test, at in self.lines.items()}
        shared = by_test.pop(SHARED, 0)
        return {
            test: 0 if same and mutant.in_function and (lines | shared) & bits else 1
            for test, lines in by_test.items()
            if lines | shared
        }


def digest(*paths: Path) -> str:
    """Changes when one of some files does."""
    content = b"".join(path.read_bytes() for path in paths)
    return hashlib.sha256(content).hexdigest()[:16]


def test_files(room: str) -> list[Path]:
    """The files of tests that mirror a room."""
    folder = ROOT / "tests" / ROOMS[room].removeprefix("analysis/")
    return sorted(folder.rglob("test_*.py"))


def mirror(module: str) -> str:
    """The folder of tests that mirrors a module's."""
    return f"tests/{PurePath(module).parent}/".replace("/analysis/", "/")


def named_after(test: str, module: str) -> bool:
    """Whether a test stands in a file that has a module's name."""
    return PurePath(module).stem in PurePath(test.partition("::")[0]).stem


def reaches(rooms: Iterable[str], jobs: int) -> list[Reach]:
    """What the tests of some rooms run, from the last time where a file is the same.

    Raises:
        SetupError: Tests cannot be run.
    """
    files = {room: test_files(room) for room in rooms}
    new = {r: [p for p in paths if not _kept(p).exists()] for r, paths in files.items()}
    begin = {r: partial(_record, paths) for r, paths in new.items() if paths}
    if begin:
        print(f"Recording what the tests of {', '.join(begin)} run …", flush=True)
    for room, ended in side_by_side(begin.items(), jobs):
        if ended.code not in (0, 1):
            raise SetupError(f"the tests of {room} cannot be run without a mutant")
        IMPORTED.write_text(json.dumps(ended.said["imported"]))
        for path in new[room]:
            if not _kept(path).exists():  # it has no test that is tried
                _write(path, Reach({}, {}, {}))
    paths = [_kept(path) for room in files.values() for path in room]
    return [Reach(**json.loads(path.read_text())) for path in paths]


def preload() -> None:
    """Import what the tests need of others, once for all trials."""
    importlib.import_module("tests.one_thread")  # before polars
    for name in json.loads(IMPORTED.read_text()) if IMPORTED.exists() else ():
        with suppress(Exception):
            importlib.import_module(name)


def _write(file: Path, reach: Reach) -> None:
    path = _kept(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(reach)))


def _kept(file: Path) -> Path:
    name = file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    return FOLDER / f"{name}-{digest(file)}.json"


def _record(files: list[Path]) -> Running:
    """Begin to record what some files of tests run, in a child."""

    def work() -> tuple[int, dict]:
        code = run_pytest(["--maxfail=0", *map(str, files)], _Recorder())
        known = importlib.metadata.packages_distributions().keys() - {*PROJECT}
        return code, {"imported": [n for n in sys.modules if n.split(".")[0] in known]}

    return start(work, HOURS * 3600)


class _Recorder:
    """Tells coverage which test runs; keeps what each file's tests ran."""

    def __init__(self) -> None:
        self._measured: coverage.Coverage | None = None
        self._test = SHARED
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, Any, Any]:
        self._test, begun = item.nodeid, time.process_time()
        if self._measured is None:
            include = [str(ROOT / path / "*") for path in ("analysis", "models")]
            self._measured = coverage.Coverage(
                data_file=None, config_file=False, include=include
            )
            self._measured.start()
        self._measured.switch_context(self._test)
        result = yield
        self._seconds[self._test] = time.process_time() - begun
        if nextitem is None or nextitem.path != item.path:
            self._measured.stop()
            self._keep(item.path, self._measured.get_data())
            self._measured = None
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, Any, Any]:
        assert self._measured
        shared = fixturedef.scope != "function"
        self._measured.switch_context(SHARED if shared else self._test)
        try:
            return (yield)
        finally:
            self._measured.switch_context(self._test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._failed.add(report.nodeid)

    def _keep(self, file: Path, data: coverage.CoverageData) -> None:
        """Write what the tests of a file ran, without those that fail as they are."""
        well = {t: s for t, s in self._seconds.items() if t not in self._failed}
        lines: dict[str, dict[str, int]] = {test: {} for test in (SHARED, *well)}
        modules = {}
        for name in data.measured_files():
            module = Path(name).relative_to(ROOT).as_posix()
            modules[module], called = digest(Path(name)), lines_of_functions(module)
            for line, tests in data.contexts_by_lineno(name).items():
                for test in lines.keys() & tests if called >> line & 1 else ():
                    lines[test][module] = lines[test].get(module, 0) | 1 << line
        _write(file, Reach(lines, well, modules))
        self._seconds.clear()
