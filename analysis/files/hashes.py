"""The sha256 of files, kept while they are as they were, and digests over many.

A file is as it was while its size, its times and its inode are. The time of its last
change of any kind is among them, which no program can set back. A digest is made of
names and bytes, never of dates.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from analysis.errors import user_error
from analysis.files.atomic import whole_file
from analysis.files.inputs import campaign_entries, descriptor_of
from analysis.files.limits import INPUT_BYTES

CACHE = Path("data/build/digests")
AnyPath = TypeVar("AnyPath", Path, str)
State = list[int]  # size, times of change and inode: what changes with the content
_BLOCK = 2**17  # bytes; a larger buffer takes longer than hashing a small file
# A file that changes twice within a tick of its clock, which takes up to 2 s on some
# file systems, has the same state: what is younger is computed again next time.
_TICK_NS = 2 * 10**9


def hash_file(path: Path) -> str:
    """The sha256 of a file's bytes, in hex.

    A :class:`UserError` if it cannot be read, is no file or has more bytes than any
    input has; a pipe or device does not hold it up.
    """
    opened = descriptor_of(path)  # an object over it would take longer to make
    try:
        if (size := os.fstat(opened).st_size) > INPUT_BYTES:
            what = f"has {size:,} bytes, more than the {INPUT_BYTES:,} allowed"
            mend = "split it, or raise INPUT_BYTES in analysis/files/limits.py"
            raise user_error(what, path, mend=mend)
        digest = hashlib.sha256()
        while block := os.read(opened, _BLOCK):
            digest.update(block)
        return digest.hexdigest()
    except OSError as error:
        raise user_error(f"cannot be read: {error.strerror}", path) from None
    finally:
        os.close(opened)


def digest_of(hashes: Mapping[str, str]) -> str:
    """One hash over names, each with the hash of what it stands for; 16 hex digits."""
    lines = sorted(f"{len(name)} {name} {value}" for name, value in hashes.items())
    text = "\n".join(lines).encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()[:16]


def state_of(file: Path | str | os.stat_result) -> State:
    """What a file's ``stat`` says that changes with its content."""
    stat = file if isinstance(file, os.stat_result) else os.stat(file)
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def per_file(
    paths: Iterable[AnyPath], compute: Callable[[Path], Any], cache_file: Path
) -> dict[AnyPath, Any]:
    """``compute(path)`` of each file, taken from ``cache_file`` where it is known.

    Values are what JSON can hold; those of another Python or another ``compute`` are
    not taken.
    """
    named = {str(path): path for path in paths}
    states = {name: state_of(name) for name in named}
    values = _per_state(Path(), states, compute, cache_file)
    return {path: values[name] for name, path in named.items()}


def file_hashes(
    paths: Iterable[Path], name: str, cache: Path = CACHE
) -> dict[str, str]:
    """The sha256 of each file by path; ``name`` is that of the cache's own file."""
    hashes = per_file(paths, hash_file, cache / f"{name}.json")
    return {path.as_posix(): value for path, value in hashes.items()}


def _per_state(
    folder: Path,
    states: Mapping[str, State],
    compute: Callable[[Path], Any],
    cache_file: Path,
) -> dict[str, Any]:
    """``compute(folder / name)`` of files in these states, by name."""
    maker = [sys.version, state_of(compute.__code__.co_filename)]
    try:
        cache = json.loads(cache_file.read_text(encoding="utf-8"))
        known = cache["files"] if cache["maker"] == maker else {}
    except (OSError, ValueError, LookupError, TypeError):
        known = {}  # absent, damaged or of another form: all is computed anew
    settled = time.time_ns() - _TICK_NS
    entries: dict[str, Any] = {}
    for name, state in states.items():
        entry = known.get(name)
        is_known = entry and entry[0] == state
        entries[name] = entry if is_known else [state, compute(folder / name)]
    kept = {name: entry for name, entry in entries.items() if entry[0][2] < settled}
    if kept != known:  # without room or leave to write it costs time alone
        with suppress(OSError), whole_file(cache_file, rivals=True) as draft:
            text = json.dumps({"maker": maker, "files": kept})
            draft.write_text(text, encoding="utf-8")
    return {name: value for name, (_, value) in entries.items()}


@dataclass(frozen=True)
class CampaignState:
    """The files of a campaign at one moment: the state of each by its name below the
    folder; which are ``links``."""

    folder: Path
    states: Mapping[str, State]
    links: frozenset[str] = field(default_factory=frozenset, compare=False)

    @property
    def bytes(self) -> int:
        """Those of all files."""
        return sum(map(self.size_of, self.states))

    def size_of(self, name: str) -> int:
        """The bytes of a file, which may lie in a folder that is a link."""
        state = self.states.get(name) or state_of(self.folder / name)
        return state[0]

    def hashes(self, cache: Path = CACHE) -> dict[str, str]:
        """The sha256 of each file; ``cache`` is the folder in which they are kept."""
        place = cache / "raw" / self.folder.name
        return _per_state(self.folder, self.states, hash_file, place)

    def content_digest(self, cache: Path = CACHE) -> str:
        """The digest of the campaign: over the names and bytes of all files."""
        return digest_of(self.hashes(cache))


def campaign_state(folder: Path) -> CampaignState:
    """The files below a campaign's folder; see :func:`campaign_entries`."""
    entries = campaign_entries(folder)
    states = {name: state_of(entry.stat()) for name, entry in entries}
    links = (name for name, entry in entries if entry.is_symlink())
    return CampaignState(folder, states, frozenset(links))


def content_digest(folder: Path, cache: Path = CACHE) -> str:
    """The digest of a campaign as it is now; see :class:`CampaignState`."""
    return campaign_state(folder).content_digest(cache)
