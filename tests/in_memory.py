"""Folders of tests in memory, where there is such a place with room.

Tests make and remove a million files, and none outlives them: on a disk that takes a
fifth of their time, and far more where others write on it, too.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NAME = "PYTEST_DEBUG_TEMPROOT"  # environment variable: where pytest makes its folders
MEMORY = Path("/dev/shm")  # noqa: S108 - only where it is there
ROOM = 4 * 1024**3  # ten times what all of them take


def place(memory: Path = MEMORY, told: Path = Path("/proc/meminfo")) -> Path | None:
    """Where programs may be run and enough is free, of the place and of all memory."""
    if not (os.access(memory, os.W_OK) and told.is_file()):
        return None
    if os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return None
    lines = dict(line.split(":") for line in told.read_text().splitlines())
    available = int(lines["MemAvailable"].split()[0]) * 1024
    free = min(shutil.disk_usage(memory).free, available)
    return memory if free >= ROOM else None


def prefer() -> None:
    """Let pytest make its folders there, unless another place was asked for."""
    if found := place():
        os.environ.setdefault(NAME, str(found))
