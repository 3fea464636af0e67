"""Which tests run in one worker, and which begin first.

A worker would make for itself what the tests of a file make once, and a message for
each test of thousands costs more than most tests.
"""

from __future__ import annotations

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
