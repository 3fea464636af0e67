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

from analysis.declared.workload import SHAPES, PayloadUnits, parse_workload
from analysis.facts.remark import Remark, at_line, quote, remark
from analysis.ingest.clock import parse_time, utc_text
from analysis.ingest.logs.benchmark import LogOutcome, fill
from analysis.ingest.logs.text import Found, UnreadableError, decode, number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading

FORMAT = "contract"
TITLE = "benchmark contract (CSV or JSON)"
MARK = "benchmark_contract"
VERSION = "1"
_TIMES = ("latency_mean", "latency_p50", "latency_p90", "latency_p99")
_UNITS = {"s": 1e6, "ms": 1e3, "us": 1.0}
_COUNTS = ("clients", "request_bytes", "response_bytes", "transactions", "errors")
_NUMBERS = ("seconds", "rate", "bytes_per_second")
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
    *_COUNTS,
    *_NUMBERS,
    *(f"{name}_{unit}" for name in _TIMES for unit in _UNITS),
)
_REQUIRED = (MARK, "tool", "seconds", "transactions")
_LITTLE = 1.6  # no closed loop misses by this factor, but a wrong unit does
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
    parts = [(_row(line, entry, own := LogOutcome()), own) for line, entry in entries]
    for _, own in parts:
        out.take(own)
    out.rows = [row for row, _ in parts]
    out.tests = _of_tests(parts, out.truncated)
    out.records = {"result": len(out.rows)}
    tools = sorted({row["tool"] for row in out.rows})
    out.tool = ", ".join(tools)
    if not out.rows and not out.truncated:
        out.failed = remark("no_results")
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
        raise UnreadableError(remark("no_commas"), 1)
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
            raise UnreadableError(remark("no_such_column", name=name), line)
        if names.count(name) > 1:
            raise UnreadableError(remark("column_twice", name=name), line)


def _json(text: str, out: LogOutcome) -> Entries:
    try:
        whole = json.loads(text, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        out.truncated = remark("json_cut_off_damaged")
        return []
    results = whole.get("results")
    if not isinstance(results, list) or not all(isinstance(r, dict) for r in results):
        raise UnreadableError(remark("results_no_list"), 1)
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
        raise UnreadableError(remark("neither_number_nor_text", name=name), line)
    return value if isinstance(value, str) else repr(value)


def _row(line: int, entry: dict[str, str], out: LogOutcome) -> dict[str, Any]:
    if entry.get(MARK) != VERSION:
        raise UnreadableError(remark("other_contract"), line)
    if entry.get("status", "ok") != "ok":
        out.failed = out.failed or _failure(entry, line)
    needed = _REQUIRED if entry.get("status", "ok") == "ok" else _REQUIRED[:2]
    if missing := [name for name in needed if name not in entry]:
        raise UnreadableError(remark("no_value", name=missing[0]), line)
    cells = {name: Found(line, (text,)) for name, text in entry.items()}
    row: dict[str, Any] = {"tool": entry["tool"], "test": entry.get("test")}
    row |= {name: cells[name].count() for name in _COUNTS if name in cells}
    row |= {name: cells[name].number() for name in _NUMBERS if name in cells}
    row |= _latencies(entry, line) | _workload(entry, row, line)
    row |= {"start_utc": _start(entry, line), "position": line}
    if "seconds" in row:
        _judge(row, out, line)
    return row


def _failure(entry: dict[str, str], line: int) -> Remark:
    """Why a result failed, in its own words where it has some."""
    reason = entry.get("reason")
    return quote(reason) if reason else at_line(line, remark("line_failed"))


def _latencies(entry: dict[str, str], line: int) -> dict[str, float]:
    values: dict[str, float] = {}
    for name in _TIMES:
        given = [unit for unit in _UNITS if f"{name}_{unit}" in entry]
        if len(given) > 1:
            raise UnreadableError(remark("several_units", name=name), line)
        for unit in given:
            text = entry[f"{name}_{unit}"]
            values[f"{name}_us"] = number(text, line) * _UNITS[unit]
    return values


def _workload(entry: dict[str, str], row: dict[str, Any], line: int) -> dict[str, Any]:
    """Shape, clients and bytes as the name of the workload says them."""
    shape = entry.get("shape")
    if shape is not None and shape not in SHAPES:
        raise UnreadableError(
            remark("no_shape", shape=shape, shapes=", ".join(SHAPES)), line
        )
    if "workload" not in entry:
        return {"shape": shape}
    try:
        found = parse_workload(entry["workload"], _units(entry))
    except ValueError as error:
        raise UnreadableError(quote(str(error)), line) from None
    told = {
        "shape": found.shape,
        "clients": found.clients,
        "request_bytes": found.request_bytes,
        "response_bytes": found.response_bytes,
    }
    for name, value in (row | {"shape": shape}).items():
        if name in told and value is not None and value != told[name]:
            raise UnreadableError(
                remark(
                    "contradicts_workload",
                    name=name,
                    value=value,
                    workload=entry["workload"],
                ),
                line,
            )
    return told


def _units(entry: dict[str, str]) -> PayloadUnits:
    match entry.get("payload_units", "binary"):
        case "binary":
            return "binary"
        case "decimal":
            return "decimal"
        case other:
            raise ValueError(f"payload_units {other!r} is neither binary nor decimal")


def _start(entry: dict[str, str], line: int) -> str | None:
    try:
        start = parse_time(entry.get("start", ""))
    except ValueError as error:
        raise UnreadableError(quote(str(error)), line) from None
    return utc_text(start) if start else None


def _judge(row: dict[str, Any], out: LogOutcome, line: int) -> None:
    """Rate, counts and latency must fit each other, or a unit is wrong."""
    seconds, count = row["seconds"], row.get("transactions", 0)
    if seconds <= 0:
        raise UnreadableError(remark("seconds_not_positive"), line)
    if any(row.get(name, 0) < 0 for name in (*_NUMBERS, *(f"{t}_us" for t in _TIMES))):
        raise UnreadableError(remark("value_negative"), line)
    row.setdefault("rate", count / seconds)
    out.compare(f"line {line}: the rate", row["rate"], count / seconds, 0.02)
    out.judge_errors(row.get("errors", 0), count + row.get("errors", 0), "failed")
    mean, clients = row.get("latency_mean_us"), row.get("clients")
    if mean and clients and row["rate"]:
        busy = row["rate"] * mean / 1e6
        if not clients / _LITTLE < busy < clients * _LITTLE:
            out.doubts.append(
                at_line(line, remark("doubtful_units", busy=busy, clients=clients))
            )
