"""What all tests share."""

from __future__ import annotations

import atexit
import gc
import os
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from analysis.cli import main
from tests import in_memory, one_thread
from tests.golden.update_facts import derive_all, generate_all, ingest_all
from tests.workers import Files, longest_first, made_once, scheduler, shared

assert one_thread.POLARS.thread_pool_size() == 1, "polars was imported before"
in_memory.prefer()
# Of thousands of tests nothing is freed before the end.
gc.set_threshold(100_000)
# How long an example takes says more about what else runs than about the code, and
# what a fixture gives for all examples, each writes anew. Each run draws others, so few
# do; --hypothesis-profile=fuzz draws a hundred times as many.
for profile, examples in (("fuzz", 2500), ("suite", 25)):
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    settings.register_profile(
        profile, deadline=None, max_examples=examples, suppress_health_check=checks
    )
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent
LONGEST_ID = 120


def pytest_addoption(parser: pytest.Parser) -> None:
    """The order of the tests as an option."""
    told = "run the tests in an order of chance: always the same one for a number"
    parser.addoption("--shuffle", type=int, metavar="N", help=told)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for a disk or a browser."""
    return (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Files | None:
    """Files are shared among workers, not tests."""
    return scheduler(config, log)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A file's content does not name its test: some have a megabyte."""
    long = isinstance(val, str | bytes) and len(val) > LONGEST_ID
    return argname if long else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Shuffle files, and the tests of each, where it is asked for."""
    seed = config.getoption("--shuffle")
    if seed is None:
        if hasattr(config, "workerinput"):
            items.sort(key=longest_first)
        return
    files: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.path].append(item)
    chance = random.Random(seed)  # noqa: S311 - no secret
    groups = [chance.sample(group, len(group)) for group in files.values()]
    items[:] = [item for group in chance.sample(groups, len(groups)) for item in group]


def pytest_collection_finish() -> None:
    """What was imported and collected stays: nobody need look through it again."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Garbage tells what went wrong in it; pytest would look for it five times."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # libraries tell of what is left when Python ends


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """End with what was skipped, and what to install for it."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(r.longrepr[2].removeprefix("Skipped: ") for r in reports)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count:4} skipped: {reason}")


@pytest.fixture
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of web fonts that all workers of a test session share."""
    folder = shared(tmp_path_factory) / "fonts"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def lent_fonts(tmp_path: Path, fonts: Path) -> Path:
    """The same where a build keeps them, for tests whose folder becomes the current
    one: to make the letters takes longer than all else."""
    folder = tmp_path / "data/build/fonts"
    folder.parent.mkdir(parents=True)
    folder.symlink_to(fonts)
    return folder


@pytest.fixture(scope="session")
def veth_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the campaign linux-veth, of 756 files; to be read alone."""

    def make(folder: Path) -> None:
        raw = str(ROOT / "raw/linux-veth")
        assert main(["ingest", "--campaign", raw, "--out", str(folder)]) == 0

    return made_once(shared(tmp_path_factory) / "linux-veth", make)


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's ``raw/``, with generated campaigns where a build puts them."""
    return generate_all(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="session")
def ingested(raw: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tables of each campaign; for tests of the group ``synthetic``."""
    return ingest_all(tmp_path_factory.mktemp("ingested"), raw)


@pytest.fixture(scope="session")
def derived(
    raw: Path, ingested: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The facts of all editions, as a file; for tests of the group ``synthetic``."""
    return derive_all(tmp_path_factory.mktemp("derived"), raw, ingested.values())
