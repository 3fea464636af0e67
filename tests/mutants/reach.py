"""Which tests run which lines: a mutant is tried by those alone that run its line."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import coverage
import pytest

from tests.children import Running, side_by_side, start
from tests.mutants.population import PARTS, ROOT, Mutant
from tests.mutants.trial import OWN, run_tests

AT_IMPORT = ""  # what coverage calls the time before the first test
MINUTES = 20  # of one file of tests; none takes a tenth of it


class SetupError(Exception):
    """Mutants cannot be tried: the tests fail as they are, or files are edited."""


@dataclass(frozen=True)
class Reach:
    """What the tests of one file reach: lines by module, seconds by test."""

    file: str
    digest: str
    lines: dict[str, dict[str, list[int]]]  # by test or AT_IMPORT, then by module
    seconds: dict[str, float]
    imported: list[str]

    @classmethod
    def read(cls, file: str, digest: str, kept: Path) -> Reach:
        """What was recorded, from its file."""
        said = json.loads(kept.read_text(encoding="utf-8"))
        return cls(file, digest, said["lines"], said["seconds"], said["imported"])

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that run a mutant's line, or its module where none can be told.

        What runs at import (a constant, a table) belongs to all tests of a file that
        imports the module: they may look at it without running a line of it.
        """
        if not mutant.in_function:
            used = any(_of(at, mutant) for at in self.lines.values())
            return list(self.seconds) if used else []
        own = {test: _of(at, mutant) for test, at in self.lines.items() if test}
        near = [test for test, lines in own.items() if mutant.line in lines]
        return near or [test for test, lines in own.items() if lines]


def _of(at: dict[str, list[int]], mutant: Mutant) -> list[int]:
    return at.get(mutant.module, [])


def mirror_folder(part: str) -> Path:
    """The folder of tests that mirrors a part."""
    return ROOT / "tests" / PARTS[part].removeprefix("analysis/")


def mirror_files(part: str) -> list[Path]:
    """The files of tests of a part."""
    return sorted(mirror_folder(part).rglob("test_*.py"))


def digest(part: str, file: Path) -> str:
    """Tells whether anything has changed that a trial by this file depends on."""
    helpers = [
        p for p in mirror_folder(part).rglob("*.py") if p not in mirror_files(part)
    ]
    program = [p for top in ("analysis", "models") for p in (ROOT / top).rglob("*.py")]
    content = hashlib.sha256()
    for path in sorted([file, *helpers, *program]):
        content.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return content.hexdigest()[:16]


def state(part: str) -> int:
    """Changes when the program or the tests of a part are edited, at the cost of a
    look at their dates."""
    folders = (ROOT / "analysis", ROOT / "models", mirror_folder(part))
    files = [path for folder in folders for path in folder.rglob("*.py")]
    return hash(tuple((p, p.stat().st_mtime_ns) for p in sorted(files)))


class _Recorder:
    """Tells coverage which test runs, and how long each takes."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._measured.switch_context(item.nodeid)
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        return result


def record(part: str, file: Path) -> Running:
    """Begin to record what one file of tests reaches, in a child."""

    def work() -> tuple[int, dict]:
        include = [f"{ROOT / PARTS[part]}/*"]
        measured = coverage.Coverage(data_file=None, config_file=False, include=include)
        recorder = _Recorder(measured)
        measured.start()
        code, said = run_tests([str(file)], [recorder])
        measured.stop()
        lines = _lines(measured.get_data())
        kept = {t: lines[t] for t in (AT_IMPORT, *recorder.seconds) if t in lines}
        return code, {
            **said, "lines": kept, "seconds": recorder.seconds, "imported": _others(),
        }  # fmt: skip

    return start(work, MINUTES * 60)


def _lines(data: coverage.CoverageData) -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for name in data.measured_files():
        module = Path(name).relative_to(ROOT).as_posix()
        for line, contexts in data.contexts_by_lineno(name).items():
            for test in contexts:
                found.setdefault(test, {}).setdefault(module, []).append(line)
    return found


def _others() -> list[str]:
    """Modules that were imported and are not the project's."""
    stems = {name: name.partition(".")[0] for name in sys.modules}
    known = importlib.metadata.packages_distributions()
    return [n for n, stem in stems.items() if stem in known and stem not in OWN]


def preload(names: list[str]) -> None:
    """Import what the tests need of others, once for all trials."""
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)


def reaches(part: str, folder: Path, jobs: int) -> list[Reach]:
    """What each file of a part's tests reaches, from the last time where it stands.

    Raises:
        SetupError: Tests fail on the program as it is.
    """
    stand = folder / "reach" / part
    stand.mkdir(parents=True, exist_ok=True)
    files = {path.relative_to(ROOT).as_posix(): path for path in mirror_files(part)}
    digests = {file: digest(part, path) for file, path in files.items()}
    kept = {file: stand / f"{digests[file]}.json" for file in files}
    work = {
        file: partial(record, part, path)
        for file, path in files.items()
        if not kept[file].exists()
    }
    for file, ended in side_by_side(work.items(), jobs):
        if ended.code != 0:
            failed = ended.said.get("failed") or file
            raise SetupError(f"the tests fail without a mutant: {failed}")
        kept[file].write_text(json.dumps(ended.said), encoding="utf-8")
    return [Reach.read(file, digests[file], kept[file]) for file in files]
