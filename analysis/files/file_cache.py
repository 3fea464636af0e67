"""A file's hash, and what was computed of a file, kept until the file changes."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from analysis.errors import user_error
from analysis.files.atomic import whole_file
from analysis.files.limits import INPUT_BYTES
from analysis.files.regular_file import descriptor_of

AnyPath = TypeVar("AnyPath", Path, str)
_BLOCK = 2**17  # bytes; a larger buffer takes longer than hashing a small file
# A file that changes twice within a tick of its clock, which takes up to 2 s on some
# file systems, has the same state: what is younger is computed again next time.
_TICK_NS = 2 * 10**9


def hash_file(path: Path) -> str:
    """The sha256 of a file's bytes, in hex.

    A :class:`UserError` if it cannot be read, is no file or has more bytes than any
    input has; a pipe or device does not hold it up.
    """
    opened = descriptor_of(
        path
    )  # an object over it would take longer than a small file
    try:
        _check_size(os.fstat(opened).st_size, path)
        digest = hashlib.sha256()
        while block := os.read(opened, _BLOCK):
            digest.update(block)
        return digest.hexdigest()
    except OSError as error:
        raise user_error(f"cannot be read: {error.strerror}", path) from None
    finally:
        os.close(opened)


def _check_size(size: int, path: Path) -> None:
    if size > INPUT_BYTES:
        what = f"has {size:,} bytes, more than the {INPUT_BYTES:,} allowed"
        mend = "split it, or raise INPUT_BYTES in analysis/files/limits.py"
        raise user_error(what, path, mend=mend)


def per_file(
    paths: Iterable[AnyPath], compute: Callable[[Path], Any], cache_file: Path
) -> dict[AnyPath, Any]:
    """``compute(path)`` of each file, taken from ``cache_file`` where it is known.

    A file is as it was while its size, its times and its inode are. The time of its
    last change of any kind is among them, which no program can set back. Values are
    what JSON can hold; those of another Python or another ``compute`` are not taken.
    """
    maker = [sys.version, state_of(Path(compute.__code__.co_filename))]
    known = _read(cache_file, maker)
    settled = tick_ago()
    found = {path: _entry(path, known, compute) for path in paths}
    kept = {str(path): one for path, one in found.items() if one[0][2] < settled}
    if kept != known:
        _write(cache_file, {"maker": maker, "files": kept})
    return {path: value for path, (_, value) in found.items()}


def tick_ago() -> int:
    """The time in ns since 1970 before which a file is to be last changed that its
    state tells apart."""
    return time.time_ns() - _TICK_NS


def state_of(path: Path | str) -> list[int]:
    """What a file's ``stat`` says that changes with its content."""
    stat = os.stat(path)
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def _entry(
    path: Path | str, known: dict[str, Any], compute: Callable[[Path], Any]
) -> Any:
    state = state_of(path)
    cached = known.get(str(path))
    return cached if cached and cached[0] == state else [state, compute(Path(path))]


def _read(cache_file: Path, maker: list[Any]) -> dict[str, Any]:
    try:
        cache = json.loads(cache_file.read_text(encoding="utf-8"))
        return cache["files"] if cache["maker"] == maker else {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}  # absent, damaged or of another form: all is computed anew


def _write(cache_file: Path, cache: dict[str, Any]) -> None:
    """Keep what was computed; without room or leave to write, it costs time alone."""
    with suppress(OSError), whole_file(cache_file, rivals=True) as draft:
        draft.write_text(json.dumps(cache), encoding="utf-8")
