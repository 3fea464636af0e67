"""The rows of a CSV file, by a mapping that the user declared."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from analysis.errors import user_error
from analysis.facts.remark import remark
from analysis.ingest.clock import zone_info
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.clock import Clock, ReportInterval, Window
from analysis.ingest.rmf.collect import Collector, collector
from analysis.ingest.rmf.csv_mapping import MappedCell, Mapping, read_mapping
from analysis.ingest.rmf.figures import number
from analysis.ingest.tables.catalog import TABLES

Cells = dict[str, str]


def read_rows(raw: Raw, beside: Path, zone: str | None, form: str) -> Reading:
    """The rows of the one table that the mapping in the file ``beside`` names."""
    mapping = read_mapping(beside)
    reading = Reading(form, details={"mapping": beside.name})
    found = collector(reading, raw, zone, by_line=True)
    own_zone = "UTC" if "%z" in mapping.start.format else mapping.start.zone
    if own_zone:
        found.clock = Clock(zone_info(own_zone))
    for line, cells in _lines(raw, mapping, found):
        found.reports["line"] += 1
        if all(cells[name] in wanted for name, wanted in mapping.where.items()):
            _add_row(cells, line, mapping, found)
    return found.finish(
        remark("no_line_below_headings", "it holds no line below its headings")
    )


def _lines(raw: Raw, mapping: Mapping, to: Collector) -> Iterator[tuple[int, Cells]]:
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
                    said = remark(
                        "cells_and_headings",
                        f"it has {len(cells)} cells, but {len(heads)} headings",
                    )
                    to.lost(said, reader.line_num)
    except (csv.Error, UnicodeError) as error:
        to.truncated = to.problem(
            remark("csv_damaged", f"the CSV is damaged: {error!s}")
        )
    except LookupError:
        what = f"{mapping.encoding!r} is not an encoding"
        raise user_error(what, mend="write utf-8, cp1252 or the like") from None


def _check_heads(raw: Raw, heads: list[str], mapping: Mapping) -> None:
    cells = [*mapping.columns.values(), mapping.seconds, mapping.start]
    wanted = {getattr(cell, "column", None) for cell in cells} | set(mapping.where)
    absent = sorted(wanted - {None} - set(heads), key=str)
    if absent:
        what = f"it has no column {', '.join(map(repr, absent))}"
        raise user_error(what, str(raw), 1, mend=f"its columns are {', '.join(heads)}")


def _add_row(cells: Cells, line: int, mapping: Mapping, to: Collector) -> None:
    schema = TABLES[mapping.table]
    row: dict[str, Any] = {}
    for name, cell in mapping.columns.items():
        value = _value(cell, schema[name], cells, mapping)
        if value is None and isinstance(cell, MappedCell) and not _is_null(cell, cells):
            said = remark(
                "no_figure", f"{cell.column}: {cells[cell.column]!r} is no figure"
            )
            to.problem(said, line)
        row[name] = value
    seconds = _seconds(cells, mapping)
    start = _start(cells, mapping, seconds)
    if start is None or not seconds:
        to.lost(
            remark(
                "line_without_time",
                "the time or the length of this line is not understood",
            ),
            line,
        )
        return
    system = row.pop("system", None)
    # One interval has a line for each class, type or device.
    of = repr([mapping.table, *(v for v in row.values() if isinstance(v, str))])
    window, content = Window(start, seconds), repr(cells).encode()
    interval = to.interval(of, system or "", window, line, content)
    if interval is not None:
        to.add(mapping.table, interval, _completed(row, interval, mapping.table))


def _value(
    cell: MappedCell | str | float, kind: pl.DataType, cells: Cells, mapping: Mapping
) -> Any:
    if not isinstance(cell, MappedCell):
        return str(cell) if kind == pl.String() else cell
    text = cells[cell.column]
    if text in cell.null_if:
        return None
    if kind == pl.String():
        return text or None
    if kind == pl.Boolean():
        return {"1": True, "0": False}.get(text, _WORDS.get(text.lower()))
    value = _number(text, mapping)
    if value is None:
        return None
    return round(value * cell.factor) if kind == pl.Int64() else value * cell.factor


_WORDS = {"true": True, "yes": True, "y": True, "false": False, "no": False, "n": False}


def _number(text: str, mapping: Mapping) -> float | None:
    if mapping.decimal == ",":
        text = text.replace(".", "").replace(",", ".")
    return number(text)


def _is_null(cell: MappedCell, cells: Cells) -> bool:
    text = cells[cell.column]
    return text in ("", *cell.null_if) or not text.strip("-*")


def _seconds(cells: Cells, mapping: Mapping) -> float | None:
    if not isinstance(mapping.seconds, MappedCell):
        return mapping.seconds
    value = _number(cells[mapping.seconds.column], mapping)
    return None if value is None else value * mapping.seconds.factor


def _start(cells: Cells, mapping: Mapping, seconds: float | None) -> dt.datetime | None:
    try:
        time = dt.datetime.strptime(cells[mapping.start.column], mapping.start.format)
        if mapping.start.means == "end":
            time -= dt.timedelta(seconds=seconds or 0)
    except (ValueError, OverflowError):
        return None
    return time.astimezone(dt.UTC).replace(tzinfo=None) if time.tzinfo else time


def _completed(
    row: dict[str, Any], interval: ReportInterval, table: str
) -> dict[str, Any]:
    """With busy seconds from busy percent, or the other way round."""
    if table != "cpu_interval" or not interval.seconds:
        return row
    capacity = float(row.get("online_cpus") or 0.0) * interval.seconds
    busy, used = row.get("busy_pct"), row.get("busy_seconds")
    if used is None and busy is not None and capacity:
        row["busy_seconds"] = busy / 100 * capacity
    if busy is None and used is not None and capacity:
        row["busy_pct"] = 100 * used / capacity
    return row
