"""What a command costs, and the machine that the numbers belong to."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

Numbers = dict[str, float]  # by name and unit, as a table prints them
CPU, WALL, MEMORY = "CPU s", "wall s", "MiB of the largest process"

_PACKAGES = ("snakemake", "polars", "duckdb", "pypandoc-binary", "typst")
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux
# A fresh clone keeps the bytecode of what it imports, and knows one environment.
_UNSET = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONHOME"}


def run(command: Sequence[str], folder: Path) -> Numbers:
    """CPU and wall seconds of a command run in a folder, and its largest process.

    All its processes count, on Linux also those that outlive their parent. A command
    that fails ends the benchmark.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    variables = {name: v for name, v in os.environ.items() if name not in _UNSET}
    mebibyte = 1024 if sys.platform == "linux" else 1024**2  # macOS counts bytes
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, env=variables, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall, usages = time.perf_counter() - start, [usage]
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{output.read().decode()}")
    try:
        while True:
            usages.append(os.wait4(-1, 0)[2])
    except ChildProcessError:
        return {
            CPU: sum(usage.ru_utime + usage.ru_stime for usage in usages),
            WALL: wall,
            MEMORY: max(usage.ru_maxrss for usage in usages) / mebibyte,
        }


def machine() -> str:
    """What the machine is, how busy, and which versions run on it."""
    cpus = Path("/proc/cpuinfo")
    text = cpus.read_text(encoding="utf-8") if cpus.exists() else ""
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    cpu = model[1] if model else platform.machine()
    versions = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return (
        f"{os.cpu_count()} cores ({cpu}), load {os.getloadavg()[0]:.1f}, "
        f"{platform.system()} {platform.release()}\n"
        f"Python {platform.python_version()}, {versions}"
    )
