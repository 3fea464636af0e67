"""The machine that the numbers belong to."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("snakemake", "polars", "duckdb", "plotnine", "pypandoc-binary", "typst")


def describe() -> list[str]:
    """Lines that say what the machine is and which versions ran on it."""
    return [
        f"{os.cpu_count()} cores, {_cpu_model()}, {_memory()}",
        f"{platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}",
        ", ".join(f"{name} {version(name)}" for name in PACKAGES),
    ]


def _cpu_model() -> str:
    return _first(r"^(?:model name|processor\s+0)\s*:\s*(.+)$", "/proc/cpuinfo") or (
        platform.processor() or platform.machine()
    )


def _memory() -> str:
    kilobytes = _first(r"^MemTotal:\s*(\d+) kB", "/proc/meminfo")
    return f"{int(kilobytes) / 1024**2:.0f} GB" if kilobytes else "memory unknown"


def _first(pattern: str, path: str) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else ""
