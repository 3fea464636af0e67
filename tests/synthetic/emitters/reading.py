"""What ``inspect`` reads of what an emitter wrote, found by its content."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import Phase, settings

from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading

# What is read is large: to shrink an example would take long. Always the same ones.
FEW = settings(max_examples=8, deadline=None, phases=[Phase.generate], derandomize=True)


def read_back(format: str, data: bytes, zone: str | None = "UTC") -> Reading:
    """Bytes as a file, which has that format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_bytes(data)
        reading = read_file(path, zone)
    assert reading.format == format
    return reading


def rows(reading: Reading, table: str = "benchmark") -> list[dict[str, Any]]:
    """All rows of a table."""
    return reading.results if table == "benchmark" else reading.tables[table].to_dicts()


def utc(moment: Any) -> str:
    """A moment as tables have it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
