"""What computes beside the project's own code: Python, libraries and programs.

A result of another numpy, Pandoc or Python may be another one, so their versions are
part of what decides whether a stage runs again.
"""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analysis.files.hashes import hash_file, per_file

# Programs that a verb starts, wherever they come from; Quarto is in a report's key.
PROGRAMS = {"report": ("pandoc",)}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
Installed = Mapping[str, Mapping[str, Any]]


def installed(cache: Path) -> dict[str, dict[str, Any]]:
    """The distributions beside this Python by normal name, as :func:`_read` has them.

    ``cache`` is a file in which what was read of each is kept.
    """
    folders = (Path(place) for place in sys.path if place.endswith("-packages"))
    found = sorted({path for f in folders for path in f.glob("*.dist-info/METADATA")})
    read = per_file(reversed(found), _read, cache)
    return {one["name"]: one for one in read.values()}


def versions(imports: Iterable[str], known: Installed) -> dict[str, str]:
    """Versions of Python and of the distributions that give these modules, sorted.

    Names of modules that no distribution gives are Python's or the project's own.
    """
    wanted = {name.partition(".")[0] for name in imports}
    found = {n: str(one["version"]) for n, one in known.items()
             if wanted.intersection(one["modules"])}  # fmt: skip
    return {"python": platform.python_version(), **dict(sorted(found.items()))}


def with_required(names: Iterable[str], known: Installed) -> dict[str, str]:
    """The versions of distributions and of all that they require, however deep."""
    found: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = str(known[name]["version"])
            waiting += known[name]["requires"]
    return dict(sorted(found.items()))


def programs(verb: str, cache: Path) -> dict[str, str]:
    """The hash of each program on the path that a verb starts."""
    found = {name: shutil.which(name) for name in PROGRAMS.get(verb, ())}
    paths = {name: Path(path).resolve() for name, path in found.items() if path}
    hashes = per_file(paths.values(), hash_file, cache) if paths else {}
    return {name: hashes[path] for name, path in paths.items()}


def _read(path: Path) -> dict[str, Any]:
    """Name, version, top modules and required names of a distribution."""
    text = path.read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    entries = [line.partition(": ")[::2] for line in text.splitlines()]
    required = (_NAME.match(v) for name, v in entries if name == "Requires-Dist")
    return {
        "name": _normal(dict(entries)["Name"]),
        "version": dict(entries)["Version"],
        "modules": _modules(path.with_name("RECORD")),
        "requires": sorted({_normal(match[0]) for match in required if match}),
    }


def _modules(record: Path) -> list[str]:
    if not record.is_file():
        return []
    lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
    tops = {re.split(r"[/,]", line, maxsplit=1)[0] for line in lines}
    names = {top.partition(".")[0] for top in tops if ".dist-info" not in top}
    return sorted(name for name in names if name.isidentifier())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
