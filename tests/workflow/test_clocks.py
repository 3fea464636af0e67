"""Whether an input changed during a build is asked of file systems, not of clocks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workflow.clocks import SKEW, is_younger

START = SimpleNamespace(st_dev=1, st_mtime_ns=1_000 * 10**9)


@pytest.mark.parametrize(
    ("device", "seconds", "younger"),
    [
        (1, -1, False),
        (1, 0, True),  # a tick of the file system's clock is coarse
        (1, 1, True),
        (2, -SKEW // 10**9 - 1, False),
        (2, -30, True),  # of a server whose clock is behind by up to a minute
        (2, 1, True),
    ],
)
def test_times_of_two_servers_may_differ(device, seconds, younger):
    changed = START.st_mtime_ns + seconds * 10**9
    state = SimpleNamespace(st_dev=device, st_ctime_ns=changed)
    assert is_younger(state, START) is younger
