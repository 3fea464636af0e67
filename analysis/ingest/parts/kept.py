"""Read the files of a campaign part by part; of what has not changed, keep the rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from analysis.files.atomic import remove_folder
from analysis.files.campaign_state import CampaignState, state_text
from analysis.files.digests import CACHE, digest_of
from analysis.ingest.parts.kept_tables import KeptTables
from analysis.ingest.parts.split import CampaignPart, split
from analysis.ingest.parts.store import read_part, write_part
from analysis.ingest.read_all import PARALLEL_BYTES
from analysis.ingest.reading import Reading

# Of fewer bytes in one part it takes as long to keep the rows as to read them anew.
KEPT_BYTES = 4_000_000
# Of parts that are read together: enough to give all cores work. A reading that is
# ended loses no more.
TOGETHER = 2 * PARALLEL_BYTES


Clock = tuple[str | None, ...]  # a zone, the order of dates, a code page
Read = Callable[[list[str]], dict[str, Reading]]
RUNS = "runs"  # beside the parts: what came of them
LARGE = "large"  # beside them: large tables that came of them
JOBS = "jobs"  # beside them until all are read: which job of a cluster reads which
ROOM = "room"  # beside them while tables are made that memory has no room for


class KeptParts:
    """The parts of a campaign, kept in a folder of its own.

    ``read_by`` is a hash of the code, with which the same bytes are read differently;
    ``digests`` is the folder in which hashes of files are kept.
    """

    def __init__(self, folder: Path, read_by: str, digests: Path = CACHE) -> None:
        self.folder = folder
        self.read_by = read_by
        self.digests = digests
        self._again: dict[Path, dict[str, Reading]] = {}

    def parts(
        self, state: CampaignState, files: Iterable[str], beside: Mapping[str, str]
    ) -> list[CampaignPart]:
        """The parts of some files, none where that does not pay; see :func:`split`.
        Others, which the campaign no longer has, are removed."""
        parts = parts_of(state, files, beside)
        self._drop_others(parts)
        return parts

    def read(
        self,
        state: CampaignState,
        parts: Iterable[CampaignPart],
        files: Mapping[str, str],
        clock: Clock,
        read: Read,
        again: bool = False,
    ) -> dict[str, Reading]:
        """What each file of some parts says, by file; ``files`` are all of the campaign
        with their sha256, which they have in this ``state``.

        Files of parts that are not kept go to ``read``; ``clock`` is what it was told
        beside them. A part is kept as soon as it is read, if none of its files changed.
        What may be asked for ``again`` is held in memory until it is.
        """
        places = self.places(parts, files, clock)
        kept = {
            part: self._again.pop(place, None) or read_part(place)
            for part, place in places.items()
        }
        found = {file: one for of in kept.values() for file, one in (of or {}).items()}
        new = [part for part, readings in kept.items() if readings is None]
        for some in _together(new, state):
            found |= read(sorted(file for part in some for file in part.files))
            for part in some:
                if as_they_were(state, part.read_of(files)):
                    write_part(places[part], {file: found[file] for file in part.files})
                    if part.alone:  # what it took on the disk to read it is given back
                        found |= read_part(places[part]) or {}
        if again:
            for part, place in places.items():
                self._again[place] = {file: found[file] for file in part.files}
        return found

    def places(
        self, parts: Iterable[CampaignPart], files: Mapping[str, str], clock: Clock
    ) -> dict[CampaignPart, Path]:
        """The folder of each part, which is there when the part is kept."""
        by = self._by(clock)
        return {part: self.folder / part.name / part.key(files, by) for part in parts}

    def tables(self, clock: Clock) -> KeptTables:
        """The large tables that are kept, of files that were read by this ``clock``."""
        return KeptTables(self.folder / LARGE, self._by(clock))

    def _by(self, clock: Clock) -> str:
        return digest_of({"code": self.read_by, "clock": repr(clock)})

    def has_some(self) -> bool:
        """Whether anything is kept, so that little is left to be read, mostly."""
        return any(self.folder.glob("*/*/*"))

    @contextmanager
    def room(self) -> Iterator[str]:
        """A folder for large tables in the making; a killed build's is gone."""
        folder = self.folder / ROOM
        remove_folder(folder)
        folder.mkdir(parents=True)
        try:
            yield str(folder)
        finally:
            remove_folder(folder)
            with suppress(OSError):
                self.folder.rmdir()  # if nothing is kept

    def _drop_others(self, parts: Sequence[CampaignPart]) -> None:
        """Remove parts that the campaign no longer has."""
        beside = [RUNS, LARGE] if parts else []
        names = {ROOM, *beside, *(part.name for part in parts)}
        there = list(self.folder.iterdir()) if self.folder.is_dir() else []
        for path in there:
            if path.name not in names:
                remove_folder(path)


def parts_of(
    state: CampaignState, files: Iterable[str], beside: Mapping[str, str]
) -> list[CampaignPart]:
    """The parts of some files, none where that does not pay; see :func:`split`."""
    sizes = {file: state.size_of(file) for file in files}
    parts = split(sizes, beside)
    return [] if len(parts) < 2 and sum(sizes.values()) < KEPT_BYTES else parts


def _together(
    parts: Iterable[CampaignPart], state: CampaignState
) -> Iterator[list[CampaignPart]]:
    """The parts in groups of ``TOGETHER`` bytes, or a little more."""
    group: list[CampaignPart] = []
    size = 0
    for part in parts:
        group.append(part)
        size += sum(map(state.size_of, part.files))
        if size >= TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


def as_they_were(state: CampaignState, files: Iterable[str]) -> bool:
    """Whether files are as the state tells: what was read of them is of its hashes."""
    folder, known = state.folder, state.states
    try:
        return all(state_text(os.stat(f"{folder}/{n}")) == known.get(n) for n in files)
    except FileNotFoundError:
        return False
