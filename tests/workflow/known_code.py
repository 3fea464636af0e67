"""What a project's code means, noted in a copy as a build there would have noted it.

The files of a copy are new, so its first build reads each module anew, which takes as
long as importing them all.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from analysis.files.hashes import CACHE, state_of
from analysis.programs import fingerprint

_KNOWN: dict[bytes, Any] = {}  # source → what is read of it


def note_code(project: Path) -> None:
    """Note of each module of a project what fingerprints read of it."""
    rooms = [project / package for package in fingerprint.PACKAGES]
    modules = [path for room in rooms for path in room.rglob("*.py")]
    read_by = project / Path(fingerprint.__file__).relative_to(fingerprint.PROGRAM)
    noted = {
        "maker": [sys.version, state_of(read_by)],
        "files": {str(path): [state_of(path), _meaning(path)] for path in modules},
    }
    cache = project / CACHE / "code.json"
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(noted), "utf-8")


def _meaning(path: Path) -> Any:
    source = path.read_bytes()
    if source not in _KNOWN:
        _KNOWN[source] = fingerprint._read_module(path)
    return _KNOWN[source]
