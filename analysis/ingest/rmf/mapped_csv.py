"""CSV files of other products, read by a mapping that the user declared.

Products name the columns of one table in many ways; nothing is guessed. A file is
read so if a mapping speaks of it, whatever its content looks like.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import os
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.errors import user_error
from analysis.facts.remark import remark
from analysis.ingest.clock import zone_info
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.figures import Window, number
from analysis.ingest.rmf.report import Report
from analysis.ingest.tables.catalog import TABLES

if TYPE_CHECKING:  # it loads pydantic, which few files need and which takes its time
    from analysis.ingest.rmf.csv_mapping import MappedCell, Mapping

FORMAT = "mapped_csv"
TITLE = "CSV of another product, read by a mapping"
TESTED = "files written by hand"
SUFFIX, OF_FOLDER = ".mapping.yaml", "csv.mapping.yaml"
_WORDS = {"1": True, "true": True, "yes": True, "y": True,
          "0": False, "false": False, "no": False, "n": False}  # fmt: skip


def recognise(_: bytes) -> bool:
    """Never: what a CSV file means, only a mapping beside it can tell."""
    return False


def with_mappings(folder: Path, files: Iterable[str]) -> frozenset[str]:
    """The folders of some files, as they are named, in which there is a mapping."""
    return frozenset(
        name
        for name in {os.path.dirname(file) for file in files}
        if any(one.endswith(SUFFIX) for one in os.listdir(os.path.join(folder, name)))
    )


def mappings_beside(files: Iterable[str], known: Container[str]) -> list[str]:
    """Those of the ``known`` files that may be mappings of some files: with another
    mapping the same bytes are other rows."""
    files = [*files]
    folders = {file.rpartition("/")[:2] for file in files}
    shared = ("".join((*folder, OF_FOLDER)) for folder in folders)
    single = (f"{file}{SUFFIX}" for file in files)
    return sorted(name for name in (*single, *shared) if name in known)


def mapping_file(path: Path) -> Path | None:
    """The mapping that speaks of a file, if there is one."""
    beside = f"{path}{SUFFIX}"
    shared = os.path.join(os.path.dirname(path), OF_FOLDER)
    if os.path.isfile(beside):
        return Path(beside)
    if not os.path.isfile(shared):
        return None
    from analysis.ingest.rmf.csv_mapping import is_for

    return Path(shared) if is_for(Path(shared), path) else None


def read(raw: RawFile | Path, zone: str | None = None) -> Reading:
    """The rows of the one table that the mapping names; ``position`` is a line."""
    from analysis.ingest.rmf.csv_mapping import read_mapping

    path = raw if isinstance(raw, Path) else raw.path
    beside = mapping_file(path)
    if beside is None:
        raise user_error("no mapping speaks of this file", path)
    mapping = read_mapping(beside)
    reading = Reading(FORMAT, details={"mapping": beside.name})
    to = collector(reading, zone, by_line=True)
    if named := "UTC" if "%z" in mapping.start.format else mapping.start.zone:
        to.zone = zone_info(named)
    for line, cells in _lines(raw, mapping, to):
        to.reports["line"] += 1
        if all(cells[name] in wanted for name, wanted in mapping.where.items()):
            _add_row(cells, line, mapping, to)
    return to.finish(
        remark("no_line_below_headings", "it holds no line below its headings")
    )


def _lines(
    raw: RawFile | Path, mapping: Mapping, to: Collector
) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line by their headings."""
    try:
        with io.TextIOWrapper(
            raw.open("rb"), mapping.encoding, "replace", newline=""
        ) as file:
            reader = csv.reader(file, delimiter=mapping.delimiter)
            heads = [head.strip() for head in next(reader, [])]
            _check_heads(raw, heads, mapping)
            for cells in reader:
                if len(cells) == len(heads):
                    trimmed = (cell.strip() for cell in cells)
                    yield reader.line_num, dict(zip(heads, trimmed, strict=True))
                elif cells:
                    what = f"it has {len(cells)} cells, but {len(heads)} headings"
                    to.lost(remark("cells_and_headings", what), reader.line_num)
    except (csv.Error, UnicodeError) as error:
        to.broken_off(remark("csv_damaged", f"the CSV is damaged: {error!s}"))
    except LookupError:
        what = f"{mapping.encoding!r} is not an encoding"
        raise user_error(what, mend="write utf-8, cp1252 or the like") from None


def _check_heads(raw: RawFile | Path, heads: list[str], mapping: Mapping) -> None:
    cells = [*mapping.columns.values(), mapping.seconds, mapping.start]
    wanted = {getattr(cell, "column", None) for cell in cells} | set(mapping.where)
    absent = sorted(wanted - {None} - set(heads), key=str)
    if absent:
        what = f"it has no column {', '.join(map(repr, absent))}"
        raise user_error(what, str(raw), 1, mend=f"its columns are {', '.join(heads)}")


def _add_row(cells: dict[str, str], line: int, mapping: Mapping, to: Collector) -> None:
    row: dict[str, Any] = {}
    for name, cell in mapping.columns.items():
        kind = TABLES[mapping.table][name]
        if isinstance(cell, str | float):
            row[name] = str(cell) if kind == pl.String() else cell
            continue
        text = cells[cell.column]
        row[name] = _value(text, cell, kind, mapping)
        is_null = text in ("", *cell.null_if) or not text.strip("-*")
        if row[name] is None and not is_null:
            what = f"{cell.column}: {text!r} is no figure"
            to.problem(remark("no_figure", what), line)
    seconds = mapping.seconds
    if not isinstance(seconds, float):
        seconds = _value(cells[seconds.column], seconds, pl.Float64(), mapping)
    start = _start(cells, mapping, seconds)
    if start is None or not seconds:
        what = "the time or the length of this line is not understood"
        to.lost(remark("line_without_time", what), line)
        return
    # One interval has a line for each class, type or device.
    system = row.pop("system", None) or ""
    series = repr([mapping.table, *(v for v in row.values() if isinstance(v, str))])
    content = repr(cells).encode()
    report = Report(series, system, Window(start, seconds), line, content)
    if to.begin(report):
        to.add(mapping.table, report, row)


def _value(text: str, cell: MappedCell, kind: pl.DataType, mapping: Mapping) -> Any:
    """What a cell means in a column of this kind; null where it is none such."""
    if text in cell.null_if:
        return None
    if kind == pl.String():
        return text or None
    if kind == pl.Boolean():
        return _WORDS.get(text.lower())
    if mapping.decimal == ",":
        text = text.replace(".", "").replace(",", ".")
    value = number(text)
    if value is None:
        return None
    return round(value * cell.factor) if kind == pl.Int64() else value * cell.factor


def _start(
    cells: dict[str, str], mapping: Mapping, seconds: float | None
) -> dt.datetime | None:
    try:
        time = dt.datetime.strptime(cells[mapping.start.column], mapping.start.format)
        if mapping.start.means == "end":
            time -= dt.timedelta(seconds=seconds or 0)
    except (ValueError, OverflowError):
        return None
    return time.astimezone(dt.UTC).replace(tzinfo=None) if time.tzinfo else time
