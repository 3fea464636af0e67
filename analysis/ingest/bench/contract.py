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
    contract_result,
)
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText, UnreadableError
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading

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
    return read_log(raw, FORMAT, "benchmark contract", _parse)


def _parse(log: LogText) -> list[Result]:
    text = log.text
    entries, cut = _json(text) if text.lstrip().startswith("{") else _csv(text)
    results = [contract_result(line, entry) for line, entry in entries]
    if not entries:
        results = [Result(records={"result": 0})]
        if not cut:
            none = remark("no_results", "there are no results in it")
            results[0].judge("failed", none)
    if cut:  # which costs the last one
        results[-1].judge("truncated", cut)
    return results


Entries = list[tuple[int, dict[str, str]]]


def _csv(text: str) -> tuple[Entries, Remark | None]:
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
        return entries, remark("maybe_cut_off")
    return entries, None


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


def _json(text: str) -> tuple[Entries, Remark | None]:
    try:
        whole = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return [], remark("json_cut_off_damaged")
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
    return entries, None


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
