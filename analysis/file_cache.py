"""A file's hash, and what was computed of a file, kept until the file changes."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from analysis.errors import user_error

_BLOCK = 2**17  # bytes; a larger buffer takes longer than hashing a small file


def hash_file(path: Path) -> str:
    """The sha256 of a file's bytes, in hex; a :class:`UserError` if unreadable."""
    try:
        with open(path, "rb", buffering=0) as stream:
            digest = hashlib.sha256()
            while block := stream.read(_BLOCK):
                digest.update(block)
            return digest.hexdigest()
    except OSError as error:
        raise user_error(f"cannot be read: {error.strerror}", path) from None


def per_file(
    paths: Iterable[Path], compute: Callable[[Path], Any], cache_file: Path
) -> dict[Path, Any]:
    """``compute(path)`` of each file, taken from ``cache_file`` where it is known.

    A file is as it was while its size, its times and its inode are. Values are what
    JSON can hold; those of another Python or another ``compute`` are not taken.
    """
    maker = [sys.version, _state(Path(compute.__code__.co_filename))]
    known = _read(cache_file, maker)
    found = {str(path): _entry(path, known, compute) for path in paths}
    if found != known:
        _write(cache_file, {"maker": maker, "files": found})
    return {Path(path): value for path, (_, value) in found.items()}


def _entry(path: Path, known: dict[str, Any], compute: Callable[[Path], Any]) -> Any:
    state = _state(path)
    cached = known.get(str(path))
    return cached if cached and cached[0] == state else [state, compute(path)]


def _state(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def _read(cache_file: Path, maker: list[Any]) -> dict[str, Any]:
    try:
        cache = json.loads(cache_file.read_text(encoding="utf-8"))
        return cache["files"] if cache["maker"] == maker else {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}  # absent, damaged or of another form: all is computed anew


def _write(cache_file: Path, cache: dict[str, Any]) -> None:
    cache_file.parent.mkdir(parents=True, exist_ok=True)
    draft = cache_file.with_suffix(f".{os.getpid()}.part")
    draft.write_text(json.dumps(cache), encoding="utf-8")
    draft.replace(cache_file)
