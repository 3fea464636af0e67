"""The readings of a part in a folder: a line of JSON a file, and files a table.

Rows lie in Arrow's own form, so that what was read of gigabytes is mapped, not loaded.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from analysis.files.mapped import give_back, mapped_frame
from analysis.ingest.parts.codec import reading_of, told
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import frame
from analysis.ingest.tables.store import stack

_LIST = "files.jsonl"
_RESULTS = "benchmark"
ROWS = 1 << 18  # of one file


def write_part(readings: Mapping[str, Reading], folder: Path) -> None:
    """Write readings by file into an empty folder."""
    frames: dict[str, list[pl.DataFrame]] = defaultdict(list)
    results: list[dict[str, Any]] = []
    lines = []
    for file, reading in readings.items():
        rows = {name: of.height for name, of in reading.tables.items()}
        results += reading.results
        for name, of in reading.tables.items():
            frames[name].append(of)
        counts = {"file": file, "results": len(reading.results), "rows": rows}
        lines.append(json.dumps(counts | told(reading), ensure_ascii=False) + "\n")
    (folder / _LIST).write_text("".join(lines), "utf-8", "surrogateescape")
    for name, table in _tables(results, frames):
        for at in range(0, max(table.height, 1), ROWS):
            piece = table[at : at + ROWS]
            piece.write_ipc(folder / f"{name}.{at}.arrow", compression="uncompressed")
            give_back()


def _tables(
    results: list[dict[str, Any]], frames: Mapping[str, list[pl.DataFrame]]
) -> Iterator[tuple[str, pl.DataFrame]]:
    yield _RESULTS, frame(_RESULTS, results)
    for name, parts in frames.items():
        yield name, stack(name, parts)


def read_part(folder: Path) -> dict[str, Reading] | None:
    """The readings that a folder keeps; none where it is absent or damaged."""
    try:
        text = (folder / _LIST).read_text("utf-8", "surrogateescape")
        said = [json.loads(line) for line in text.splitlines()]
        found: dict[str, dict[int, pl.DataFrame]] = defaultdict(dict)
        for path in folder.glob("*.arrow"):
            name, at = path.stem.split(".")
            found[name][int(at)] = mapped_frame(path)
        return _dealt(said, {n: _in_turn(of) for n, of in found.items()})
    except (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError):
        return None  # it is read anew


def _in_turn(frames: Mapping[int, pl.DataFrame]) -> pl.DataFrame:
    return pl.concat([frames[at] for at in sorted(frames)], rechunk=False)


def _dealt(
    said: list[dict[str, Any]], tables: Mapping[str, pl.DataFrame]
) -> dict[str, Reading]:
    """Each file's rows in the order in which they were written."""
    results = tables[_RESULTS].to_dicts()
    at = dict.fromkeys(tables, 0)
    readings = {}
    for line in said:
        reading = reading_of(line)
        for name, height in line["rows"].items():
            reading.tables[name] = tables[name][at[name] : at[name] + height]
            at[name] += height
        end = at[_RESULTS] + line["results"]
        reading.results, at[_RESULTS] = results[at[_RESULTS] : end], end
        readings[line["file"]] = reading
    if at != {name: rows.height for name, rows in tables.items()}:
        raise ValueError("the tables have other rows than the list tells")
    return readings
