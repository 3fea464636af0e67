"""Say what one raw file is: its format, what it covers, what is wrong with it.

Ends with exit code 0 when something of the file could be used, with 2 when nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.files.hashes import hash_file
from analysis.ingest.detect import read_file
from analysis.ingest.inspect_text import describe, placed, span_of, tables_of
from analysis.ingest.reading import Reading
from analysis.ingest.rmf.figures import DATE_ORDERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("file", type=Path, help="the raw file")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object about it")
    form.add_argument("--rows", action="store_true", help="one JSON object a row")
    parser.add_argument(
        "--zone", help="time zone of local times, such as America/New_York"
    )
    parser.add_argument(
        "--dates", choices=DATE_ORDERS, help="order of printed dates (default: mdy)"
    )
    parser.add_argument("--codepage", help="EBCDIC code page of texts, such as 1047")


def run(args: argparse.Namespace) -> int:
    """Print what the file is; 0 if some of it could be used, else 2."""
    reading = read_file(args.file, args.zone, args.codepage, args.dates)
    if args.json:
        lines = iter([json.dumps(summary(args.file, reading), ensure_ascii=False)])
    elif args.rows:
        lines = row_lines(args.file, reading)
    else:
        lines = describe(args.file, reading)
    for line in lines:
        print(line)
    return 0 if is_usable(reading) else 2


def is_usable(reading: Reading) -> bool:
    """Whether there are rows, and of a run, or of one test, that did not fail; of a
    file that is cut off, rows that are whole by themselves."""
    tables = {name for name, table in tables_of(reading).items() if table.height}
    found = {reading.status, *(status for status, _ in reading.verdicts.values())}
    if found & {"ok", "degraded"}:
        return bool(tables)
    return "truncated" in found and bool(tables - {"benchmark"})


def summary(path: Path, reading: Reading) -> dict[str, Any]:
    """The object of ``--json``."""
    first, last = span_of(reading)
    return {
        "file": str(path),
        "format": reading.format,
        "tool": reading.tool,
        "status": reading.status,
        "reason": reading.reason,
        "records": reading.records,
        "systems": reading.systems,
        "first_start_utc": first,
        "last_start_utc": last,
        "rows": {name: rows.height for name, rows in tables_of(reading).items()},
        "problems": [problem.as_dict() for problem in placed(path, reading)],
    }


def row_lines(path: Path, reading: Reading) -> Iterator[str]:
    """One JSON object a row: ``table``, then the table's columns."""
    digest = hash_file(path)
    for name, rows in tables_of(reading).items():
        for row in rows.iter_rows(named=True):
            whole = {"table": name} | row | {"source": digest}
            yield json.dumps(whole, ensure_ascii=False)
