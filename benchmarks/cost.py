"""What a command took: wall time, and the CPU time of all its processes."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


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
    before, start = _cpu(), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    cost = Cost(time.perf_counter() - start, _cpu() - before)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return cost


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
