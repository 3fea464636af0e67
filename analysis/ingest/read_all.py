"""Read all files of a campaign: in parts, by several processes where that is faster.

A part is the unit of work and of the cache: some files, or a dump alone. A file stays
in its part whatever else comes or goes, until the campaign has outgrown its number of
parts and all are cut in two. What was read of a part is a folder: a line of JSON a
file, and its rows in Arrow's own form, so that those of gigabytes are mapped, not
loaded. A worker hands it over in this form, and the cache keeps it until one of the
files changes.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from analysis.errors import UserError, is_of_machine, user_error
from analysis.facts.remark import Remark, quote, remark, together
from analysis.files.atomic import name_file
from analysis.files.cache import Cache
from analysis.files.hashes import CACHE, CampaignState, State, digest_of, state_of
from analysis.files.limits import MIB
from analysis.files.mapped import give_back, mapped_frame
from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.reading import (
    READ_DETAILS,
    Circumstances,
    Problem,
    Reading,
    Verdict,
)
from analysis.ingest.rmf.mapped_csv import mappings_beside, with_mappings
from analysis.ingest.tables.catalog import BENCHMARK
from analysis.ingest.tables.store import stack
from analysis.progress import WorkDone

# Reading is Python code, which threads only slow down. Worker processes take 0.3 s to
# start; one process reads some 30 MB/s. So workers pay from several MB onwards.
PARALLEL_BYTES = 16_000_000
FILES = 400  # of a part, at most, on average
ALONE = 16 * MIB  # a file of so many bytes is a part by itself
KEPT_BYTES = 4_000_000  # one part of fewer is read anew as fast as it is kept
ROWS = 1 << 18  # of one Arrow file
_LIST = "files.jsonl"
_CODED = {kind.__name__: kind for kind in (Circumstances, Problem, Remark)}
_KIND = "is a"
_AGAIN = "see that there is memory for all processes, then run it again"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class FileReader:
    """Reads files of a folder. ``zone``, ``dates`` and ``codepage`` are those of files
    that do not tell them; ``mapped`` are the folders in which a mapping lies."""

    folder: Path
    zone: str
    dates: str | None = None
    codepage: str | None = None
    mapped: Container[str] = frozenset()

    def read(self, file: str) -> Reading:
        """What a file says; one that cannot be read has the status failed."""
        try:
            beside = os.path.dirname(file) in self.mapped
            more = {"codepage": self.codepage, "dates": self.dates}
            return read_file(self.folder / file, self.zone, **more, mapped=beside)
        except UserError as error:
            words = (error.issues[0].what, error.issues[0].mend)
            cause = together([quote(text) for text in words if text])
        except BrokenExecutor:
            raise
        except Exception as error:  # one damaged file must not stop the other files
            if is_of_machine(error):
                raise
            name = type(error).__name__
            cause = remark("reader_failed", name=name, error=str(error))
        return Reading(
            "unknown", status="failed", cause=cause, problems=[Problem(cause)]
        )


@dataclass(frozen=True)
class FilePart:
    """Files that are read together, kept under ``key``; with the ``states`` of all that
    tells how they are read, as they were when they were hashed."""

    key: str
    sizes: Mapping[str, int]
    states: Mapping[str, State | None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The bytes of all its files."""
        return sum(self.sizes.values())

    def unchanged(self, folder: Path) -> bool:
        """Whether what was read of the files is of their hashes."""
        try:
            return all(
                state_of(f"{folder}/{name}") == state
                for name, state in self.states.items()
            )
        except FileNotFoundError:
            return False


@dataclass(frozen=True)
class PartCache:
    """Where parts are kept. ``code`` is a hash of the code that reads them; below
    ``digests`` hashes of files are kept."""

    folder: Path
    code: str
    digests: Path = CACHE


@dataclass(frozen=True)
class KeptParts:
    """The parts of a campaign in this ``state``; ``hashes`` are of all its files."""

    cache: PartCache
    state: CampaignState
    hashes: Mapping[str, str]

    def named(self, part: FilePart, reader: FileReader) -> FilePart:
        """A part with the key and the states of its files."""
        files = [*part.sizes, *mappings_beside(part.sizes, self.hashes)]
        clock = (reader.zone, reader.dates, reader.codepage)
        hashes = {name: self.hashes[name] for name in files}
        key = digest_of(hashes | {"": f"{self.cache.code} {clock}"})
        states = {name: self.state.states.get(name) for name in files}
        return FilePart(key, part.sizes, states)


def read_all(
    reader: FileReader,
    files: Iterable[str],
    beside: Mapping[str, str] = NOTHING,
    kept: KeptParts | None = None,
    parallel: int = PARALLEL_BYTES,
) -> dict[str, Reading]:
    """What each file says, by file. ``beside`` names for some another one in whose part
    they are, such as the log of their run.

    Worker processes share the work where ``parallel`` bytes or more are to be read.
    """
    sizes = {file: os.stat(f"{reader.folder}/{file}").st_size for file in files}
    reader = replace(reader, mapped=with_mappings(reader.folder, sizes))
    parts = split(sizes, beside)
    if kept is None or (len(parts) < 2 and sum(sizes.values()) < KEPT_BYTES):
        return _read_parts(reader, parts, None, parallel)
    cache = Cache("parts", kept.cache.folder)
    by_file: dict[str, Reading] = {}
    new = []
    for part in (kept.named(part, reader) for part in parts):
        entry = cache.get(part.key)
        readings = read_part(entry) if entry else None
        by_file |= readings or {}
        new += [part] if readings is None else []
    return by_file | _read_parts(reader, new, cache, parallel)


def split(
    sizes: Mapping[str, int], beside: Mapping[str, str] = NOTHING, most: int = FILES
) -> list[FilePart]:
    """The parts of a campaign by the bytes of its files; names are spread evenly, and a
    part has no more than ``most`` files and ``ALONE`` bytes, on average."""
    small = sorted(name for name, size in sizes.items() if size < ALONE)
    total, count = sum(sizes[name] for name in small), 1
    while count * most < len(small) or count * ALONE < total:
        count *= 2
    parts = defaultdict[str, list[str]](list)
    for name in small:
        parts[f"{_number(beside.get(name, name)) % count:04x}"].append(name)
    for name in sorted(sizes.keys() - small):
        parts[f"alone-{_number(name):08x}"].append(name)
    return [
        FilePart(key, {name: sizes[name] for name in names})
        for key, names in sorted(parts.items())
    ]


def _number(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "surrogateescape"))


def _read_parts(
    reader: FileReader, parts: Sequence[FilePart], cache: Cache | None, parallel: int
) -> dict[str, Reading]:
    """What the files of each part say; it is kept, if none of them changed."""
    size, workers = sum(part.size for part in parts), min(_cores(), len(parts))
    count = sum(len(part.sizes) for part in parts)
    progress = WorkDone(reader.folder.name, count, "files", size)
    readings: dict[str, Reading] = {}
    with _explained(reader.folder):
        if workers < 2 or size < parallel:
            for part in parts:
                readings |= _at_hand(_read_part(reader, cache, part, progress))
            return readings
        parts = sorted(parts, key=lambda part: -part.size)
        with (
            tempfile.TemporaryDirectory(prefix="rows-") as room,
            ProcessPoolExecutor(workers, _context()) as pool,
        ):
            read = partial(_read_part, reader, cache or Cache("parts", Path(room)))
            for part, made in zip(parts, pool.map(read, parts), strict=True):
                readings |= _at_hand(made)
                progress.step(part.size, len(part.sizes))
    return readings


def _read_part(
    reader: FileReader,
    cache: Cache | None,
    part: FilePart,
    progress: WorkDone | None = None,
) -> Path | dict[str, Reading]:
    """The folder in which what the files say is kept, or that itself: in one process it
    is at hand, unless its rows are so many that it is better to map them."""
    readings = {}
    for file, size in part.sizes.items():
        readings[file] = reader.read(file)
        if progress:
            progress.step(size)
    if cache is None or not part.unchanged(reader.folder):
        return readings
    entry = cache.put(part.key, partial(write_part, readings))
    return entry if entry and (not progress or part.size >= ALONE) else readings


def _at_hand(made: Path | dict[str, Reading]) -> dict[str, Reading]:
    if not isinstance(made, Path):
        return made
    if (readings := read_part(made)) is None:
        raise user_error("what was read of files is damaged", made, mend=_AGAIN)
    return readings


def write_part(readings: Mapping[str, Reading], folder: Path) -> None:
    """Write readings by file into an empty folder."""
    frames = defaultdict[str, list[pl.DataFrame]](list)
    with (folder / _LIST).open("w", encoding="utf-8", errors="surrogateescape") as out:
        for file, reading in readings.items():
            kept = vars(reading) | {
                "tables": {name: of.height for name, of in reading.tables.items()},
                "results": [[row[c] for c in BENCHMARK] for row in reading.results],
                "details": {n: reading.details.get(n) for n in READ_DETAILS},
            }
            line = json.dumps([file, kept], default=_coded, ensure_ascii=False)
            out.write(f"{line}\n")
            for name, rows in reading.tables.items():
                frames[name].append(rows)
    for name, parts in frames.items():
        table = stack(name, parts)
        for at in range(0, max(table.height, 1), ROWS):
            path = folder / f"{name}.{at}.arrow"
            table[at : at + ROWS].write_ipc(path, compression="uncompressed")
            give_back()


def read_part(folder: Path) -> dict[str, Reading] | None:
    """The readings that a folder keeps; none where it is absent or damaged."""
    try:
        pieces = defaultdict[str, dict[int, pl.DataFrame]](dict)
        for path in folder.glob("*.arrow"):
            name, at = path.stem.split(".")
            pieces[name][int(at)] = mapped_frame(path)
        tables = {
            name: pl.concat([of[at] for at in sorted(of)], rechunk=False)
            for name, of in pieces.items()
        }
        used, readings = dict.fromkeys(tables, 0), {}
        with (folder / _LIST).open(encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                file, decoded = json.loads(line, object_hook=_decoded)
                rows = [
                    dict(zip(BENCHMARK, r, strict=True)) for r in decoded["results"]
                ]
                verdicts = {t: Verdict(*one) for t, one in decoded["verdicts"].items()}
                more = {"results": rows, "verdicts": verdicts, "tables": {}}
                reading = readings[file] = Reading(**{**decoded, **more})
                for name, height in decoded["tables"].items():
                    start, used[name] = used[name], used[name] + height
                    reading.tables[name] = tables[name][start : used[name]]
        whole = used == {name: rows.height for name, rows in tables.items()}
        return readings if readings and whole else None
    except (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError):
        return None  # it is read anew


def _coded(value: Any) -> Any:
    """What JSON has no form for: one of our types, by its name."""
    return {_KIND: type(value).__name__} | vars(value)


def _decoded(value: dict[str, Any]) -> Any:
    if not isinstance(name := value.get(_KIND), str):
        return value
    entries = {key: one for key, one in value.items() if key != _KIND}
    if name == Remark.__name__:  # of lists and tuples JSON knows but one kind
        entries["values"] = {
            key: _tupled(one) for key, one in entries["values"].items()
        }
    return _CODED[name](**entries)


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, list) else value


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Say where there is no room, and that a process was ended, as by a system without
    memory."""
    try:
        yield
    except BrokenExecutor:
        what = "a process that read files was ended before it was done"
        raise user_error(what, folder, mend=_AGAIN) from None
    except OSError as error:
        name_file(error, Path(tempfile.gettempdir()))
        raise


def _cores() -> int:
    """The CPUs that this process may use: of a job, or of a container, not all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _context() -> multiprocessing.context.BaseContext:
    """Workers that have all formats at hand. They are forked from a process of their
    own, because threads that polars may have started here do not survive a fork."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *FORMATS.modules])
    return context
