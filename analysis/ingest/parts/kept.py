"""Read the files of a campaign part by part; of what has not changed, keep the rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from analysis.files.atomic import remove_folder
from analysis.files.digests import CACHE, campaign_hashes, digest_of
from analysis.files.file_cache import state_of
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
States = Mapping[str, list[int]]  # of files, as ``ingest.files.states`` tells them


class KeptParts:
    """The parts of a campaign, kept in a folder of its own.

    ``read_by`` is a hash of the code, with which the same bytes are read differently;
    ``digests`` is the folder in which hashes of files are kept.
    """

    def __init__(self, folder: Path, read_by: str, digests: Path = CACHE) -> None:
        self.folder = folder
        self.read_by = read_by
        self.digests = digests

    def hashes(self, campaign: Path) -> dict[str, str]:
        """The sha256 of each file of the campaign, by file; see :func:`per_file`."""
        return campaign_hashes(campaign, self.digests)

    def read(
        self,
        campaign: Path,
        files: Mapping[str, str],
        clock: Clock,
        read: Read,
        states: States,
    ) -> dict[str, Reading]:
        """What each file says, by file; ``files`` are named with their sha256, which
        they had when they were in these ``states``.

        Files of parts that are not kept go to ``read``; ``clock`` is what it was told
        beside them. A part is kept as soon as it is read, if none of its files changed.
        """
        sizes = {file: os.stat(f"{campaign}/{file}").st_size for file in files}
        parts = split(sizes)
        if len(parts) < 2 and sum(sizes.values()) < KEPT_BYTES:
            parts = []
        self._drop_others(parts)
        by = digest_of({"code": self.read_by, "clock": repr(clock)})
        places = {part: self.folder / part.name / part.key(files, by) for part in parts}
        kept = {part: read_part(place) for part, place in places.items()}
        found = {file: one for of in kept.values() for file, one in (of or {}).items()}
        if not parts:
            return read(sorted(files))
        new = [part for part, readings in kept.items() if readings is None]
        for some in _together(new, sizes):
            found |= read(sorted(file for part in some for file in part.files))
            for part in some:
                if _as_they_were(campaign, part.files, states):
                    write_part(places[part], {file: found[file] for file in part.files})
        return found

    def _drop_others(self, parts: Sequence[CampaignPart]) -> None:
        """Remove parts that the campaign no longer has."""
        names = {part.name for part in parts}
        there = list(self.folder.iterdir()) if self.folder.is_dir() else []
        for path in there:
            if path.name not in names:
                remove_folder(path)


def _together(
    parts: Iterable[CampaignPart], sizes: Mapping[str, int]
) -> Iterator[list[CampaignPart]]:
    """The parts in groups of ``TOGETHER`` bytes, or a little more."""
    group: list[CampaignPart] = []
    size = 0
    for part in parts:
        group.append(part)
        size += sum(sizes[file] for file in part.files)
        if size >= TOGETHER:
            yield group
            group, size = [], 0
    if group:
        yield group


def _as_they_were(campaign: Path, files: Iterable[str], states: States) -> bool:
    try:
        return all(state_of(f"{campaign}/{file}") == states[file] for file in files)
    except FileNotFoundError:
        return False
