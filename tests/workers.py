"""Which tests run in one worker, which begin first, and what workers share.

A worker would make for itself what the tests of a file make once, and a message for
each test of thousands costs more than most tests.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling

# Each of their tests takes seconds and shares little: any worker may have one.
APART = ("tests/workflow/",)


class Files(LoadGroupScheduling):
    """Gives a worker a group or a file at a time, in the order of collection."""

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        if group != nodeid or nodeid.startswith(APART):
            return group
        return nodeid.partition("::")[0]


def scheduler(config: pytest.Config, log: Any) -> Files | None:
    """By files, where no other way was asked for."""
    if config.getoption("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False  # it would begin with many, not with long
    return Files(config, log)


def longest_first(item: pytest.Item) -> int:
    """Groups before tests that take seconds before all others: so none is the last."""
    if item.get_closest_marker("xdist_group"):
        return 0
    return 1 if item.nodeid.startswith(APART) else 2


def shared(factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a test session have in common."""
    base = factory.getbasetemp()
    return base.parent if "popen" in base.name else base


def made_once(folder: Path, make: Callable[[Path], object]) -> Path:
    """A folder that the first worker makes while the others wait; to be read alone."""
    done = folder.with_name(f"{folder.name}-done")
    with folder.with_name(f"{folder.name}-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of one that failed
            make(folder)
            done.touch()
    return folder
