"""Reading the fixtures of one tool, and texts made from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from analysis.ingest.detect import FORMATS, read_file
from analysis.ingest.reading import Reading

GOLDEN = Path(__file__).parents[1] / "golden"
ReadText = Callable[[str], Reading]


def golden(name: str) -> Reading:
    """What is read of a fixture such as ``wrk/latency.txt``, found by content."""
    reading = read_file(GOLDEN / name, "UTC")
    assert reading.format == name.split("/")[0]
    return reading


def text_of(name: str) -> str:
    """The text of a fixture."""
    return (GOLDEN / name).read_text(encoding="utf-8")


def reader(tool: str, tmp_path: Path, zone: str | None = "UTC") -> ReadText:
    """A function that reads text as one tool's file."""

    def read(text: str) -> Reading:
        path = tmp_path / "log.txt"
        path.write_text(text, encoding="utf-8")
        return FORMATS[tool].read(path, zone)

    return read


def rows(reading: Reading, table: str = "benchmark") -> list[dict[str, Any]]:
    """All rows of a table."""
    if table == "benchmark":
        return reading.results
    return reading.tables[table].to_dicts() if table in reading.tables else []


def row(reading: Reading, table: str = "benchmark") -> dict[str, Any]:
    """The only row of a table."""
    (only,) = rows(reading, table)
    return only


def little(reading: Reading) -> float:
    """Rate × latency ÷ clients, which is about 1 in a closed loop: a unit that is
    wrong by a factor of 2 or 8 shows."""
    only = row(reading)
    return only["rate"] * only["latency_mean_us"] / 1e6 / only["clients"]
