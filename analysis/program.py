"""The program: its name, its version, and where its files are.

The project is the current folder: its raw/, report/ and data/. The program lies where
its packages do: where it was installed, or in a checkout, which is a project as well.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1]
LOCKS = (Path("uv.lock"), Path("requirements.txt"))  # of the project's environment
NAME = "netperf-report"  # of the distribution, and of its command
_VERSION = re.compile(r'^version = "([^"]+)"', re.MULTILINE)


def is_checkout(folder: Path = PROGRAM) -> bool:
    """Whether a folder has the program's sources, and is no installation of it."""
    return all((folder / n).is_file() for n in ("pyproject.toml", "analysis/cli.py"))


def documentation() -> str:
    """Where its pages are: ``docs`` in a checkout, else where it was installed."""
    return "docs" if is_checkout(Path()) else str(PROGRAM / "docs")


@functools.cache
def version() -> str:
    """The program's version, as its checkout declares it or as it was installed."""
    if is_checkout():
        [number] = _VERSION.findall((PROGRAM / "pyproject.toml").read_text("utf-8"))
        return str(number)
    from importlib import metadata  # a third of what every start imports

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "unknown"
