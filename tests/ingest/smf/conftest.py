"""Reading of dumps that a test makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from analysis.ingest.reading import Reading
from analysis.ingest.smf import read
from synthetic.smf.dump import unblocked

ReadRecords = Callable[..., Reading]


@pytest.fixture
def read_bytes(tmp_path: Path) -> ReadRecords:
    """Writes bytes to a file and reads it."""

    def reader(data: bytes, **options) -> Reading:
        path = tmp_path / "dump.smf"
        path.write_bytes(data)
        return read(path, **options)

    return reader


@pytest.fixture
def read_records(read_bytes: ReadRecords) -> ReadRecords:
    """Writes records one behind the other and reads them."""

    def reader(*records: bytes, **options) -> Reading:
        return read_bytes(unblocked(records), **options)

    return reader


def messages(reading: Reading) -> str:
    """All problems as one text."""
    return "\n".join(problem.message for problem in reading.problems)


def rows(reading: Reading, table: str) -> list[dict]:
    """The rows of a table as dictionaries."""
    return reading.tables[table].to_dicts()


def starts(records: Iterable[bytes]) -> list[int]:
    """The byte offset of each record in an unblocked dump without spans."""
    offsets, at = [], 0
    for record in records:
        offsets.append(at)
        at += len(record)
    return offsets
