"""Which records of a dump came before: equal bytes, of whatever number of records.

Of each record a hash is kept, and where it is. What memory has no room for lies sorted
in files, of which those with about the same hashes are compared at a time.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from analysis.ingest.smf.arrow import column_of
from analysis.ingest.smf.clocks import Clocks
from analysis.ingest.smf.codepage import CodePage
from analysis.ingest.smf.records import Buffer, Ints, Records

LIMIT = 1 << 22  # records that are in memory
_RECORD = np.dtype([("hash", np.uint64), ("position", np.int64), ("sid", np.uint32)])
_WHOLE = f"V{_RECORD.itemsize}"  # to copy field by field takes six times as long
Seen = NDArray[np.void]


@dataclass
class SeenRecords:
    """A hash of every record: equal records are duplicates. Files lie in a folder that
    goes with this object.

    The record's own bytes have system, type, subtype, the time to 0.01 s and the
    interval token, so that records that differ in any of them differ here.
    """

    limit: int = LIMIT
    kept: list[Seen] = field(default_factory=list)
    count: int = 0
    files: list[Path] = field(default_factory=list)
    folder: tempfile.TemporaryDirectory[str] | None = None

    def add(self, records: Records, systems: Ints) -> None:
        """Remember the records; descriptor words do not count."""
        found = np.empty(len(records), _RECORD)
        found["hash"] = hashes(records)
        found["position"] = records.position
        found["sid"] = systems
        self.kept.append(found)
        self.count += len(found)
        if self.count > self.limit:
            self._settle()

    def _settle(self) -> None:
        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(
                prefix="smf-", ignore_cleanup_errors=True
            )
        path = Path(self.folder.name, f"{len(self.files)}.npy")
        np.save(path, self._in_order(), allow_pickle=False)
        self.files.append(path)
        self.kept, self.count = [], 0

    def duplicates(self, clocks: Clocks, page: CodePage) -> Ints:
        """Byte offsets of the records that came before, the first one left out.

        Equal records with local times only, one in each of the two hours when daylight
        saving ends, are no duplicates: the system's offset from UTC differs.
        """
        if not self.files:
            return np.sort(_again([self._in_memory()], clocks, page))
        runs = [np.load(path, mmap_mode="r") for path in self.files]
        runs.append(self._in_order())
        many = math.ceil(sum(map(len, runs)) / self.limit)
        cuts = np.array([2**64 * nth // many for nth in range(1, many)], np.uint64)
        places = [
            [0, *np.searchsorted(run["hash"], cuts).tolist(), len(run)] for run in runs
        ]
        found = [np.zeros(0, np.int64)]
        for bounds in zip(*map(pairwise, places), strict=True):
            some = [run[a:b] for run, (a, b) in zip(runs, bounds, strict=True)]
            found.append(_again(some, clocks, page))
        return np.sort(np.concatenate(found))

    def _in_order(self) -> Seen:
        """Those in memory by their hashes, equal ones as they are in the dump."""
        kept = self._in_memory()
        order = np.argsort(np.ascontiguousarray(kept["hash"]), kind="stable")
        return kept.view(_WHOLE)[order].view(_RECORD)

    def _in_memory(self) -> Seen:
        return np.concatenate([np.zeros(0, _RECORD), *self.kept])


def _again(runs: Sequence[Seen], clocks: Clocks, page: CodePage) -> Ints:
    """Where records are that came before; of what is alike the first is first."""
    hashes = np.concatenate([run["hash"] for run in runs])
    hashes.sort(kind="stable")  # which finds runs that are sorted already
    if not (hashes[1:] == hashes[:-1]).any():
        return np.zeros(0, np.int64)
    seen = np.concatenate(runs)
    seen = seen[np.argsort(seen["hash"], kind="stable")]
    same = np.flatnonzero(seen["hash"][1:] == seen["hash"][:-1])
    before, after = seen[same], seen[same + 1]
    names = [page.decode(sid.to_bytes(4, "big")) for sid in after["sid"].tolist()]
    old, new = (clocks.offset_at(names, some["position"]) for some in (before, after))
    alike = np.asarray((old == new).fill_null(True))
    return after["position"][alike]


def hashes(records: Records) -> NDArray[np.uint64]:
    """A hash of the bytes behind each record's descriptor word."""
    start = records.start
    if (start[1:] >= start[:-1]).all():
        return _hashes(records.buffer, start, records.length)
    order = np.argsort(start, kind="stable")
    made = np.empty(len(order), np.uint64)
    made[order] = _hashes(records.buffer, start[order], records.length[order])
    return made


def _hashes(buffer: Buffer, start: Ints, length: Ints) -> NDArray[np.uint64]:
    """Of records in the order of the buffer.

    Arrow takes bytes where they lie, if they lie one behind the other: so every
    second item is what lies between two records.
    """
    bounds = np.empty(2 * len(start), np.int64)
    bounds[0::2] = start + 4
    bounds[1::2] = start + length
    items = pa.LargeBinaryArray.from_buffers(
        pa.large_binary(),
        max(len(bounds) - 1, 0),
        [None, pa.py_buffer(bounds), pa.py_buffer(buffer)],
    )
    found: NDArray[np.uint64] = column_of(items).gather_every(2).hash().to_numpy()
    return found
