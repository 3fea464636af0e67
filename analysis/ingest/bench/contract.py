"""The benchmark contract: results of any tool in a CSV or JSON file with fixed names.

For tools whose logs are not public (AWM, TPNS/WSim) or not read. The columns, with
an example, are in ``docs/how-to/benchmark-contract.md``. A column of a time names
its unit (``latency_mean_ms``); numbers have a point before the decimals and nothing
between the thousands.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.bench.contract_row import (
    COUNTS,
    MARK,
    NUMBERS,
    TIMES,
    UNITS,
    contract_row,
)
from analysis.ingest.logs.benchmark import LogOutcome, fill
from analysis.ingest.logs.text import UnreadableError, decode
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "contract"
TITLE = "benchmark contract (CSV or JSON)"
TESTED = "files written by hand"
TIMED = "the seconds that the file gives"
_TEXTS = (
    MARK,
    "tool",
    "test",
    "workload",
    "shape",
    "start",
    "status",
    "reason",
    "payload_units",
)
COLUMNS = (
    *_TEXTS,
    *COUNTS,
    *NUMBERS,
    *(f"{name}_{unit}" for name in TIMES for unit in UNITS),
)
_CSV = re.compile(rf"(?:\xef\xbb\xbf)?\"?{MARK}\"?\s*[,;\t]".encode())


def recognise(head: bytes) -> bool:
    """Whether a file that begins so keeps to the contract, or means to."""
    if _CSV.match(head):
        return True
    return head.lstrip()[:1] == b"{" and f'"{MARK}"'.encode() in head


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """One ``benchmark`` row a result."""
    reading = Reading(FORMAT, tool="benchmark contract")
    text = decode(raw.read_bytes())
    try:
        outcome = _parse(text)
    except UnreadableError as error:
        reading.judge("failed", error.at_line)
        reading.problems = [Problem(error.remark, error.line)]
    else:
        fill(reading, outcome)
    return reading


def _parse(text: str) -> LogOutcome:
    out = LogOutcome()
    entries = _json(text, out) if text.lstrip().startswith("{") else _csv(text, out)
    parts = [
        (contract_row(line, entry, own := LogOutcome()), own) for line, entry in entries
    ]
    for _, own in parts:
        out.take(own)
    out.rows = [row for row, _ in parts]
    out.tests = _of_tests(parts, out.truncated)
    out.records = {"result": len(out.rows)}
    tools = sorted({row["tool"] for row in out.rows})
    out.tool = ", ".join(tools)
    if not out.rows and not out.truncated:
        out.failed = remark("no_results", "there are no results in it")
    return out


def _of_tests(
    parts: list[tuple[dict[str, Any], LogOutcome]], cut: Remark | None
) -> dict[str, LogOutcome]:
    """What became of each test; none where a result does not name its own. A file
    that is cut off costs the last one."""
    tests: dict[str, LogOutcome] = {}
    if not all(row["test"] for row, _ in parts):
        return tests
    for row, own in parts:
        tests.setdefault(row["test"], LogOutcome()).take(own)
    if parts and cut:
        tests[parts[-1][0]["test"]].truncated = cut
    return tests


Entries = list[tuple[int, dict[str, str]]]


def _csv(text: str, out: LogOutcome) -> Entries:
    reader = csv.reader(io.StringIO(text, newline=""))
    header = [name.strip() for name in next(_cells(reader), [])]
    if len(header) < 2:
        raise UnreadableError(
            remark("no_commas", "the columns are not separated by commas"), 1
        )
    _check_names(header, 1)
    entries: Entries = []
    for cells in _cells(reader):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            what = remark("cells_and_columns", cells=len(cells), columns=len(header))
            raise UnreadableError(what, reader.line_num)
        values = zip(header, map(str.strip, cells), strict=True)
        entries.append((reader.line_num, {n: v for n, v in values if v}))
    if text and not text.endswith("\n"):
        out.truncated = remark("maybe_cut_off")
    return entries


def _cells(reader: Any) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise UnreadableError(
            remark("invalid_csv", error=str(error)), reader.line_num
        ) from None


def _check_names(names: list[str], line: int) -> None:
    for name in names:
        if name not in COLUMNS:
            raise UnreadableError(
                remark(
                    "no_such_column", f"there is no column {name!r} in the contract"
                ),
                line,
            )
        if names.count(name) > 1:
            raise UnreadableError(
                remark("column_twice", f"the column {name!r} is there twice"), line
            )


def _json(text: str, out: LogOutcome) -> Entries:
    try:
        whole = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        out.truncated = remark("json_cut_off_damaged")
        return []
    results = whole.get("results")
    if not isinstance(results, list) or not all(isinstance(r, dict) for r in results):
        raise UnreadableError(
            remark("results_no_list", "'results' is not a list of objects"), 1
        )
    entries: Entries = []
    for index, result in enumerate(results):
        line = _line(text, index)
        named = {MARK: whole.get(MARK)} | {
            k: v for k, v in result.items() if v is not None
        }
        _check_names(list(named), line)
        entries.append((line, {k: _plain(k, v, line) for k, v in named.items()}))
    return entries


def _line(text: str, index: int) -> int:
    """The line on which a result names its tool, else the first."""
    found = [match.start() for match in re.finditer(r'"tool"\s*:', text)]
    return text.count("\n", 0, found[index]) + 1 if index < len(found) else 1


def _plain(name: str, value: Any, line: int) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnreadableError(
            remark("neither_number_nor_text", f"{name} is neither a number nor text"),
            line,
        )
    return value if isinstance(value, str) else repr(value)
