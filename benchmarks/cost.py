"""What a command took: wall time, and the CPU time of all its processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_KILOBYTE = 1024  # what Linux counts memory in


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock and seconds of CPU time. Other work on the machine
    lengthens the first and hardly the second."""

    wall: float
    cpu: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.cpu + other.cpu)

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s, CPU {self.cpu:6.2f} s"


def timed(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in a folder; its failure ends the benchmark."""
    return peaked(command, folder)[0]


def peaked(command: Sequence[str], folder: Path) -> tuple[Cost, int]:
    """As :func:`timed`, and the bytes of memory of its process that had most."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        run = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if run.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{said.read().decode()}")
    return Cost(wall, used.ru_utime + used.ru_stime), used.ru_maxrss * _KILOBYTE
