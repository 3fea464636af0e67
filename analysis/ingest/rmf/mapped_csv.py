"""CSV files of other products, read by a mapping that the user declared.

Products name the columns of one table in many ways; nothing is guessed. A file is
read so if a mapping speaks of it, whatever its content looks like.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from pathlib import Path

from analysis.errors import user_error
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Reading

FORMAT = "mapped_csv"
TITLE = "CSV of another product, read by a mapping"
TESTED = "files written by hand"
SUFFIX, OF_FOLDER = ".mapping.yaml", "csv.mapping.yaml"


def recognise(_: bytes) -> bool:
    """Never: what a CSV file means, only a mapping beside it can tell."""
    return False


def with_mappings(folder: Path, files: Iterable[str]) -> frozenset[str]:
    """The folders of some files, as they are named, in which there is a mapping."""
    found = {os.path.dirname(file) for file in files}
    return frozenset(
        name
        for name in found
        if any(one.endswith(SUFFIX) for one in os.listdir(os.path.join(folder, name)))
    )


def mappings_beside(files: Iterable[str], known: Container[str]) -> list[str]:
    """Those of the ``known`` files that may be mappings of some files: with another
    mapping the same bytes are other rows."""
    files = [*files]
    folders = {file.rpartition("/")[:2] for file in files}
    shared = ("".join((*folder, OF_FOLDER)) for folder in folders)
    own = (f"{file}{SUFFIX}" for file in files)
    return sorted(name for name in (*own, *shared) if name in known)


def mapping_file(path: Path) -> Path | None:
    """The mapping that speaks of a file, if there is one."""
    beside = f"{path}{SUFFIX}"
    shared = os.path.join(os.path.dirname(path), OF_FOLDER)
    if os.path.isfile(beside):
        return Path(beside)
    if not os.path.isfile(shared):
        return None
    # What follows loads pydantic, which few files need and which takes its time.
    from analysis.ingest.rmf.csv_mapping import is_for

    return Path(shared) if is_for(Path(shared), path) else None


def read(raw: RawFile | Path, zone: str | None = None) -> Reading:
    """The rows of the one table that the mapping names; ``position`` is a line."""
    from analysis.ingest.rmf.csv_rows import read_rows

    path = raw if isinstance(raw, Path) else raw.path
    beside = mapping_file(path)
    if beside is None:
        raise user_error("no mapping speaks of this file", path)
    return read_rows(raw, beside, zone, FORMAT)
