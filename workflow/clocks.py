"""Whether a file changed since another was written, by the clocks of file servers."""

from __future__ import annotations

import os

SKEW = 60 * 10**9  # ns, between the clocks of two file servers


def is_younger(state: os.stat_result, start: os.stat_result) -> bool:
    """Whether a file changed in any way since ``start`` was written."""
    skew = 0 if state.st_dev == start.st_dev else SKEW
    return state.st_ctime_ns >= start.st_mtime_ns - skew
