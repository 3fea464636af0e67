"""The files of a campaign as they are at one moment, and the sha256 of each.

A file is known by its size, times and inode. The time of its last change of any kind is
among them, which no program can set back; so the sha256 of a file that is as it was is
taken from ``data/build/digests/raw/<campaign>``. There the first line tells a hash over
the states of all files, and the campaign's digest; where the states are still the same
nothing else is read.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from analysis.files.atomic import whole_file
from analysis.files.digests import CACHE, digest_of
from analysis.files.file_cache import hash_file, tick_ago
from analysis.files.inputs import campaign_entries

_FORM = "campaign-state 1"


@dataclass(frozen=True)
class CampaignState:
    """The files below a folder: the state of each by its name; which are ``links``."""

    folder: Path
    states: Mapping[str, str]
    links: frozenset[str] = field(default_factory=frozenset, compare=False)

    @functools.cached_property
    def key(self) -> str:
        """A hash over the names and states of all files."""
        lines = sorted(f"{name} {state}" for name, state in self.states.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @property
    def bytes(self) -> int:
        """Those of all files."""
        return sum(map(self.size_of, self.states))

    def size_of(self, name: str) -> int:
        """The bytes of a file, which may lie in a folder that is a link."""
        state = self.states.get(name) or state_text((self.folder / name).stat())
        return int(state.partition(" ")[0])

    def hashes(self, cache: Path = CACHE) -> dict[str, str]:
        """The sha256 of each file; ``cache`` is the folder in which they are kept."""
        place, told = _place(self.folder, cache), self.states.items()
        known = _read(place)
        found = {
            name: known.get(f"{state} {name}") or hash_file(self.folder / name)
            for name, state in told
        }
        young = tick_ago()
        kept = {
            f"{state} {name}": found[name]
            for name, state in told
            if int(state.split(" ", 3)[2]) < young and "\n" not in name
        }
        if kept != known:
            is_whole = len(kept) == len(found) and not self.links
            _write(place, f"{self.key} {digest_of(found)}" * is_whole, kept)
        return found

    def content_digest(self, cache: Path = CACHE) -> str:
        """The digest of the campaign: over the names and bytes of all files."""
        place = _place(self.folder, cache)
        return _known_digest(place, self.key) or digest_of(self.hashes(cache))


def campaign_state(folder: Path) -> CampaignState:
    """The files below a campaign's folder; see :func:`campaign_files`."""
    found = campaign_entries(folder)
    states = {name: state_text(entry.stat()) for name, entry in found}
    links = (name for name, entry in found if entry.is_symlink())
    return CampaignState(folder, states, frozenset(links))


def state_text(stat: os.stat_result) -> str:
    """What changes with a file's content: size, times and inode."""
    return f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"


def content_digest(folder: Path, cache: Path = CACHE) -> str:
    """The digest of a campaign as it is now; see :class:`CampaignState`."""
    return campaign_state(folder).content_digest(cache)


def _known_digest(place: Path, key: str) -> str:
    """The digest that is kept of files whose states have this key; empty if none is."""
    with suppress(OSError, ValueError), place.open() as file:
        _, known, digest = file.readline().rsplit(" ", 2)
        if known == key:
            return digest.strip()
    return ""


def _place(folder: Path, cache: Path) -> Path:
    return cache / "raw" / folder.name


def _read(place: Path) -> dict[str, str]:
    """The sha256 of each file that is known, by its state and name."""
    try:
        head, *lines = place.read_bytes().decode("utf-8").split("\n")
        found = [line.split(" ", 1) for line in lines]
        return {name: sha256 for sha256, name in found} if head[:16] == _FORM else {}
    except (OSError, ValueError):
        return {}  # absent, damaged or of another form: all is computed anew


def _write(place: Path, whole: str, known: Mapping[str, str]) -> None:
    """Keep what was computed; without room or leave to write, it costs time alone."""
    head = f"{_FORM} {whole}"
    text = "\n".join([head, *(f"{sha256} {name}" for name, sha256 in known.items())])
    with suppress(OSError), whole_file(place, rivals=True) as draft:
        draft.write_text(text, encoding="utf-8")
