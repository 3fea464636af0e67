"""Read the files of a campaign part by part; of what has not changed, keep the rows."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from analysis.files.cache import Cache
from analysis.files.campaign_state import CampaignState, state_text
from analysis.files.digests import CACHE, digest_of
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


class KeptParts:
    """The parts of campaigns in a cache.

    ``read_by`` is a hash of the code, with which the same bytes are read differently;
    ``digests`` is the folder in which hashes of files are kept.
    """

    def __init__(self, cache: Path, read_by: str, digests: Path = CACHE) -> None:
        self.cache = Cache("parts", cache)
        self.read_by = read_by
        self.digests = digests

    def read(
        self,
        state: CampaignState,
        beside: Mapping[str, str],
        hashes: Mapping[str, str],
        clock: Clock,
        read: Read,
    ) -> dict[str, Reading]:
        """What each file says, by file: those that ``beside`` names, each with the log
        in whose part it is. ``hashes`` are of all files of the campaign, in this
        ``state``.

        Files of parts that are not kept go to ``read``; ``clock`` is what it was told
        beside them. A part is kept as soon as it is read, if none of its files changed.
        """
        by = digest_of({"code": self.read_by, "clock": repr(clock)})
        keys = {part: part.key(hashes, by) for part in parts_of(state, beside)}
        if not keys:
            return read(sorted(beside))
        found: dict[str, Reading] = {}
        new = []
        for part, key in keys.items():
            entry = self.cache.get(key)
            readings = read_part(entry) if entry else None
            found |= readings or {}
            new += [part] if readings is None else []
        for some in _together(new, state):
            found |= read(sorted(file for part in some for file in part.files))
            for part in some:
                if as_they_were(state, part.read_of(hashes)):
                    own = {file: found[file] for file in part.files}
                    entry = self.cache.put(
                        keys[part], functools.partial(write_part, own)
                    )
                    if part.alone and entry:  # mapped, rows take no memory
                        found |= read_part(entry) or {}
        return found


def parts_of(state: CampaignState, beside: Mapping[str, str]) -> list[CampaignPart]:
    """The parts of some files, none where that does not pay; see :func:`split`."""
    sizes = {file: state.size_of(file) for file in beside}
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
